// What the workspace is connected to: seed mailboxes, or channels for alerts.

import { useState } from "preact/hooks";
import { useDoing } from "../client/doing.ts";
import { toPlural } from "../client/words.ts";
import { Moment } from "../parts/moment.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { toProviderName } from "../report/placement-row.ts";
import { leaveForConsent } from "./consent.ts";
import { Disconnect } from "./disconnect.tsx";
import { NewPassword } from "./new-password.tsx";
import type { Connection } from "./rows.ts";
import { ConnectionState } from "./state.tsx";

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
