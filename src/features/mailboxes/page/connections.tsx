// Connected seed mailboxes or alert channels.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toPlural } from "../../../web/client/words.ts";
import { Field } from "../../../web/parts/form.tsx";
import { ErrorNote } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Badge, type Tone } from "../../../web/parts/tone.tsx";
import { toProviderName } from "../../../web/report/placement-row.ts";
import { ConfirmDoing, FormDialog } from "../../../web/settings/parts.tsx";
import type { Integration } from "../contract/integrations.ts";
import { isOauthProvider, isPasswordProvider } from "../rules/list.ts";
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
      <Table
        look="fold conns"
        caption={
          <>{isMailbox ? toPlural(count, "mailbox", "mailboxes") : toPlural(count, "channel", "channels")} connected</>
        }
        columns={[isMailbox ? "Mailbox" : "Channel", isMailbox ? "Provider" : "Service", "Status", { vh: "Actions" }]}
      >
        {connections.map((connection) => (
          <ConnectionRow key={connection.id} connection={connection} onChanged={onChanged} />
        ))}
      </Table>
    </div>
  );
}

type RowProps = { readonly connection: Connection; readonly onChanged: () => void };

function ConnectionRow({ connection, onChanged }: RowProps) {
  const { account, connectedAt, server, seedProvider, label, reads } = connection;
  return (
    <tr>
      <th scope="row">
        <strong class="any">{account}</strong>
        <span class="label conn-where">
          {server === null ? "" : `${server.host}, port ${server.port}; `}
          {reads === "tests" && "new mail becomes tests; "}
          {connectedAt !== null && (
            <>
              connected <Moment time={connectedAt} />
            </>
          )}
        </span>
      </th>
      <td data-l={server === null ? "Service" : "Provider"}>
        {server === null ? label : seedProvider === null ? "This mailbox only" : toProviderName(seedProvider)}
      </td>
      <td data-l="Status">
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
        {isPasswordProvider(provider) && (
          <button class="btn small" type="button" onClick={() => setOpen("password")}>
            Change password <span class="vh">for {account}</span>
          </button>
        )}
        {isOauthProvider(provider) && isEnded && (
          <button
            class="btn small"
            type="button"
            disabled={isBusy}
            onClick={() => void run(() => leaveForConsent(provider))}
          >
            Reconnect <span class="vh">{account}</span>
          </button>
        )}
        <button class="btn small danger" type="button" onClick={() => setOpen("disconnect")}>
          Disconnect <span class="vh">{account}</span>
        </button>
      </div>
      {trouble !== null && <ErrorNote title="Couldn’t reconnect." message={trouble.message} />}
      {open === "password" && <NewPassword connection={connection} onClose={close} onChanged={onChanged} />}
      {open === "disconnect" && <Disconnect connection={connection} onClose={close} onChanged={onChanged} />}
    </>
  );
}

type OpenProps = RowProps & { readonly onClose: () => void };

function Disconnect({ connection, onClose, onChanged }: OpenProps) {
  const { id, account } = connection;
  return (
    <ConfirmDoing
      title={`Disconnect ${account}?`}
      action="Disconnect"
      act={() => call("DELETE /api/integrations/:id", { params: { id } })}
      done={`${account} disconnected.`}
      failed="Couldn’t disconnect."
      onDone={onChanged}
      onClose={onClose}
    >
      <p>{toLoss(connection)}</p>
    </ConfirmDoing>
  );
}

function toLoss({ provider, server, label }: Connection): string {
  if (server === null)
    return `Its alert and delivery log will be deleted, and the channel won’t get any more alerts. Assay also revokes its access to ${label}.`;
  const step = isPasswordProvider(provider) ? "deletes the password" : `revokes its access to ${label}`;
  return `Assay ${step} and stops reading the mailbox. New tests will only show predicted placement there. Existing results are kept.`;
}

// The status of a connection.

type StatusBadge = { readonly tone: Tone; readonly word: string };

const looks: Readonly<Record<NonNullable<Integration["status"]>, StatusBadge>> = {
  connecting: { tone: "info", word: "Connecting" },
  connected: { tone: "good", word: "Connected" },
  trouble: { tone: "minor", word: "Problem" },
  reconnect: { tone: "critical", word: "Reconnect needed" },
};

function ConnectionState({ connection }: { readonly connection: Integration }) {
  const { status, problem, statusSince, server } = connection;
  if (status === null) return null;
  const { tone, word } = looks[status];
  // A channel's status has no time.
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
        {status === "trouble" && (server === null ? <a href="/alerts">View alert</a> : "Assay will try again.")}
      </p>
    </div>
  );
}

const calm: Readonly<Record<NonNullable<Integration["status"]>, string>> = {
  connecting: "Logging in and listing folders.",
  connected: "",
  trouble: "The server isn’t responding as expected.",
  reconnect: "Access was lost.",
};

// For a mailbox whose password changed at the provider.

function NewPassword({ connection: { id, account }, onClose, onChanged }: OpenProps) {
  const send = (typed: FormData) => {
    const user = String(typed.get("user")).trim();
    const body = { password: String(typed.get("password")), ...(user !== "" && { user }) };
    return call("PATCH /api/integrations/:id", { params: { id }, body });
  };
  return (
    <FormDialog
      title={`New password for ${account}`}
      action="Save password"
      busyAction="Checking…"
      act={send}
      done={`Password for ${account} saved.`}
      failed="Couldn’t change the password."
      onDone={onChanged}
      onClose={onClose}
    >
      <p class="muted">Assay checks the new password before replacing the old one.</p>
      <Field
        label="Username, if it changed"
        name="user"
        autoComplete="off"
        hint={`If the server’s secret key was lost, enter it unless it is ${account}.`}
      />
      <Field label="Password" name="password" type="password" autoComplete="new-password" required />
    </FormDialog>
  );
}
