import { ask } from "../client/ask.ts";
import { useDoing } from "../client/doing.ts";
import { Confirm } from "../parts/dialog.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { sayDone } from "../parts/toast.tsx";
import type { Connection } from "./rows.ts";

type DisconnectProps = {
  readonly connection: Connection;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

export function Disconnect({ connection, onClose, onChanged }: DisconnectProps) {
  const { isBusy, trouble, run } = useDoing();
  const { id, account } = connection;
  const disconnect = async () => {
    if (!(await run(() => ask("DELETE", `/api/integrations/${id}`)))) return;
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
