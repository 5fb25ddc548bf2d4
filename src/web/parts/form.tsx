import { type ComponentChildren, createContext } from "preact";
import { useContext, useId } from "preact/hooks";
import type { Trouble } from "../client/call.ts";
import { toFieldError, troubleAt } from "../client/use-action.ts";
import { Icon } from "./icon.tsx";

/** Why the form around a field failed. The field that it is about shows it. */
export const FormTrouble = createContext<Trouble | null>(null);

type FieldProps = {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
  /** Default: what the form around it failed for, if it is about this field. */
  readonly error?: string | null;
  readonly type?: "text" | "email" | "password" | "number" | "time" | "date" | "datetime-local";
  readonly autoComplete?: string;
  readonly required?: boolean;
  /** The initial value. */
  readonly value?: string;
  readonly min?: string;
  readonly max?: string;
  /** "any" allows fractions. */
  readonly step?: string;
  /** The first thing to do in a dialog, if the focus would otherwise start on something else. */
  readonly autofocus?: boolean;
};

export function Field({
  label,
  name,
  hint,
  error: given,
  type = "text",
  autoComplete,
  required,
  value,
  min,
  max,
  step,
  autofocus,
}: FieldProps) {
  const id = useId();
  const trouble = useContext(FormTrouble);
  const error = given ?? troubleAt(trouble, name);
  const described = [hint === undefined ? "" : `${id}-hint`, error ? `${id}-error` : ""].filter((one) => one !== "");
  const attributes = Object.fromEntries(
    Object.entries({ autoComplete, required, defaultValue: value, min, max, step, autofocus }).filter(
      ([, one]) => one !== undefined,
    ),
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...attributes}
        type={type as "text"}
        id={id}
        name={name}
        class="input"
        aria-invalid={error ? "true" : undefined}
        aria-describedby={described.length > 0 ? described.join(" ") : undefined}
      />
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span class="err" id={`${id}-error`} role="alert">
          <Icon name="critical" />
          {toFieldError(error, name, label)}
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

/** More would wrap unevenly, so they get columns. */
const mostInLine = 6;

/** A few mutually exclusive options. */
export function Choice<T extends string>({ legend, options, value, onChoose }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class={options.length > mostInLine ? "seg many" : "seg"}>
      <legend class="vh">{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChoose(option.value)} />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

type RadioOptionProps = {
  /** The same for all answers of a question. */
  readonly name: string;
  readonly title: string;
  readonly says?: string;
  readonly isChosen: boolean;
  readonly isDisabled?: boolean;
  readonly onChoose: () => void;
};

/** One of several answers, with what it means. */
export function RadioOption({ name, title, says, isChosen, isDisabled = false, onChoose }: RadioOptionProps) {
  return (
    <label class="option">
      <input type="radio" name={name} checked={isChosen} disabled={isDisabled} onChange={onChoose} />
      <span>
        <strong>{title}</strong>
        {says !== undefined && <span class="small muted">{says}</span>}
      </span>
    </label>
  );
}

export type FormActsProps = {
  /** A verb and its object. */
  readonly action: string;
  /** Its text while the action runs. */
  readonly busyAction?: string;
  readonly isBusy: boolean;
  /** There is nothing to send yet. */
  readonly isWaiting?: boolean;
  /** The action is destructive. */
  readonly isGrave?: boolean;
  /** Another button that submits the form, with `also` in its data. */
  readonly also?: string | false;
  /** Without it there is no Cancel button. */
  readonly onCancel?: (() => void) | undefined;
};

/** The buttons at the end of a form. */
export function FormActs({
  action,
  busyAction = action,
  isBusy,
  isWaiting = false,
  isGrave = false,
  also = false,
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
      {also && (
        <button class="btn" type="submit" name="also" value="yes" formNoValidate disabled={isBusy}>
          {also}
        </button>
      )}
    </div>
  );
}
