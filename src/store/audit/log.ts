// Reads, verifies and trims the audit log.

import { type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { type AuditRow, hashEntry, noHash, serverChain } from "../../audit/entry.ts";
import type { AuditHeadsTable, AuditLogTable } from "../schema/audit.ts";
import type { Db, Schema } from "../schema/schema.ts";
import type { Scope } from "../scope.ts";
import { unscoped } from "../scope.ts";
import { appendEntry, bySystem } from "./append.ts";

/** A chain as a caller may read it. */
export type AuditChain = { readonly db: Db; readonly chain: string };

export function chainOf(scope: Scope): AuditChain {
  return { db: unscoped(scope), chain: scope.workspaceId };
}

export type AuditFilter = {
  /** An ID, or a part of a name or an email address. */
  readonly actor?: string | undefined;
  /** An action, or a group such as `token`. */
  readonly action?: string | undefined;
  /** An ID, a kind, or a part of a name. */
  readonly object?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Anywhere in names, addresses and details. */
  readonly text?: string | undefined;
};

export type AuditPage = {
  readonly limit: number;
  readonly offset?: number;
  /** Entries before this one. */
  readonly before?: number | undefined;
};

export async function listEntries(
  { db, chain }: AuditChain,
  filter: AuditFilter,
  { limit, offset = 0, before }: AuditPage,
): Promise<AuditLogTable[]> {
  return await db
    .selectFrom("audit_log")
    .selectAll()
    .where("chain", "=", chain)
    .where((where) => matching(where, filter))
    .$if(before !== undefined, (query) => query.where("seq", "<", before ?? 0))
    .orderBy("seq", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Counts up to `most`. */
export async function countEntries(
  { db, chain }: AuditChain,
  filter: AuditFilter,
  most: number,
): Promise<number> {
  const some = db
    .selectFrom("audit_log")
    .select("seq")
    .where("chain", "=", chain)
    .where((where) => matching(where, filter))
    .limit(most);
  const { count } = await db
    .selectFrom(some.as("some"))
    .select((row) => row.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const likeSigns = /[\\%_]/g;
const actionWord = /^[a-z-]+(?:\.[a-z-]+)?$/;

function matching(where: ExpressionBuilder<Schema, "audit_log">, filter: AuditFilter) {
  const { actor, action, object, since, until, text } = filter;
  const contains = (columns: readonly (keyof AuditLogTable)[], part: string) => {
    const pattern = `%${part.toLowerCase().replace(likeSigns, (sign) => `\\${sign}`)}%`;
    return where.or(
      columns.map(
        (column) => sql<SqlBool>`lower(coalesce(${sql.ref(column)}, '')) like ${pattern} escape '\\'`,
      ),
    );
  };
  const named = (
    ids: readonly (keyof AuditLogTable)[],
    names: readonly (keyof AuditLogTable)[],
    part: string,
  ) => where.or([contains(names, part), ...ids.map((column) => where(column, "=", part))]);
  const conditions = [
    ...(actor === undefined ? [] : [named(["actor_id"], ["actor_name", "actor_email"], actor)]),
    ...(object === undefined ? [] : [named(["object_kind", "object_id"], ["object_name"], object)]),
    ...(since === undefined ? [] : [where("at", ">=", since)]),
    ...(until === undefined ? [] : [where("at", "<", until)]),
    ...(text === undefined
      ? []
      : [contains(["action", "actor_name", "actor_email", "object_name", "address", "details"], text)]),
  ];
  if (action !== undefined) {
    const isWord = actionWord.test(action);
    const group = isWord ? [where("action", "like", `${action}.%`)] : [];
    conditions.push(where.or([where("action", "=", action), ...group]));
  }
  return where.and(conditions);
}

/** From `after` on, in order. */
export async function readOnwards(
  { db, chain }: AuditChain,
  after: number,
  limit: number,
): Promise<AuditLogTable[]> {
  return await db
    .selectFrom("audit_log")
    .selectAll()
    .where("chain", "=", chain)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit)
    .execute();
}

export async function readHead({ db, chain }: AuditChain): Promise<AuditHeadsTable | undefined> {
  return await db.selectFrom("audit_heads").selectAll().where("chain", "=", chain).executeTakeFirst();
}

/** All chains, also those that lost their head or all of their entries. */
export async function listChains(db: Db): Promise<string[]> {
  const heads = await db.selectFrom("audit_heads").select("chain").execute();
  const logs = await db.selectFrom("audit_log").select("chain").distinct().execute();
  const begun = await db
    .selectFrom("audit_log")
    .select("object_id as chain")
    .where("chain", "=", serverChain)
    .where("action", "=", "audit.start")
    .execute();
  const ended = await db
    .selectFrom("audit_log")
    .select("object_id as chain")
    .where("chain", "=", serverChain)
    .where("action", "=", "audit.trim")
    .where("object_kind", "=", "workspace")
    .execute();
  const gone = new Set(ended.map(({ chain }) => chain));
  const expected = begun.filter(({ chain }) => !gone.has(chain));
  return [...new Set([...heads, ...logs, ...expected].flatMap(({ chain }) => chain ?? []))].sort();
}

export type Verdict = {
  readonly chain: string;
  readonly entries: number;
  /** Number and hash of the last entry. */
  readonly last: number;
  readonly hash: string;
  /** The first entry that isn't as it was written, and why. */
  readonly broken: { readonly entry: number; readonly why: string } | null;
};

const verifiedAtOnce = 500;
const mostTries = 5;

/** Entries that are appended meanwhile aren't verified. */
export async function verifyChain(place: AuditChain): Promise<Verdict> {
  for (let tries = 1; ; tries++) {
    const head = await readHead(place);
    const verdict = await walk(place, head);
    // Old entries may have been removed by age meanwhile.
    const isMoved = (await readHead(place))?.trimmed_seq !== head?.trimmed_seq;
    if (!isMoved || tries === mostTries) return verdict;
  }
}

async function walk(place: AuditChain, head: AuditHeadsTable | undefined): Promise<Verdict> {
  const first = (head?.trimmed_seq ?? 0) + 1;
  const progress = { last: first - 1, hash: head?.trimmed_hash ?? noHash, trim: null as AuditRow | null };
  const broken =
    head === undefined
      ? { entry: first, why: "the number and hash of the last entry are missing" }
      : ((await findStray(place, first)) ??
        (await follow(place, head, progress)) ??
        whyNoEnd(head, progress));
  const { last, hash } = progress;
  return { chain: place.chain, entries: last - first + 1, last, hash, broken };
}

async function findStray(place: AuditChain, first: number): Promise<Verdict["broken"]> {
  const [row] = await readOnwards(place, 0, 1);
  if (row === undefined || row.seq >= first) return null;
  return { entry: row.seq, why: "it was removed by age, but is there" };
}

type Progress = { last: number; hash: string; trim: AuditRow | null };

/** Up to the last entry, or the first one that is broken. */
async function follow(
  place: AuditChain,
  head: AuditHeadsTable,
  progress: Progress,
): Promise<Verdict["broken"]> {
  for (;;) {
    const rows = await readOnwards(place, progress.last, verifiedAtOnce);
    // What comes after the head was appended meanwhile.
    for (const { hash, ...row } of rows.filter(({ seq }) => seq <= head.seq)) {
      const why = whyBroken(row, hash, progress);
      if (why !== null) return { entry: progress.last + 1, why };
      Object.assign(progress, { last: row.seq, hash, ...(isOwnTrim(row) && { trim: row }) });
    }
    if (rows.length < verifiedAtOnce || progress.last >= head.seq) return null;
  }
}

function whyBroken(row: AuditRow, hash: string, { last, hash: previous }: Progress): string | null {
  if (row.seq !== last + 1) return "it is missing";
  if (hashEntry(previous, row) === hash) return null;
  return "it was changed, or another entry was put in its place";
}

/** What was removed by age must be what the newest entry about it says. */
function whyNoEnd(head: AuditHeadsTable, { last, hash, trim }: Progress): Verdict["broken"] {
  if (last < head.seq) return { entry: last + 1, why: "it is missing at the end" };
  if (hash !== head.hash)
    return { entry: last, why: "the hash of the last entry differs from the one noted" };
  if (head.trimmed_seq === 0) return null;
  const said = trim === null ? {} : (JSON.parse(trim.details) as { through?: number; hash?: string });
  if (said.through === head.trimmed_seq && said.hash === head.trimmed_hash) return null;
  return { entry: head.trimmed_seq + 1, why: "earlier entries are missing that were not removed by age" };
}

function isOwnTrim({ action, object_kind }: AuditRow): boolean {
  return action === "audit.trim" && object_kind === null;
}

export type Trim = { readonly before: number; readonly now: number };
/** `unsent`: removed before they were sent to syslog. */
export type Trimmed = { readonly removed: number; readonly unsent: number };

const dayMs = 86_400_000;
const trimmedAtOnce = 1_000;

/**
 * Removes up to a thousand entries that are older, from the beginning of the chain. The entry about it has the hash of
 * the last one that was removed, from which the rest can be verified.
 */
export async function trimChain(db: Db, chain: string, { before, now }: Trim): Promise<Trimmed> {
  const place = { db, chain };
  const head = await lockHead(place);
  if (head === undefined) return { removed: 0, unsent: 0 };
  const rows = await readOnwards(place, head.trimmed_seq, trimmedAtOnce);
  // A time in the future is of a wrong clock, and says nothing.
  const kept = rows.findIndex(({ at }) => at >= before && at <= now + dayMs);
  const beginning = kept < 0 ? rows : rows.slice(0, kept);
  const old = beginning.slice(0, beginning.findLastIndex(({ at }) => at < before) + 1);
  const last = old.at(-1);
  if (last === undefined) return { removed: 0, unsent: 0 };
  await db.deleteFrom("audit_log").where("chain", "=", chain).where("seq", "<=", last.seq).execute();
  const isGone = chain !== serverChain && last.seq === head.seq && !(await isWorkspace(db, chain));
  const details = { removed: old.length, through: last.seq, hash: last.hash };
  if (isGone) await db.deleteFrom("audit_heads").where("chain", "=", chain).execute();
  else
    await db
      .updateTable("audit_heads")
      .set({ trimmed_seq: last.seq, trimmed_hash: last.hash, sent_seq: Math.max(head.sent_seq, last.seq) })
      .where("chain", "=", chain)
      .execute();
  await appendEntry(db, [isGone ? serverChain : chain], {
    ...bySystem,
    ...{ at: now, action: "audit.trim", object_name: null },
    ...{ object_kind: isGone ? "workspace" : null, object_id: isGone ? chain : null },
    details: JSON.stringify(details),
  });
  return { removed: old.length, unsent: Math.max(0, last.seq - head.sent_seq) };
}

async function lockHead({ db, chain }: AuditChain): Promise<AuditHeadsTable | undefined> {
  return await db
    .updateTable("audit_heads")
    .set((row) => ({ seq: row.ref("seq") }))
    .where("chain", "=", chain)
    .returningAll()
    .executeTakeFirst();
}

async function isWorkspace(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("workspaces")
    .select("id")
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

// Sending to syslog: each chain remembers how far it was sent.

export async function listUnsent(db: Db): Promise<Pick<AuditHeadsTable, "chain" | "seq" | "sent_seq">[]> {
  return await db
    .selectFrom("audit_heads")
    .select(["chain", "seq", "sent_seq"])
    .whereRef("sent_seq", "<", "seq")
    .orderBy("chain")
    .execute();
}

/** False if another process sent them meanwhile. */
export async function noteSent(db: Db, chain: string, sent: { from: number; to: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("audit_heads")
    .set({ sent_seq: sent.to })
    .where("chain", "=", chain)
    .where("sent_seq", "=", sent.from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
