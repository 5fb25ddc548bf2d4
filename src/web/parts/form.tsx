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
  /** With which it begins. */
  readonly value?: string;
  readonly min?: string;
  readonly max?: string;
  /** "any": fractions too. */
  readonly step?: string;
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
  step,
}: FieldProps) {
  const id = useId();
  const told = [hint === undefined ? "" : `${id}-hint`, error ? `${id}-error` : ""].filter(
    (one) => one !== "",
  );
  const given = Object.fromEntries(
    Object.entries({ autoComplete, required, defaultValue: value, min, max, step }).filter(
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

type FormActsProps = {
  /** A verb and its object. */
  readonly action: string;
  /** What it says while that is under way. */
  readonly busyAction?: string;
  readonly isBusy: boolean;
  /** There is nothing to send yet. */
  readonly isWaiting?: boolean;
  /** Something is lost by it. */
  readonly isGrave?: boolean;
  /** Left out where there is nothing to go back to. */
  readonly onCancel?: (() => void) | undefined;
};

/** The end of a form: back without it, or do it. */
export function FormActs({
  action,
  busyAction = action,
  isBusy,
  isWaiting = false,
  isGrave = false,
  onCancel,
}: FormActsProps) {
  return (
    <div class="acts">
      {onCancel && (
        <button class="btn" type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
      <button class={`btn ${isGrave ? "danger" : "primary"}`} type="submit" disabled={isBusy || isWaiting}>
        {isBusy ? busyAction : action}
      </button>
    </div>
  );
}
