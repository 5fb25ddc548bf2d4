// The form for a mailbox with a password. The server logs in right away. If that fails, the form shows its error and keeps
// the input.

import { useState } from "preact/hooks";
import { passwordMailboxes, providerOptions } from "../../../analyzer/words/provider-words.ts";
import { call, type Trouble } from "../../../web/client/call.ts";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { Choice, Field, FormActs } from "../../../web/parts/form.tsx";
import { ErrorNote, sayDone } from "../../../web/parts/states.tsx";
import { Away } from "../../../web/parts/text.tsx";
import { SelectField } from "../../../web/settings/parts.tsx";
import type { WantedMailbox } from "../contract/mailboxes.ts";

/** A mailbox provider: its server and the type of password it takes. */
type MailboxPlace = {
  readonly value: string;
  readonly label: string;
  /** Null: the reader enters it. */
  readonly server: { readonly host: string; readonly port: number } | null;
  readonly password: string;
  readonly page: { readonly url: string; readonly name: string } | null;
};

const another: MailboxPlace = {
  value: "other",
  label: "Other",
  server: null,
  password: "Use the mailbox password, or an app password if the provider offers them.",
  page: null,
};

const mailboxPlaces: readonly MailboxPlace[] = [
  ...passwordMailboxes.map((mailbox) => ({ ...mailbox, value: mailbox.server.host })),
  another,
];

/** Default ports (RFC 8314 §3.3, RFC 9051 §2.1). */
const usualPorts = { tls: 993, starttls: 143 } as const;
type Security = keyof typeof usualPorts;

type ConnectMailboxProps = { readonly onClose: () => void; readonly onChanged: () => void };

export function ConnectMailbox({ onClose, onChanged }: ConnectMailboxProps) {
  const { isBusy, trouble, run, forget } = useDoing();
  const [placeName, setPlaceName] = useState(mailboxPlaces[0]?.value ?? another.value);
  const [security, setSecurity] = useState<Security>("tls");
  const [reads, setReads] = useState<Use>("placement");
  const place = mailboxPlaces.find(({ value }) => value === placeName) ?? another;
  const choosePlace = (name: string) => {
    forget();
    setPlaceName(name);
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = toWanted(new FormData(event.currentTarget as HTMLFormElement), place, security);
    const body = { ...typed, reads };
    const connect = () => call("POST /api/integrations/imap", { body });
    if (!(await run(connect))) return;
    onClose();
    onChanged();
    sayDone(`${body.address ?? body.user} connected.`);
  };
  return (
    <Dialog title="Connect mailbox" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <div class="field">
          <span class="as-label">Provider</span>
          <Choice legend="Provider" options={mailboxPlaces} value={placeName} onChoose={choosePlace} />
        </div>
        {trouble !== null && !isBesideField(trouble, place) && (
          <ErrorNote title="Couldn’t connect the mailbox." message={trouble.message} />
        )}
        {place.server === null && <ServerFields trouble={trouble} security={security} onSecurity={setSecurity} />}
        <LoginFields place={place} trouble={trouble} />
        <div class="field">
          <span class="as-label">Use it to</span>
          <Choice legend="Use it to" options={uses} value={reads} onChoose={setReads} />
          <span class="hint">{useHints[reads]}</span>
        </div>
        <FormActs action="Connect mailbox" busyAction="Connecting…" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

type Use = NonNullable<WantedMailbox["reads"]>;

const uses = [
  { value: "placement", label: "See placement" },
  { value: "tests", label: "Test new mail" },
] as const;

const useHints: Readonly<Record<Use, string>> = {
  placement: "Reports show which folder your message landed in.",
  tests: "Each new message in the inbox or spam folder becomes a test. For servers that can’t receive mail on port 25.",
};

type LoginFieldsProps = { readonly place: MailboxPlace; readonly trouble: Trouble | null };

function LoginFields({ place: { server, password, page }, trouble }: LoginFieldsProps) {
  const passwordHint = (
    <>
      {password} {page !== null && <Away url={page.url}>{page.name}</Away>}
    </>
  );
  return (
    <>
      <Field
        label={server === null ? "Username" : "Email address"}
        name="user"
        autoComplete="off"
        required
        hint={server === null ? "Usually your email address." : `Connects to ${server.host} over TLS.`}
        error={troubleAt(trouble, "user")}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        hint={passwordHint}
        error={troubleAt(trouble, "password")}
      />
      {server === null && <RareFields trouble={trouble} />}
    </>
  );
}

const loginFields = ["user", "password"];
const serverFields = ["host", "port", "address"];

function isBesideField({ field }: Trouble, { server }: MailboxPlace): boolean {
  if (field === null) return false;
  return loginFields.includes(field) || (server === null && serverFields.includes(field));
}

function toWanted(typed: FormData, { server }: MailboxPlace, security: Security): WantedMailbox {
  const read = (name: string) => String(typed.get(name) ?? "").trim();
  const login = { user: read("user"), password: String(typed.get("password") ?? "") };
  if (server !== null) return { ...server, tls: true, ...login };
  const [port, address, provider] = [read("port"), read("address"), read("provider")];
  return {
    host: read("host"),
    port: port === "" ? usualPorts[security] : Number(port),
    tls: security === "tls",
    ...login,
    address: address === "" ? undefined : address,
    ...toProvider(provider),
  };
}

/** Without it, the host name decides. Null: placement in this mailbox only. */
function toProvider(chosen: string): Pick<WantedMailbox, "provider"> {
  if (chosen === "") return {};
  return { provider: chosen === "own" ? null : (chosen as WantedMailbox["provider"]) };
}

const securities = [
  { value: "tls", label: "TLS" },
  { value: "starttls", label: "STARTTLS" },
] as const;

type ServerFieldsProps = {
  readonly trouble: Trouble | null;
  readonly security: Security;
  readonly onSecurity: (security: Security) => void;
};

/** For a provider that isn't in the list. */
function ServerFields({ trouble, security, onSecurity }: ServerFieldsProps) {
  return (
    <>
      <Field
        label="IMAP server"
        name="host"
        autoComplete="off"
        required
        hint="For example, imap.example.com."
        error={troubleAt(trouble, "host")}
      />
      <div class="grid g2 mailbox-port">
        <div class="field">
          <span class="as-label">Encryption</span>
          <Choice legend="Encryption" options={securities} value={security} onChoose={onSecurity} />
        </div>
        <Field
          label="Port"
          name="port"
          type="number"
          min="1"
          max="65535"
          hint={`Default: ${usualPorts[security]}.`}
          error={troubleAt(trouble, "port")}
        />
      </div>
    </>
  );
}

/** Rarely needed. */
function RareFields({ trouble }: { readonly trouble: Trouble | null }) {
  return (
    <details open={trouble?.field === "address"}>
      <summary>Advanced</summary>
      <div class="stack mt-3">
        <Field
          label="Email address (if it isn’t the username)"
          name="address"
          type="email"
          autoComplete="off"
          error={troubleAt(trouble, "address")}
        />
        <SelectField
          label="Shows placement at"
          name="provider"
          hint="Reports compare the placement in this mailbox with the prediction for that provider."
          options={shownProviders}
        />
      </div>
    </details>
  );
}

const shownProviders = [
  { value: "", label: "Detect from the server name" },
  ...providerOptions,
  { value: "own", label: "This mailbox only" },
];
