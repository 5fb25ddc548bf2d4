// Shared parts of the settings: headings, loading, forms and confirmations.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Trouble } from "../client/call.ts";
import type { useLoaded } from "../client/loading.ts";
import { useDoing } from "../client/use-action.ts";
import { Confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { ErrorNote, Note, Skeleton, sayDone } from "../parts/states.tsx";

type HeadProps = {
  readonly title: string;
  /** One sentence that explains the section. */
  readonly lead: ComponentChildren;
  /** The main action of the section. */
  readonly children?: ComponentChildren;
};

export function SectionHead({ title, lead, children }: HeadProps) {
  return (
    <div class="settings-h">
      <div class="sec-h">
        <h2 id="section">{title}</h2>
        <p>{lead}</p>
      </div>
      {children}
    </div>
  );
}

type ReadingProps<T> = {
  readonly reading: Pick<ReturnType<typeof useLoaded<T>>, "loaded" | "reload">;
  /** Plural: "the tokens". */
  readonly what: string;
  readonly lines?: number;
  readonly children: (value: T) => ComponentChildren;
};

/** Keeps showing the old data when a reload fails. */
export function Reading<T>({ reading: { loaded, reload }, what, lines = 4, children }: ReadingProps<T>) {
  return (
    <>
      {loaded.state === "failed" &&
        (loaded.trouble.code === "forbidden" ? (
          <Note tone="unknown">
            <strong>You can’t see {what}.</strong> {loaded.trouble.message}
          </Note>
        ) : (
          <ErrorNote title={`Couldn’t load ${what}.`} message={loaded.trouble.message} onRetry={reload} />
        ))}
      {loaded.value === null && loaded.state === "loading" && <Skeleton lines={lines} what={what} />}
      {loaded.value !== null && children(loaded.value)}
    </>
  );
}

/** Errors that aren't about one of the `fields` of the form. */
export function TroubleNote({
  trouble,
  title,
  fields = [],
}: {
  readonly trouble: Trouble | null;
  readonly title: string;
  readonly fields?: readonly string[];
}) {
  if (trouble === null || (trouble.field !== null && fields.includes(trouble.field))) return null;
  return <ErrorNote title={title} message={trouble.message} />;
}

type SelectFieldProps = {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly value?: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange?: (value: string) => void;
};

export function SelectField({ label, name, hint, value, options, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        class="input"
        id={id}
        name={name}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange?.(event.currentTarget.value)}
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

type ShownOnceProps = {
  readonly title: string;
  readonly action: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A secret that can't be shown again. It stays until the reader confirms that they copied it. */
export function ShownOnce({ title, action, onClose, children }: ShownOnceProps) {
  const id = useId();
  return (
    <section class="seen-now card good stack-2 mb-4" role="status" aria-labelledby={id}>
      <h3 id={id}>
        <span class="tone">
          <Icon name="good" />
        </span>{" "}
        {title}
      </h3>
      {children}
      <button class="btn mt-4" type="button" onClick={onClose}>
        {action}
      </button>
    </section>
  );
}

type ConfirmDoingProps = {
  readonly title: string;
  /** A verb. */
  readonly action: string;
  readonly act: () => Promise<unknown>;
  /** The confirmation afterwards. */
  readonly done: string;
  /** The title of the error. */
  readonly failed: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** What will be lost. */
  readonly children: ComponentChildren;
};

/** Asks, acts and confirms. Errors appear in the dialog. */
export function ConfirmDoing({ act, done, failed, onDone, children, ...rest }: ConfirmDoingProps) {
  const { isBusy, trouble, run } = useDoing();
  const confirm = async () => {
    if (!(await run(act))) return;
    rest.onClose();
    onDone();
    sayDone(done);
  };
  return (
    <Confirm {...rest} isBusy={isBusy} onConfirm={() => void confirm()}>
      {children}
      {trouble && <ErrorNote title={failed} message={trouble.message} />}
    </Confirm>
  );
}

type ActionTableProps = {
  readonly caption: string;
  readonly columns: readonly string[];
  /** Rows with the actions in the last cell. */
  readonly children: ComponentChildren;
};

/** A table with actions in each row. On a phone each row becomes a block. */
export function ActionTable({ caption, columns, children }: ActionTableProps) {
  return (
    <div class="card flush">
      <table class="table fold mid">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">
              <span class="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
