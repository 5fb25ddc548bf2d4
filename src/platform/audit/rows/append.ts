// Appends entries to their chains. Only in a write, and as its last step: the row of the chain's head is locked from here
// to the commit, so that several processes append one after another, and no lock is taken after it.

import type { Db } from "../../database/schema.ts";
import { type AuditRow, hashEntry, noHash, serverChain, toStorable } from "../rules/entry.ts";
import type { AuditHeadsTable } from "./tables.ts";

export type NewEntry = Omit<AuditRow, "chain" | "seq">;

export async function appendEntry(db: Db, chains: readonly string[], entry: NewEntry): Promise<void> {
  await appendEntries(db, [{ chains, entry }]);
}

export type Addition = { readonly chains: readonly string[]; readonly entry: NewEntry };

/** In the order of their names and the server's last, because two writes in different orders would wait for each other. */
export async function appendEntries(db: Db, additions: readonly Addition[]): Promise<void> {
  const all = new Set(additions.flatMap(({ chains }) => chains));
  const workspaces = [...all].filter((chain) => chain !== serverChain).sort();
  const begun: NewEntry[] = [];
  for (const chain of workspaces)
    for (const { chains, entry } of additions)
      if (chains.includes(chain) && (await appendTo(db, chain, entry))) begun.push(await toBeginning(db, chain, entry));
  // Recorded with the server, so that the removal of a whole chain is noticed too.
  for (const beginning of begun) await appendTo(db, serverChain, beginning);
  for (const { chains, entry } of additions) if (chains.includes(serverChain)) await appendTo(db, serverChain, entry);
}

/** True if the chain had no head. */
async function appendTo(db: Db, chain: string, entry: NewEntry): Promise<boolean> {
  const known = await advance(db, chain);
  const { head, isNew } = known ? { head: known, isNew: false } : await begin(db, chain);
  const row: AuditRow = { chain, seq: head.seq, ...toStored(entry) };
  const hash = hashEntry(head.hash, row);
  await db
    .insertInto("audit_log")
    .values({ ...row, hash })
    .execute();
  await db.updateTable("audit_heads").set({ hash }).where("chain", "=", chain).execute();
  return isNew;
}

type Head = Pick<AuditHeadsTable, "seq" | "hash">;

/** Locks the head. PostgreSQL reads it again after it waited for another process. */
async function advance(db: Db, chain: string): Promise<Head | undefined> {
  return await db
    .updateTable("audit_heads")
    .set((row) => ({ seq: row("seq", "+", 1) }))
    .where("chain", "=", chain)
    .returning(["seq", "hash"])
    .executeTakeFirst();
}

/** Also after someone removed the head: changes go on, and the second beginning in the server's log shows it. */
async function begin(db: Db, chain: string): Promise<{ readonly head: Head; readonly isNew: boolean }> {
  const last = await db
    .selectFrom("audit_log")
    .select(["seq", "hash"])
    .where("chain", "=", chain)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const { seq, hash } = last ?? { seq: 0, hash: noHash };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("audit_heads")
    .values({ chain, seq, hash, trimmed_seq: 0, trimmed_hash: noHash, sent_seq: 0 })
    .onConflict((conflict) => conflict.column("chain").doNothing())
    .executeTakeFirstOrThrow();
  const head = await advance(db, chain);
  if (head === undefined) throw new Error("The head of an audit chain is missing.");
  // Another process may have begun it meanwhile.
  return { head, isNew: numInsertedOrUpdatedRows === 1n };
}

/** Names are what people typed, and a header is what a stranger sent. */
function toStored(entry: NewEntry): NewEntry {
  const store = (text: string | null) => (text === null ? null : toStorable(text));
  return {
    ...entry,
    actor_id: store(entry.actor_id),
    actor_name: store(entry.actor_name),
    actor_email: store(entry.actor_email),
    object_id: store(entry.object_id),
    object_name: store(entry.object_name),
    address: store(entry.address),
  };
}

/** What Assay did itself, on no object. Other entries say what is different. */
export const bySystem = {
  actor_type: "system",
  actor_id: null,
  actor_name: null,
  actor_email: null,
  object_kind: null,
  object_id: null,
  object_name: null,
  outcome: "done",
  times: 1,
  address: null,
} as const satisfies Partial<NewEntry>;

/** With the workspace's name as it is now, or as the entry has it if that removes the workspace. */
async function toBeginning(db: Db, chain: string, entry: NewEntry): Promise<NewEntry> {
  const workspace = await db.selectFrom("workspaces").select("name").where("id", "=", chain).executeTakeFirst();
  const isRemoved = entry.object_kind === "workspace" && entry.object_id === chain;
  return {
    ...bySystem,
    at: entry.at,
    action: "audit.start",
    object_kind: "workspace",
    object_id: chain,
    object_name: workspace?.name ?? (isRemoved ? entry.object_name : null),
    details: "{}",
  };
}
