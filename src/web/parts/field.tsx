import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "./icon.tsx";

type FieldProps = {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
  readonly type?: "text" | "email" | "password" | "number";
  readonly autoComplete?: string;
  readonly required?: boolean;
  readonly value?: string;
  readonly min?: string;
  readonly max?: string;
};

export function Field({
  label,
  name,
  hint,
  error,
  type = "text",
  autoComplete,
  required,
  value,
  min,
  max,
}: FieldProps) {
  const id = useId();
  const told = [hint === undefined ? "" : `${id}-hint`, error ? `${id}-error` : ""].filter(
    (one) => one !== "",
  );
  const given = Object.fromEntries(
    // What it begins with: what is typed stays when the page is drawn again.
    Object.entries({ autoComplete, required, defaultValue: value, min, max }).filter(
      ([, one]) => one !== undefined,
    ),
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...given}
        type={type as "text"}
        id={id}
        name={name}
        class="input"
        aria-invalid={error ? "true" : undefined}
        aria-describedby={told.length > 0 ? told.join(" ") : undefined}
      />
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span class="err" id={`${id}-error`} role="alert">
          <Icon name="critical" />
          {error}
        </span>
      )}
    </div>
  );
}

type ChoiceProps<T extends string> = {
  readonly legend: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChoose: (value: T) => void;
};

/** A few that exclude one another. */
export function Choice<T extends string>({ legend, options, value, onChoose }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="seg">
      <legend class="vh">{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
