import type { SeedInbox } from "../../api/seed-inboxes.ts";
import { call } from "../client/call.ts";
import { useDoing } from "../client/use-action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormActs } from "../parts/form-acts.tsx";
import { sayDone } from "../parts/toast.tsx";
import { TroubleNote, troubleOf } from "./section.tsx";

type FormProps = { readonly onClose: () => void; readonly onDone: () => void };

const labelHint = "So that you know it again, like “Welcome mails”. It may be left out.";

function textOf(form: FormData, name: string): string | null {
  const text = String(form.get(name) ?? "").trim();
  return text === "" ? null : text;
}

type NewProps = FormProps & {
  /** Of the address that is shown; empty: the server's first. */
  readonly domain: string;
};

export function NewSeedInbox({ domain, onClose, onDone }: NewProps) {
  const { isBusy, trouble, run } = useDoing();
  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [localPart, domainName] = [textOf(form, "localPart"), textOf(form, "domain")];
    const body = {
      ...(localPart === null ? {} : { localPart }),
      ...(domainName === null ? {} : { domain: domainName }),
      label: textOf(form, "label"),
    };
    const isDone = await run(async () => {
      const { address } = await call("POST /api/seed-inboxes", { body });
      sayDone(`${address} receives from now on.`);
    });
    if (!isDone) return;
    onClose();
    onDone();
  };
  return (
    <Dialog title="New seed inbox" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void create(event)}>
        <Field
          label="What stands before the @"
          name="localPart"
          hint="Letters, digits, dots, hyphens and underscores. Left empty, ten characters are drawn at random, which strangers do not guess."
          error={troubleOf(trouble, "localPart", "What stands before the @")}
        />
        <Field
          label="Domain"
          name="domain"
          value={domain}
          hint="A seed domain of this server; its first if left empty."
          error={troubleOf(trouble, "domain", "It")}
        />
        <Field label="Name" name="label" hint={labelHint} error={troubleOf(trouble, "label", "The name")} />
        <TroubleNote
          trouble={trouble}
          title="No seed inbox was made."
          fields={["localPart", "domain", "label"]}
        />
        <FormActs action="Make the seed inbox" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

export function EditSeedInbox({ inbox, onClose, onDone }: FormProps & { readonly inbox: SeedInbox }) {
  const { isBusy, trouble, run } = useDoing();
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const body = { label: textOf(new FormData(event.currentTarget as HTMLFormElement), "label") };
    if (!(await run(() => call("PATCH /api/seed-inboxes/:id", { params: { id: inbox.id }, body })))) return;
    onClose();
    onDone();
    sayDone(`The name of ${inbox.address} is kept.`);
  };
  return (
    <Dialog title={`Name of ${inbox.address}`} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <Field
          label="Name"
          name="label"
          value={inbox.label ?? ""}
          hint={labelHint}
          error={troubleOf(trouble, "label", "The name")}
        />
        <TroubleNote trouble={trouble} title="The name is as it was." fields={["label"]} />
        <FormActs action="Keep the name" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
