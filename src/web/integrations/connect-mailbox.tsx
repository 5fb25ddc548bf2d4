// The form for a mailbox with a password. The server logs in at once: what does not work is refused in its words, and what was typed
// stays.

import { useState } from "preact/hooks";
import type { Integration } from "../../api/integrations.ts";
import type { WantedMailbox } from "../../api/mailboxes.ts";
import { ask, type Trouble } from "../client/ask.ts";
import { troubleAt, useDoing } from "../client/doing.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Choice, Field } from "../parts/field.tsx";
import { FormActs } from "../parts/form-acts.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { sayDone } from "../parts/toast.tsx";
import { Away } from "../parts/words.tsx";
import {
  type MailboxPlace,
  type MailboxPlaceName,
  mailboxPlaces,
  type Security,
  usualPorts,
} from "./mailbox-places.ts";
import { RareFields, ServerFields } from "./server-fields.tsx";

type ConnectMailboxProps = { readonly onClose: () => void; readonly onChanged: () => void };

export function ConnectMailbox({ onClose, onChanged }: ConnectMailboxProps) {
  const { isBusy, trouble, run, forget } = useDoing();
  const [placeName, setPlaceName] = useState<MailboxPlaceName>("gmail");
  const [security, setSecurity] = useState<Security>("tls");
  const place: MailboxPlace = mailboxPlaces.find(({ value }) => value === placeName) ?? mailboxPlaces[0];
  const choosePlace = (name: MailboxPlaceName) => {
    forget();
    setPlaceName(name);
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const body = toWanted(new FormData(event.currentTarget as HTMLFormElement), place, security);
    const connect = () => ask<Integration>("POST", "/api/integrations/imap", { body });
    if (!(await run(connect))) return;
    onClose();
    onChanged();
    sayDone(`${body.address ?? body.user} is connected.`);
  };
  return (
    <Dialog title="Connect a mailbox" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <div class="field">
          <span class="as-label">Where is the mailbox?</span>
          <Choice
            legend="Where is the mailbox?"
            options={mailboxPlaces}
            value={placeName}
            onChoose={choosePlace}
          />
        </div>
        {trouble !== null && !isBesideField(trouble, place) && (
          <ErrorNote title="The mailbox was not connected." message={trouble.message} />
        )}
        {place.server === null && (
          <ServerFields trouble={trouble} security={security} onSecurity={setSecurity} />
        )}
        <LoginFields place={place} trouble={trouble} />
        <FormActs action="Connect the mailbox" busyAction="Logging in …" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

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
        label={server === null ? "User name" : "Its address"}
        name="user"
        autoComplete="off"
        required
        hint={server === null ? "Mostly the address itself." : `Read at ${server.host}, encrypted.`}
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
const serverFields = ["host", "port", "provider", "address"];

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
    ...(address === "" ? {} : { address }),
    ...toProvider(provider),
  };
}

/** Left out, the server's name says it; null is for a mailbox that shows its own placement alone. */
function toProvider(chosen: string): Pick<WantedMailbox, "provider"> {
  if (chosen === "") return {};
  return { provider: chosen === "own" ? null : (chosen as WantedMailbox["provider"]) };
}
