// While a test waits to be seen, its workspace's mailboxes are looked at more often. That there is a test is told by the
// database and not by this process's intake: another process may have taken it in, or this one before it was restarted.

import { readNewestTests } from "../store/mailboxes.ts";
import type { Db } from "../store/schema.ts";
import type { MailboxOrder } from "./mailbox-words.ts";

/** `name`: as the thread knows it. */
export type Hurrying = { readonly name: string; readonly workspaceId: string };

export type MailboxHurry = {
  readonly look: (db: Db, mailboxes: readonly Hurrying[], now: number) => Promise<void>;
  /** It is watched from now on. */
  readonly join: (mailbox: Hurrying, now: number) => void;
};

const hurryMs = 600_000;
/** Mail that comes by the second is not told by the second. */
const tellEveryMs = 60_000;

export function createMailboxHurry(order: (order: MailboxOrder) => void): MailboxHurry {
  const untilOf = new Map<string, number>();
  return {
    look: async (db, mailboxes, now) => {
      const byWorkspace = Map.groupBy(mailboxes, ({ workspaceId }) => workspaceId);
      for (const id of [...untilOf.keys()]) if (!byWorkspace.has(id)) untilOf.delete(id);
      for (const [id, receivedAt] of await readNewestTests(db, [...byWorkspace.keys()])) {
        // One that lies ahead is of a clock that was set back since.
        const until = Math.min(receivedAt, now) + hurryMs;
        const told = untilOf.get(id) ?? 0;
        if (until <= now || (told > now && until - told < tellEveryMs)) continue;
        untilOf.set(id, until);
        const names = (byWorkspace.get(id) ?? []).map(({ name }) => name);
        order({ order: "hurry", ids: names, until });
      }
    },
    join: ({ name, workspaceId }, now) => {
      const until = untilOf.get(workspaceId) ?? 0;
      if (until > now) order({ order: "hurry", ids: [name], until });
    },
  };
}
