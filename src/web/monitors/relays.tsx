// The mail servers that canaries are sent through.

import { useState } from "preact/hooks";
import type { Relay } from "../../api/relays.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { troubleAt, useDoing } from "../client/use-action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field, FormActs } from "../parts/form.tsx";
import { EmptyState, ErrorNote, sayDone } from "../parts/states.tsx";
import {
  ActionTable,
  ConfirmDoing,
  Reading,
  SectionHead,
  SelectField,
  TroubleNote,
} from "../settings/parts.tsx";

type Open =
  | { readonly what: "nothing" | "add" }
  | { readonly what: "edit" | "delete"; readonly relay: Relay };

export function RelaysSection() {
  const reading = useLoaded("relays", (signal) => call("GET /api/relays", { signal }));
  const [open, setOpen] = useState<Open>({ what: "nothing" });
  const close = () => setOpen({ what: "nothing" });
  return (
    <>
      <SectionHead
        title="Relays"
        lead="Mail servers that canaries are sent through: yours, or your email provider’s. Other mail never uses them."
      >
        <button class="btn primary" type="button" onClick={() => setOpen({ what: "add" })}>
          Add relay
        </button>
      </SectionHead>
      <Reading reading={reading} what="the relays">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon="inbox" title="No relays yet">
              <p>Add the SMTP server that your app or newsletter tool sends through.</p>
            </EmptyState>
          ) : (
            <RelayTable relays={items} onOpen={setOpen} />
          )
        }
      </Reading>
      {open.what === "add" && <RelayDialog relay={null} onClose={close} onDone={reading.reload} />}
      {open.what === "edit" && <RelayDialog relay={open.relay} onClose={close} onDone={reading.reload} />}
      {open.what === "delete" && (
        <ConfirmDoing
          title={`Delete “${open.relay.name}”?`}
          action="Delete relay"
          act={() => call("DELETE /api/relays/:id", { params: { id: open.relay.id } })}
          done="Relay deleted."
          failed="Couldn’t delete the relay."
          onDone={reading.reload}
          onClose={close}
        >
          <p>Assay forgets its URL and password.</p>
        </ConfirmDoing>
      )}
    </>
  );
}

type TableProps = { readonly relays: readonly Relay[]; readonly onOpen: (open: Open) => void };

function RelayTable({ relays, onOpen }: TableProps) {
  return (
    <ActionTable caption="Relays" columns={["Name", "Server", "Sender"]}>
      {relays.map((relay) => (
        <RelayRow key={relay.id} relay={relay} onOpen={onOpen} />
      ))}
    </ActionTable>
  );
}

type RowProps = { readonly relay: Relay; readonly onOpen: TableProps["onOpen"] };

function RelayRow({ relay, onOpen }: RowProps) {
  const { id, name, url, hasLogin, mailFrom } = relay;
  const { isBusy, trouble, run } = useDoing();
  const [problem, setProblem] = useState<string | null>(null);
  const test = () =>
    run(async () => {
      setProblem(null);
      const tried = await call("POST /api/relays/:id/test", { params: { id } });
      setProblem(tried.problem);
      if (tried.works) sayDone(hasLogin ? `“${name}” accepts the login.` : `“${name}” can be reached.`);
    });
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-l="Server">
        <code>{url}</code>
        {(problem ?? trouble?.message) && (
          <ErrorNote title="The test failed." message={problem ?? trouble?.message ?? ""} />
        )}
      </td>
      <td data-l="Sender">{mailFrom}</td>
      <td class="num">
        <button class="btn small" type="button" disabled={isBusy} onClick={() => void test()}>
          {isBusy ? "Testing…" : "Test"}
          <span class="vh"> the relay {name}</span>
        </button>{" "}
        <button class="btn small" type="button" onClick={() => onOpen({ what: "edit", relay })}>
          Edit<span class="vh"> the relay {name}</span>
        </button>{" "}
        <button class="btn small danger" type="button" onClick={() => onOpen({ what: "delete", relay })}>
          Delete<span class="vh"> the relay {name}</span>
        </button>
      </td>
    </tr>
  );
}

type DialogProps = {
  readonly relay: Relay | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function RelayDialog({ relay, onClose, onDone }: DialogProps) {
  const { isBusy, trouble, run } = useDoing();
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const returnPath = text("returnPath") === "sender" ? ("sender" as const) : ("assay" as const);
    const body = { name: text("name"), url: text("url"), mailFrom: text("mailFrom"), returnPath };
    const isDone = await run(() =>
      relay === null
        ? call("POST /api/relays", { body })
        : call("PATCH /api/relays/:id", { params: { id: relay.id }, body }),
    );
    if (!isDone) return;
    onClose();
    onDone();
    sayDone(relay === null ? "Relay added." : "Relay saved.");
  };
  return (
    <Dialog title={relay === null ? "Add relay" : `Edit “${relay.name}”`} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <Field
          label="Name"
          name="name"
          required
          value={relay?.name ?? ""}
          error={troubleAt(trouble, "name")}
        />
        <Field
          label="Server"
          name="url"
          required
          autoComplete="off"
          value={relay?.url ?? ""}
          hint={
            relay === null
              ? "smtp://user:password@relay.example:587, or smtps:// for TLS from the start. Leave out the user and password if it needs none."
              : "The password is never shown. To change the server or the login, enter the whole URL again, with the password."
          }
          error={troubleAt(trouble, "url")}
        />
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
          fields={["name", "url", "mailFrom"]}
        />
        <FormActs action={relay === null ? "Add relay" : "Save"} isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
