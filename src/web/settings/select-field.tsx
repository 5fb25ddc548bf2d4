import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

type SelectFieldProps = {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly value?: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
};

export function SelectField({ label, name, hint, value, options }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        class="input"
        id={id}
        name={name}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
