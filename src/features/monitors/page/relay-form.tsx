// Adds or edits a relay.

import { call } from "../../../web/client/call.ts";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { Field, FormActs } from "../../../web/parts/form.tsx";
import { sayDone } from "../../../web/parts/states.tsx";
import { SelectField, TroubleNote } from "../../../web/settings/parts.tsx";
import { readForm, readServer, ServerFields, usualServer } from "../../../web/settings/smtp-server.tsx";
import type { Relay } from "../contract/relays.ts";

type DialogProps = {
  readonly relay: Relay | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
};

export function RelayDialog({ relay, onClose, onSaved }: DialogProps) {
  const { isBusy, trouble, run } = useDoing();
  const known = relay === null ? usualServer : readServer(relay.url);
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const isDone = await run(async () => {
      const body = readRelay(form, relay);
      const saved =
        relay === null
          ? await call("POST /api/relays", { body })
          : await call("PATCH /api/relays/:id", { params: { id: relay.id }, body });
      onSaved(saved.id);
    });
    if (!isDone) return;
    onClose();
    sayDone(relay === null ? "Relay added. Testing it now." : "Relay saved. Testing it now.");
  };
  return (
    <Dialog title={relay === null ? "Add relay" : `Edit “${relay.name}”`} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <Field
          label="Name"
          name="name"
          required
          value={relay?.name ?? ""}
          hint="For you, such as “Newsletter service”."
          error={troubleAt(trouble, "name")}
        />
        <ServerFields known={known} isNew={relay === null} trouble={trouble} />
        <Field
          label="Sender"
          name="mailFrom"
          required
          value={relay?.mailFrom ?? ""}
          hint="An address that this server may send from, like canary@example.com."
          error={troubleAt(trouble, "mailFrom")}
        />
        <SelectField
          label="Return path"
          name="returnPath"
          value={relay?.returnPath ?? "assay"}
          hint="Bounces come back to the return path. If the server rejects Assay’s, choose the sender’s address. Then SPF is checked for your own domain, but Assay doesn’t see bounces."
          options={[
            { value: "assay", label: "An address at this Assay server" },
            { value: "sender", label: "The sender’s address" },
          ]}
        />
        <TroubleNote
          trouble={trouble}
          title="Couldn’t save the relay."
          fields={["name", "url", "host", "user", "password", "mailFrom"]}
        />
        <FormActs action={relay === null ? "Add relay" : "Save"} isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function readRelay(form: FormData, relay: Relay | null) {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const returnPath = text("returnPath") === "sender" ? ("sender" as const) : ("assay" as const);
  return { name: text("name"), url: readForm(form, relay?.url ?? null), mailFrom: text("mailFrom"), returnPath };
}
