// Shared parts of the settings: headings, loading, forms and confirmations.

import { type ComponentChildren, createContext } from "preact";
import { useContext, useId, useRef, useState } from "preact/hooks";
import type { Workspace } from "../../features/people/contract/workspaces.ts";
import { call, type Trouble } from "../client/call.ts";
import type { BodyOf } from "../client/endpoints.ts";
import type { useLoaded } from "../client/loading.ts";
import { usePlace } from "../client/router.tsx";
import { useSession } from "../client/session.ts";
import { useDoing } from "../client/use-action.ts";
import { Confirm, Dialog } from "../parts/dialog.tsx";
import { Field, FormActs, type FormActsProps, FormTrouble, RadioOption } from "../parts/form.tsx";
import { Icon } from "../parts/icon.tsx";
import { ErrorNote, LoadNote, Note, sayDone } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";

type HeadProps = {
  readonly title: string;
  /** One sentence that explains the section. */
  readonly lead: ComponentChildren;
  /** The main action of the section. */
  readonly children?: ComponentChildren;
};

const SectionId = createContext("section");
/** Names the heading of a section, so that links lead to it. */
export const SectionIdProvider = SectionId.Provider;

export function SectionHead({ title, lead, children }: HeadProps) {
  return (
    <div class="settings-h">
      <div class="sec-h">
        <h2 id={useContext(SectionId)}>{title}</h2>
        <p>{lead}</p>
      </div>
      {children}
    </div>
  );
}

/** What only an operator can do, such as "set up email": for them, a link. */
export function OperatorTask({ to, task }: { readonly to: string; readonly task: string }) {
  if (!useSession().workspace.operator) return <>Ask your administrator to {task}.</>;
  return (
    <>
      <a href={to}>{task.charAt(0).toUpperCase() + task.slice(1)}</a>.
    </>
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
      {loaded.state === "failed" && loaded.trouble.code === "forbidden" ? (
        <Note tone="unknown">
          <strong>You can’t see {what}.</strong> {loaded.trouble.message}
        </Note>
      ) : (
        <LoadNote loaded={loaded} onRetry={reload} lines={lines} what={what} />
      )}
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
      <Table look="fold mid" caption={caption} columns={[...columns, { vh: "Actions" }]}>
        {children}
      </Table>
    </div>
  );
}

type ActionFormProps = Omit<FormActsProps, "isBusy"> & {
  readonly act: (typed: FormData) => Promise<unknown>;
  /** The confirmation afterwards. Absent if what was done shows. */
  readonly done?: string;
  /** The title of an error that is about none of the fields. */
  readonly failed: string;
  readonly onDone?: () => void;
  /** Has an `OwnPassword`, which shows that it is wrong. */
  readonly asksPassword?: boolean;
  readonly children: ComponentChildren;
};

/** A form with one action. Errors appear at the field that they name, or above the buttons. */
export function ActionForm(props: ActionFormProps) {
  const { act, done, failed, onDone, asksPassword = false, children, ...acts } = props;
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, trouble, run } = useDoing();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(form.current ?? undefined, event.submitter);
    if (!(await run(() => act(typed)))) return;
    for (const input of form.current?.querySelectorAll<HTMLInputElement>("input[type=password]") ?? [])
      input.value = "";
    acts.onCancel?.();
    onDone?.();
    if (done !== undefined) sayDone(done);
  };
  const field = form.current?.elements.namedItem(trouble?.field ?? "");
  const isAtField =
    field instanceof HTMLInputElement ||
    field instanceof HTMLTextAreaElement ||
    (asksPassword && trouble?.code === "invalid_credentials");
  return (
    <form class="stack" ref={form} onSubmit={(event) => void submit(event)}>
      <FormTrouble.Provider value={trouble}>{children}</FormTrouble.Provider>
      {!isAtField && <TroubleNote trouble={trouble} title={failed} />}
      <FormActs {...acts} isBusy={isBusy} />
    </form>
  );
}

type OwnPasswordProps = { readonly label: string; readonly name?: string };

