// What the workspace is connected to: seed mailboxes, or channels for alerts.

import { useState } from "preact/hooks";
import type { Integration } from "../../api/integrations.ts";
import { call } from "../client/call.ts";
import { troubleAt, useDoing } from "../client/use-action.ts";
import { toPlural } from "../client/words.ts";
import { Confirm, Dialog } from "../parts/dialog.tsx";
import { Field, FormActs } from "../parts/form.tsx";
import { ErrorNote, sayDone } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import { Badge, type Tone } from "../parts/tone.tsx";
import { toProviderName } from "../report/placement-row.ts";
import { type Connection, leaveForConsent } from "./rows.ts";

type ConnectionsProps = {
  readonly kind: "mailbox" | "channel";
  readonly connections: readonly Connection[];
  readonly onChanged: () => void;
};

export function Connections({ kind, connections, onChanged }: ConnectionsProps) {
  if (connections.length === 0) return null;
  const isMailbox = kind === "mailbox";
  const count = connections.length;
  return (
    <div class="card flush mb-4">
      <table class="table fold conns">
        <caption>
          {isMailbox ? toPlural(count, "mailbox", "mailboxes") : toPlural(count, "channel", "channels")}{" "}
          connected
        </caption>
        <thead>
          <tr>
            <th scope="col">{isMailbox ? "Mailbox" : "Channel"}</th>
            <th scope="col">{isMailbox ? "Shows placement at" : "Service"}</th>
            <th scope="col">State</th>
            <th scope="col">
              <span class="vh">What to do with it</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {connections.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} onChanged={onChanged} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = { readonly connection: Connection; readonly onChanged: () => void };

function ConnectionRow({ connection, onChanged }: RowProps) {
  const { account, connectedAt, server, seedProvider, label } = connection;
  return (
    <tr>
      <th scope="row">
        <strong class="any">{account}</strong>
        <span class="label conn-where">
          {server === null ? "" : `${server.host}, port ${server.port}; `}
          {connectedAt !== null && (
            <>
              connected <Moment time={connectedAt} />
            </>
          )}
        </span>
      </th>
      <td data-l={server === null ? "Service" : "Shows"}>
        {server === null ? label : seedProvider === null ? "itself alone" : toProviderName(seedProvider)}
      </td>
      <td data-l="State">
        <ConnectionState connection={connection} />
      </td>
      <td>
        <ConnectionActions connection={connection} onChanged={onChanged} />
      </td>
    </tr>
  );
}

function ConnectionActions({ connection, onChanged }: RowProps) {
  const [open, setOpen] = useState<"password" | "disconnect" | null>(null);
  const { isBusy, trouble, run } = useDoing();
  const { provider, account, status, server } = connection;
  const close = () => setOpen(null);
  const isEnded = status === "reconnect" || (server === null && status === "trouble");
  return (
    <>
      <div class="row conn-acts">
        {provider === "imap" && (
          <button class="btn small" type="button" onClick={() => setOpen("password")}>
            New password <span class="vh">for {account}</span>
          </button>
        )}
        {provider !== "imap" && isEnded && (
          <button
            class="btn small"
            type="button"
            disabled={isBusy}
            onClick={() => void run(() => leaveForConsent(provider))}
          >
            Connect again <span class="vh">{account}</span>
          </button>
        )}
        <button class="btn small danger" type="button" onClick={() => setOpen("disconnect")}>
          Disconnect <span class="vh">{account}</span>
        </button>
      </div>
      {trouble !== null && <ErrorNote title="It cannot be connected now." message={trouble.message} />}
      {open === "password" && <NewPassword connection={connection} onClose={close} onChanged={onChanged} />}
      {open === "disconnect" && <Disconnect connection={connection} onClose={close} onChanged={onChanged} />}
    </>
  );
}

type DisconnectProps = {
  readonly connection: Connection;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

function Disconnect({ connection, onClose, onChanged }: DisconnectProps) {
  const { isBusy, trouble, run } = useDoing();
  const { id, account } = connection;
  const disconnect = async () => {
    if (!(await run(() => call("DELETE /api/integrations/:id", { params: { id } })))) return;
    onClose();
    onChanged();
    sayDone(`${account} is disconnected.`);
  };
  return (
    <Confirm
      title={`Disconnect ${account}?`}
      action="Disconnect"
      isBusy={isBusy}
      onClose={onClose}
      onConfirm={() => void disconnect()}
    >
      <p>{toLoss(connection)}</p>
      {trouble !== null && <ErrorNote title="It is still connected." message={trouble.message} />}
    </Confirm>
  );
}

function toLoss({ provider, server, label }: Connection): string {
  if (server === null)
    return `Its alert webhook goes too, with its list of deliveries: no alert reaches the channel any more. Assay gives back what ${label} gave it.`;
  const key = provider === "imap" ? "its password" : `the consent that ${label} gave`;
  return `Assay deletes ${key} and reads the mailbox no more, so that new tests are only predicted there. What was seen in it stays with its tests.`;
}

// How a connection fares, in a word with its shape, and since when.

type StatusBadge = { readonly tone: Tone; readonly word: string };

const looks: Readonly<Record<NonNullable<Integration["status"]>, StatusBadge>> = {
  connecting: { tone: "info", word: "Connecting" },
  connected: { tone: "good", word: "Works" },
  trouble: { tone: "minor", word: "Trouble" },
  reconnect: { tone: "critical", word: "Needs you" },
};

function ConnectionState({ connection }: { readonly connection: Integration }) {
  const { status, problem, statusSince, server } = connection;
  if (status === null) return null;
  const { tone, word } = looks[status];
  // Of a channel only its webhook knows.
  const since = server === null ? null : statusSince;
  return (
    <div class="conn-state">
      <Badge tone={tone}>{word}</Badge>
      <p class="small">
        {problem ?? calm[status]}{" "}
        {since !== null && status !== "connecting" && (
          <span class="faint">
            Since <Moment time={since} />.
          </span>
        )}{" "}
        {status === "trouble" &&
          (server === null ? <a href="/alerts">Look at its webhook</a> : "Assay tries again by itself.")}
      </p>
    </div>
  );
}

const calm: Readonly<Record<NonNullable<Integration["status"]>, string>> = {
  connecting: "Assay logs in and reads its list of folders.",
  connected: "",
  trouble: "It does not answer as it should.",
  reconnect: "Connect it again.",
};

// A mailbox whose password was changed at its provider.

type NewPasswordProps = {
  readonly connection: Connection;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

function NewPassword({ connection: { id, account }, onClose, onChanged }: NewPasswordProps) {
  const { isBusy, trouble, run } = useDoing();
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    const body = { password: String(typed.get("password")) };
    if (!(await run(() => call("PATCH /api/integrations/:id", { params: { id }, body })))) return;
    onClose();
    onChanged();
    sayDone(`${account} has its new password.`);
  };
  return (
    <Dialog title={`New password for ${account}`} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <p class="muted">Assay logs in with it at once. One that does not work changes nothing.</p>
        {trouble !== null && trouble.field !== "password" && (
          <ErrorNote title="The password was not changed." message={trouble.message} />
        )}
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          error={troubleAt(trouble, "password")}
        />
        <FormActs action="Save the password" busyAction="Logging in …" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
