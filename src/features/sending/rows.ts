// What Assay has sent. Each row is written before the attempt, so that a send interrupted by a crash can be recognized.

import { sql } from "kysely";
import { countRows, type Page, pageOf } from "../../platform/database/engine/page.ts";
import type { Db } from "../../platform/database/schema.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { readable } from "../tests/rows/raw-messages.ts";
import type { SendsTable, SigningKeysTable } from "./tables.ts";

export type NewSend = Omit<SendsTable, "workspace_id" | "status" | "problem" | "finished_at" | "monitor_id"> & {
  readonly monitor_id?: string;
};

/** Those of people, without canaries. Written as in the index. */
const byPeople = sql<boolean>`monitor_id is null`;

/** The problem of a send whose process stopped or crashed. */
export const endedMeanwhile = "The server stopped while sending. The message may have arrived.";

export async function insertSend(scope: Scope, send: NewSend): Promise<void> {
  await scope
    .insertInto("sends", { monitor_id: null, ...send, status: "sending", problem: null, finished_at: null })
    .executeTakeFirstOrThrow();
}

/** A bounce that arrived before the other server's final reply is kept. */
export async function finishSend(
  scope: Scope,
  id: string,
  outcome: Pick<SendsTable, "problem"> & { readonly status: "sent" | "failed"; readonly finished_at: number },
): Promise<void> {
  await scope.updateTable("sends").set(outcome).where("id", "=", id).where("status", "=", "sending").execute();
}

/** Overrides any earlier status, because the message came back. */
export async function markSendBounced(
  scope: Scope,
  id: string,
  { problem, finished_at }: { readonly problem: string | null; readonly finished_at: number },
): Promise<void> {
  await scope
    .updateTable("sends")
    .set({ status: "bounced", problem, finished_at })
    .where("id", "=", id)
    .where("status", "<>", "bounced")
    .execute();
}

/** In all workspaces: unfinished sends begun by then. Returns how many. */
export async function failUnfinishedSends(
  db: Db,
  { begunBy, problem, now }: { readonly begunBy: number; readonly problem: string; readonly now: number },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("sends")
    .set({ status: "failed", problem, finished_at: now })
    .where("status", "=", "sending")
    .where("created_at", "<=", begunBy)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export async function listSends(scope: Scope, page: Page): Promise<SendsTable[]> {
  return await pageOf(scope.selectFrom("sends").where(byPeople), page);
}

export async function readSend(scope: Scope, id: string): Promise<SendsTable | undefined> {
  return await scope.selectFrom("sends").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function countSends(scope: Scope): Promise<number> {
  return await countRows(scope.selectFrom("sends").where(byPeople));
}

/** In any workspace: this is how an incoming message finds its workspace. */
export async function findSend(db: Db, id: string): Promise<SendsTable | undefined> {
  return await db.selectFrom("sends").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function hasTestOfSend(db: Db, sendId: string): Promise<boolean> {
  const row = await db.selectFrom("tests").select("id").where("send_id", "=", sendId).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** The first message that came back. */
export async function readTestOfSend(scope: Scope, sendId: string): Promise<string | undefined> {
  const row = await scope
    .selectFrom("tests")
    .select("id")
    .where("send_id", "=", sendId)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export type SendResults = { readonly testId: string | null; readonly bounceId: string | null };

/** The result of each. A bounce counts only if it is authenticated. */
export async function readSendResults(scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, SendResults>> {
  // PostgreSQL accepts no empty list.
  if (ids.length === 0) return new Map();
  const [tests, bounces] = await Promise.all([
    scope
      .selectFrom("tests")
      .select(["id", "send_id"])
      .where("send_id", "in", ids)
      .where("became", "in", readable)
      .orderBy("id", "desc")
      .execute(),
    scope
      .selectFrom("bounces")
      .select(["id", "send_id"])
      .where("send_id", "in", ids)
      .where("authenticated", "=", 1)
      .orderBy("id", "desc")
      .execute(),
  ]);
  // The last entry for a key wins, which is the oldest.
  const toMap = (rows: readonly { readonly id: string; readonly send_id: string | null }[]) =>
    new Map(rows.map(({ id, send_id }) => [send_id ?? "", id]));
  const [testOf, bounceOf] = [toMap(tests), toMap(bounces)];
  return new Map(ids.map((id) => [id, { testId: testOf.get(id) ?? null, bounceId: bounceOf.get(id) ?? null }]));
}

/** In all workspaces: those past retention without remaining messages. */
export async function removeSendsBefore(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom("sends")
    .where("id", "<", before)
    .where((is) =>
      is.not(is.exists(is.selectFrom("tests").select("tests.id").whereRef("tests.send_id", "=", "sends.id"))),
    )
    .execute();
}

/** Oldest first. */
export async function listSigningKeys(scope: Scope, domain?: string): Promise<SigningKeysTable[]> {
  return await scope
    .selectFrom("signing_keys")
    .selectAll()
    .$if(domain !== undefined, (all) => all.where("domain", "=", domain ?? ""))
    .orderBy("id")
    .execute();
}

export async function countSigningKeys(scope: Scope): Promise<number> {
  return await countRows(scope.selectFrom("signing_keys"));
}

export async function insertSigningKey(scope: Scope, row: Omit<SigningKeysTable, "workspace_id">): Promise<void> {
  await scope.insertInto("signing_keys", row).execute();
}

/** False if there is none. */
export async function removeSigningKey(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope.deleteFrom("signing_keys").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
