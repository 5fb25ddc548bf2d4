// The fields of a mail server that messages are sent through. Its URL is written from them, because passwords contain
// characters that a URL can't.

import { useState } from "preact/hooks";
import { decodeEscapes } from "../../analyzer/mail/urls/percent.ts";
import { Trouble } from "../client/call.ts";
import { Field } from "../parts/form.tsx";

type SmtpServer = {
  readonly host: string;
  readonly port: string;
  readonly scheme: "smtp" | "smtps";
  readonly user: string;
};

export const usualServer: SmtpServer = { host: "", port: "587", scheme: "smtp", user: "" };
const usualPorts = { smtp: "587", smtps: "465" } as const;

/** `url`: without its password. */
export function readServer(url: string): SmtpServer {
  const parsed = URL.parse(url);
  if (parsed === null) return usualServer;
  const scheme = parsed.protocol === "smtps:" ? "smtps" : "smtp";
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: parsed.port === "" ? usualPorts[scheme] : parsed.port,
    scheme,
    user: decodeEscapes(parsed.username),
  };
}

const wrongHost = /[\s/?#@[\]\\]/;
const ipv6 = /^[\da-f.]*:[\da-f.:]*:[\da-f.]*$/i;

function toUrl({ host, port, scheme, user }: SmtpServer, password: string): string {
  if (wrongHost.test(host)) throw wrong("url", "Enter a host name, such as smtp.example.com.");
  if (host.includes(":") && !ipv6.test(host))
    throw wrong("url", "Enter only the host name here, and the port in its own field.");
  if (user === "" && password !== "") throw wrong("user", "Enter a username for the password.");
  if (user !== "" && password === "") throw wrong("password", "Enter the password.");
  const login = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `${scheme}://${login}${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** `known`: its URL without the password, which stays if nothing was typed. */
export function readForm(form: FormData, known: string | null): string {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const scheme = text("scheme") === "smtps" ? "smtps" : "smtp";
  const server: SmtpServer = { host: text("url"), port: text("port"), scheme, user: text("user") };
  const password = String(form.get("password") ?? "");
  const isSame = password === "" && known !== null && JSON.stringify(server) === JSON.stringify(readServer(known));
  return isSame ? known : toUrl(server, password);
}

function wrong(field: string, message: string): Trouble {
  return new Trouble(message, { code: "invalid_request", field });
}

type ServerProps = { readonly known: SmtpServer; readonly isNew: boolean; readonly isOptional?: boolean };

/** The host name's field is `url`, because the API refuses that. */
export function ServerFields({ known, isNew, isOptional = false }: ServerProps) {
  const [scheme, setScheme] = useState(known.scheme);
  return (
    <div class="field-row">
      <Field
        label="Server"
        name="url"
        required={!isOptional}
        autoComplete="off"
        value={known.host}
        hint={`Its host name, such as smtp.example.com.${isOptional ? " Leave it empty to send no email." : ""}`}
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
      <Field label="Username (optional)" name="user" autoComplete="off" value={known.user} />
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
      />
    </div>
  );
}