/** The password of the reader's account, which proves that it is theirs. In an `ActionForm` with `asksPassword`. */
export function OwnPassword({ label, name = "password" }: OwnPasswordProps) {
  const error = useContext(FormTrouble)?.code === "invalid_credentials" ? "Wrong password." : null;
  return <Field label={label} name={name} type="password" autoComplete="current-password" required error={error} />;
}

type NameFieldProps = {
  readonly name: string;
  readonly value?: string;
  readonly hint?: string;
  readonly missing: string;
};

/** `missing`: the error if nothing was typed. */
export function NameField({ missing, ...field }: NameFieldProps) {
  const error = useContext(FormTrouble)?.code === "missing_name" ? missing : null;
  return <Field label="Name" {...field} error={error} />;
}

type FormDialogProps = Omit<ActionFormProps, "onCancel"> & { readonly title: string; readonly onClose: () => void };

/** Closes once its action is done. */
export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm {...form} onCancel={onClose} />
    </Dialog>
  );
}

type SettingProps = {
  readonly title: string;
  /** What is set now. */
  readonly value: ComponentChildren;
  /** Its heading's. Default: that of the section, which the setting then fills. */
  readonly id?: string;
  readonly isOpen?: boolean;
  /** What changes it. Absent if it is changed elsewhere. */
  readonly children?: ComponentChildren;
};

/** A line with the present value, which opens to the form. A link to it opens it, too. */
export function Setting({ title, value, id, isOpen = false, children }: SettingProps) {
  const section = useContext(SectionId);
  const { hash } = usePlace();
  const Heading = id === undefined ? "h2" : "h3";
  const line = (
    <>
      <Heading id={id ?? section}>{title}</Heading>
      <span class="muted">{value}</span>
    </>
  );
  if (!children) return <div class="card setting">{line}</div>;
  return (
    <details class="card setting" open={isOpen || hash === `#${id ?? section}`}>
      <summary>
        {line}
        <span class="chev">
          <Icon name="chev" />
        </span>
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}

type WorkspaceBody = BodyOf<"PATCH /api/workspaces/:id">;

/** Changes settings of the workspace. */
export function useWorkspaceChange(): (body: WorkspaceBody) => Promise<void> {
  const { workspace, renew } = useSession();
  return async (body) => {
    await call("PATCH /api/workspaces/:id", { params: { id: workspace.id }, body });
    await renew();
  };
}

type WorkspaceChoiceProps<Name extends "sendingVolume" | "rehearsal"> = {
  /** The setting of the workspace. */
  readonly name: Name;
  readonly title: string;
  readonly question: string;
  readonly options: readonly { readonly value: Workspace[Name]; readonly title: string; readonly says: string }[];
  /** Shown to members if none of the options is set. */
  readonly unset: string;
  /** The confirmation. */
  readonly saved: string;
  /** What it is for. */
  readonly children: ComponentChildren;
};

/** A setting of the workspace with a few answers. Members read it, and owners change it. */
export function WorkspaceChoice<Name extends "sendingVolume" | "rehearsal">(props: WorkspaceChoiceProps<Name>) {
  const { name, title, question, options, unset, saved, children } = props;
  const { workspace } = useSession();
  const change = useWorkspaceChange();
  const current = workspace[name];
  const [chosen, setChosen] = useState<Workspace[Name]>(current);
  const option = options.find(({ value }) => value === current);
  return (
    <Setting title={title} value={option?.title ?? "Not set"}>
      {children}
      {workspace.role === "owner" ? (
        <ActionForm
          act={() => change({ [name]: chosen } as WorkspaceBody)}
          action="Save"
          isWaiting={chosen === current}
          done={saved}
          failed="Couldn’t save the setting."
        >
          <fieldset class="stack-2">
            <legend>
              <strong>{question}</strong>
            </legend>
            {options.map(({ value, ...words }) => (
              <RadioOption
                {...words}
                key={words.title}
                name={name}
                isChosen={value === chosen}
                onChoose={() => setChosen(value)}
              />
            ))}
          </fieldset>
        </ActionForm>
      ) : (
        <p class="muted">{option?.says ?? unset} Only owners can change this.</p>
      )}
    </Setting>
  );
}
