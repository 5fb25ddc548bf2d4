// Reads the audit log.

import { type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Db, Schema } from "../../database/schema.ts";
import type { Scope } from "../../database/scope.ts";
import { unscoped } from "../../database/scope.ts";
import { serverChain } from "../rules/entry.ts";
import type { AuditHeadsTable, AuditLogTable } from "./tables.ts";

/** A chain as a caller may read it. */
export type AuditChain = { readonly db: Db; readonly chain: string };

export function chainOf(scope: Scope): AuditChain {
  return { db: unscoped(scope), chain: scope.workspaceId };
}

type AuditFilter = {
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

type AuditPage = {
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
export async function countEntries({ db, chain }: AuditChain, filter: AuditFilter, most: number): Promise<number> {
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

/** Oldest first, with the address that was invited. */
export async function listInvitingEntries({
  db,
  chain,
}: AuditChain): Promise<Pick<AuditLogTable, "at" | "actor_id" | "object_name">[]> {
  return await db
    .selectFrom("audit_log")
    .select(["at", "actor_id", "object_name"])
    .where("chain", "=", chain)
    .where("action", "=", "invitation.create")
    .where("outcome", "=", "done")
    .orderBy("seq")
    .execute();
}

const likeSigns = /[\\%_]/g;
const actionWord = /^[a-z-]+(?:\.[a-z-]+)?$/;

function matching(where: ExpressionBuilder<Schema, "audit_log">, filter: AuditFilter) {
  const { actor, action, object, since, until, text } = filter;
  const contains = (columns: readonly (keyof AuditLogTable)[], part: string) => {
    const pattern = `%${part.toLowerCase().replace(likeSigns, (sign) => `\\${sign}`)}%`;
    return where.or(
      columns.map((column) => sql<SqlBool>`lower(coalesce(${sql.ref(column)}, '')) like ${pattern} escape '\\'`),
    );
  };
  const named = (ids: readonly (keyof AuditLogTable)[], names: readonly (keyof AuditLogTable)[], part: string) =>
    where.or([contains(names, part), ...ids.map((column) => where(column, "=", part))]);
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
export async function readOnwards({ db, chain }: AuditChain, after: number, limit: number): Promise<AuditLogTable[]> {
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
