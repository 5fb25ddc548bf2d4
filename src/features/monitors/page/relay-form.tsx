// Adds or edits a relay. Its URL is written from separate fields, because passwords contain characters that a URL can't.

import { useState } from "preact/hooks";
import { call, Trouble } from "../../../web/client/call.ts";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { Field, FormActs } from "../../../web/parts/form.tsx";
import { sayDone } from "../../../web/parts/states.tsx";
import { SelectField, TroubleNote } from "../../../web/settings/parts.tsx";
import type { Relay } from "../contract/relays.ts";

type Server = {
  readonly host: string;
  readonly port: string;
  readonly scheme: "smtp" | "smtps";
  readonly user: string;
};

const usual: Server = { host: "", port: "587", scheme: "smtp", user: "" };
const usualPorts = { smtp: "587", smtps: "465" } as const;

/** `url`: without its password. */
export function readServer(url: string): Server {
  const parsed = URL.parse(url);
  if (parsed === null) return usual;
  const scheme = parsed.protocol === "smtps:" ? "smtps" : "smtp";
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: parsed.port === "" ? usualPorts[scheme] : parsed.port,
    scheme,
    user: decodeURIComponent(parsed.username),
  };
}

const wrongHost = /[\s/?#@[\]\\]/;
const ipv6 = /^[\da-f.]*:[\da-f.:]*:[\da-f.]*$/i;

function toUrl({ host, port, scheme, user }: Server, password: string): string {
  if (wrongHost.test(host)) throw wrong("host", "Enter a host name, such as smtp.example.com.");
  if (host.includes(":") && !ipv6.test(host))
    throw wrong("host", "Enter only the host name here, and the port in its own field.");
  if (user === "" && password !== "") throw wrong("user", "Enter a username for the password.");
  if (user !== "" && password === "") throw wrong("password", "Enter the password.");
  const login = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `${scheme}://${login}${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function wrong(field: string, message: string): Trouble {
  return new Trouble(message, { code: "invalid_request", field });
}

type DialogProps = {
  readonly relay: Relay | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
};

export function RelayDialog({ relay, onClose, onSaved }: DialogProps) {
  const { isBusy, trouble, run } = useDoing();
  const known = relay === null ? usual : readServer(relay.url);
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const isDone = await run(async () => {
      const body = readForm(form, relay, known);
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

function readForm(form: FormData, relay: Relay | null, known: Server) {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const scheme = text("scheme") === "smtps" ? "smtps" : "smtp";
  const server: Server = { host: text("host"), port: text("port"), scheme, user: text("user") };
  const password = String(form.get("password") ?? "");
  const isSame = JSON.stringify(server) === JSON.stringify(known) && password === "";
  const returnPath = text("returnPath") === "sender" ? ("sender" as const) : ("assay" as const);
  const url = relay !== null && isSame ? relay.url : toUrl(server, password);
  return { name: text("name"), url, mailFrom: text("mailFrom"), returnPath };
}

type ServerProps = { readonly known: Server; readonly isNew: boolean; readonly trouble: Trouble | null };

function ServerFields({ known, isNew, trouble }: ServerProps) {
  const [scheme, setScheme] = useState(known.scheme);
  return (
    <>
      <Field
        label="Server"
        name="host"
        required
        autoComplete="off"
        value={known.host}
        hint="Its host name, such as smtp.example.com."
        error={troubleAt(trouble, "host") ?? troubleAt(trouble, "url")}
      />
      <div class="field">
        <label for="relay-scheme">Encryption</label>
        <select
          class="input"
          id="relay-scheme"
          name="scheme"
          value={scheme}
          onChange={(event) => setScheme(event.currentTarget.value === "smtps" ? "smtps" : "smtp")}
        >
          <option value="smtp">STARTTLS (usual)</option>
          <option value="smtps">TLS from the start</option>
        </select>
        <span class="hint">With a password, an encrypted connection is required.</span>
      </div>
      <Field
        key={scheme}
        label="Port"
        name="port"
        type="number"
        min="1"
        max="65535"
        required
        value={scheme === known.scheme ? known.port : usualPorts[scheme]}
      />
      <Field
        label="Username (optional)"
        name="user"
        autoComplete="off"
        value={known.user}
        error={troubleAt(trouble, "user")}
      />
      <Field
        label="Password (optional)"
        name="password"
        type="password"
        autoComplete="new-password"
        hint={
          isNew
            ? "Stored encrypted and never shown again. Leave both empty if the server needs no login."
            : "Leave it empty to keep the current one. To change the server or the username, enter it again."
        }
        error={troubleAt(trouble, "password")}
      />
    </>
  );
}
