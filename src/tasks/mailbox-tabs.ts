// The tab of Gmail's inbox that a message is in: no label and no folder, but its own search knows.

import { setTimeout as pause } from "node:timers/promises";
import { gmailCategories } from "../reports/folder-names-table.ts";
import type { Sighting } from "../reports/sighting.ts";
import type { MailboxConnection } from "./mailbox-connection.ts";

export type Tab = Pick<Sighting, "folder" | "folderName">;

const bounds = { timeoutMs: 30_000, bytes: 65_536 };
/** The search learns of a message a moment after the folder does. */
const indexPauseMs = 1_500;
const maxAsks = 3;

/** What no category takes is not in the answer. */
export async function readTabs(
  connection: MailboxConnection,
  path: string,
  uids: readonly number[],
): Promise<ReadonlyMap<number, Tab>> {
  const tabs = new Map<number, Tab>();
  if (!connection.has("X-GM-EXT-1")) return tabs;
  for (let ask = 1; ask <= maxAsks && tabs.size < uids.length; ask++) {
    if (ask > 1) await pause(indexPauseMs, undefined, { ref: false });
    const open = new Set(uids.filter((uid) => !tabs.has(uid)));
    for (const { query, folder, name } of gmailCategories)
      for (const uid of await search(connection, [...open], query))
        if (open.delete(uid)) tabs.set(uid, { folder, folderName: `${path} (${name})` });
  }
  return tabs;
}

async function search(
  connection: MailboxConnection,
  uids: readonly number[],
  query: string,
): Promise<number[]> {
  if (uids.length === 0) return [];
  const found = await connection.run(bounds, (client) =>
    client.search({ uid: uids.join(","), gmraw: query }, { uid: true }),
  );
  return found || [];
}
