// Adds or edits a relay.

import { call } from "../../../web/client/call.ts";
import { Field } from "../../../web/parts/form.tsx";
import { FormDialog, SelectField } from "../../../web/settings/parts.tsx";
import { readForm, readServer, ServerFields, usualServer } from "../../../web/settings/smtp-server.tsx";
import type { Relay } from "../contract/relays.ts";

type DialogProps = {
  readonly relay: Relay | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
};

export function RelayDialog({ relay, onClose, onSaved }: DialogProps) {
  const save = async (typed: FormData) => {
    const body = readRelay(typed, relay);
    const saved =
      relay === null
        ? await call("POST /api/relays", { body })
        : await call("PATCH /api/relays/:id", { params: { id: relay.id }, body });
    onSaved(saved.id);
  };
  return (
    <FormDialog
      title={relay === null ? "Add relay" : `Edit “${relay.name}”`}
      onClose={onClose}
      action={relay === null ? "Add relay" : "Save"}
      act={save}
      done={relay === null ? "Relay added. Testing it now." : "Relay saved. Testing it now."}
      failed="Couldn’t save the relay."
    >
      <Field
        label="Name"
        name="name"
        required
        value={relay?.name ?? ""}
        hint="For you, such as “Newsletter service”."
      />
      <ServerFields known={relay === null ? usualServer : readServer(relay.url)} isNew={relay === null} />
      <Field
        label="Sender"
        name="mailFrom"
        required
        value={relay?.mailFrom ?? ""}
        hint="An address that this server may send from, like canary@example.com."
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
    </FormDialog>
  );
}

function readRelay(form: FormData, relay: Relay | null) {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const returnPath = text("returnPath") === "sender" ? ("sender" as const) : ("assay" as const);
  return { name: text("name"), url: readForm(form, relay?.url ?? null), mailFrom: text("mailFrom"), returnPath };
}
