// Streams: series of similar messages, and the rules that separate them.

import { sql } from "kysely";
import { toWholeScore } from "../../analyzer/reports/grade-words.ts";
import { prepare } from "../../platform/database/engine/prepared.ts";
import type { Db, Schema } from "../../platform/database/schema.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { claimDue, finishClaim, type Lease, type Ticket } from "../../platform/work/claims.ts";
import { isNameWithin } from "../feedback/rows/report-sources.ts";
import { isPendingRemoval } from "../tests/rows/removal.ts";
import { selectTests } from "../tests/rows/tests.ts";
import type { StreamRulesTable, StreamsTable } from "./tables.ts";

/** Each analysis reads all of them. */
export const maxStreamRules = 100;

type NewTest = Pick<
  StreamsTable,
  "id" | "workspace_id" | "match_key" | "from_domain" | "label" | "rule_id" | "kind"
> & { readonly at: number; readonly testId: string };

/**
 * The stream of a test, made if there is none. On PostgreSQL the row stays locked until the transaction ends, so that
 * tests of one stream that are analyzed at the same time advance it one after the other.
 */
export async function enterStream(db: Db, test: NewTest): Promise<StreamsTable> {
  const [stream] = (await enter(db, test)).rows;
  if (stream === undefined) throw new Error("A stream was neither made nor found.");
  return stream;
}

const enter = prepare<NewTest, StreamsTable>((db, test) =>
  db
    .insertInto("streams")
    .values({
      id: test.id,
      workspace_id: test.workspace_id,
      match_key: test.match_key,
      from_domain: test.from_domain,
      label: test.label,
      rule_id: test.rule_id,
      kind: test.kind,
      created_at: test.at,
      last_at: test.at,
      last_test_id: test.testId,
      attempts: 0,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "match_key"])
        .doUpdateSet((column) => ({
          last_at: sql<number>`case when excluded.last_at > streams.last_at then excluded.last_at else streams.last_at end`,
          last_test_id: column.ref("excluded.last_test_id"),
        })),
    )
    .returningAll(),
);

/** Their states, for mail that may belong to one of them. */
export async function readStreamStates(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
): Promise<Pick<StreamsTable, "match_key" | "state">[]> {
  return await db
    .selectFrom("streams")
    .select(["match_key", "state"])
    .where("workspace_id", "=", workspaceId)
    .where("match_key", "in", keys)
    .execute();
}

export type StreamChange = Pick<StreamsTable, "state" | "usual_score"> &
  Partial<
    Pick<StreamsTable, "moved_test_id" | "moved_at" | "move" | "due_at" | "attempts" | "claimed_by" | "claimed_until">
  >;

export async function updateStream(db: Db, id: string, change: StreamChange): Promise<void> {
  await db.updateTable("streams").set(change).where("id", "=", id).execute();
}

/** Those that moved most recently first, then the newest. */
export async function listMovedStreams(scope: Scope, since: number, limit: number): Promise<StreamsTable[]> {
  const moved = await scope
    .selectFrom("streams")
    .selectAll()
    .where("moved_at", ">=", since)
    .orderBy("moved_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return (await withoutGoneMoves(scope, moved)).filter(({ moved_at }) => moved_at !== null);
}

/** Those with a usual score first, and among them those with the newest tests. */
export async function listStreams(
  scope: Scope,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<StreamsTable[]> {
  const listed = await scope
    .selectFrom("streams")
    .selectAll()
    .orderBy(sql`case when usual_score is null then 1 else 0 end`)
    .orderBy("last_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return await withoutGoneMoves(scope, listed);
}

/** Those with a usual score whose sender is the domain or one below it, the newest first. */
export async function listStreamsOfDomain(scope: Scope, domain: string, limit: number): Promise<StreamsTable[]> {
  const streams = scope
    .selectFrom("streams")
    .selectAll()
    .where("usual_score", "is not", null)
    .where(isNameWithin("streams.from_domain", domain))
    .orderBy("last_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  return await withoutGoneMoves(scope, await streams.execute());
}

export async function listNewestStreams(scope: Scope, limit: number): Promise<StreamsTable[]> {
  const newest = scope.selectFrom("streams").selectAll().orderBy("last_at", "desc").orderBy("id", "desc");
  return await withoutGoneMoves(scope, await newest.limit(limit).execute());
}

export async function countStreams(scope: Scope): Promise<number> {
  const row = await scope
    .selectFrom("streams")
    .select((count) => count.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export async function readStream(scope: Scope, id: string): Promise<StreamsTable | undefined> {
  const row = await scope.selectFrom("streams").selectAll().where("id", "=", id).executeTakeFirst();
  return row && (await withoutGoneMoves(scope, [row]))[0];
}

/** A move is shown as long as its test exists and has the same score. */
async function withoutGoneMoves(scope: Scope, streams: readonly StreamsTable[]): Promise<StreamsTable[]> {
  const ids = streams.flatMap(({ moved_test_id }) => moved_test_id ?? []);
  const select = selectTests(scope).select(["id", "composite"]).where("id", "in", ids);
  const found = ids.length === 0 ? [] : await select.execute();
  const kept = new Set(found.map(({ id, composite }) => `${id} ${composite && toWholeScore(composite)}`));
  return streams.map((stream) =>
    stream.move === null || kept.has(`${stream.moved_test_id} ${toWholeScore(JSON.parse(stream.move).score)}`)
      ? stream
      : { ...stream, moved_test_id: null, moved_at: null, move: null },
  );
}

/** Senders choose labels, so they could make any number of streams. */
export const maxStreams = 1_000;
/** With fewer, nothing is known about a stream. */
const fewTests = 3;
const removedAtOnce = 500;

/**
 * Removes some streams whose tests are all gone. Returns how many. `before`: younger ones stay, because their first test
 * may be about to be stored.
 */
export async function removeEmptyStreams(db: Db, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("streams")
    .where("id", "in", (query) =>
      query
        .selectFrom("streams as empty")
        .select("empty.id")
        .where("empty.last_at", "<", before)
        .where((is) =>
          is.not(
            is.exists(is.selectFrom("tests").select(sql.lit(1).as("one")).whereRef("tests.stream_id", "=", "empty.id")),
          ),
        )
        .limit(removedAtOnce),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** In all workspaces with more streams than `most`, those with few tests are in excess first, then the oldest. */
export async function listExcessStreams(db: Db, most: number): Promise<string[]> {
  const crowded = await db
    .selectFrom("streams")
    .select("workspace_id")
    .groupBy("workspace_id")
    .having((row) => row.fn.countAll<number>(), ">", most)
    .execute();
  const excess: string[] = [];
  for (const { workspace_id } of crowded) {
    const rows = await db
      .selectFrom("streams")
      .select("id")
      .where("workspace_id", "=", workspace_id)
      .orderBy(hasFewTests)
      .orderBy("last_at", "desc")
      .orderBy("id", "desc")
      .offset(most)
      .limit(1_000_000)
      .execute();
    excess.push(...rows.map(({ id }) => id));
  }
  return excess;
}

const hasFewTests = sql`(select count(*) from (
  select 1 as one from tests where tests.stream_id = streams.id limit ${sql.lit(fewTests)}
) as first_tests) < ${sql.lit(fewTests)}`;

/** Their tests stay. */
export async function removeStreams(db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom("streams").where("id", "in", ids).execute();
}

export type StreamTest = Pick<
  Schema["tests"],
  "id" | "received_at" | "subject" | "composite" | "coverage" | "inbox_rate" | "spam_rate" | "promo_rate" | "traits"
>;

/**
 * The newest first. Through the stream's row, which is its workspace's: if SQLite knew the workspace of the tests, too,
 * it would search all of it for them.
 */
function selectStreamTests(scope: Scope, streamId: string, limit: number) {
  return scope
    .selectFrom("streams")
    .innerJoin("tests", "tests.stream_id", "streams.id")
    .where("streams.id", "=", streamId)
    .where("tests.became", "=", "test")
    .where("tests.status", "=", "analyzed")
    .where(sql<boolean>`not ${isPendingRemoval("tests.id")}`)
    .orderBy("tests.id", "desc")
    .limit(limit);
}

/** The newest, oldest first. */
export async function listStreamTests(scope: Scope, streamId: string, limit: number): Promise<StreamTest[]> {
  const newest = await selectStreamTests(scope, streamId, limit)
    .select(["tests.id", "received_at", "subject", "composite", "coverage"])
    .select(["inbox_rate", "spam_rate", "promo_rate", "traits"])
    .execute();
  return newest.reverse();
}

/** The newest ones, oldest first. */
export async function listScores(scope: Scope, streamId: string, limit: number): Promise<number[]> {
  const newest = await selectStreamTests(scope, streamId, limit).select("composite").execute();
  return newest.flatMap(({ composite }) => composite ?? []).reverse();
}

export async function claimMovedStreams(db: Db, lease: Lease): Promise<StreamsTable[]> {
  return await claimDue(db, "streams", lease);
}

export async function finishMovedStream(
  db: Db,
  ticket: Ticket,
  outcome: Pick<StreamsTable, "move"> | Record<string, never>,
): Promise<boolean> {
  return await finishClaim(db, "streams", ticket, null, outcome);
}

type NameParts = Pick<StreamsTable, "rule_id" | "from_domain" | "label" | "kind">;

const kindNames: Readonly<Record<string, string>> = {
  bulk: "bulk mail",
  transactional: "transactional",
  personal: "personal",
  "auto-reply": "automatic replies",
};

/** The rule's name, or the sender's domain with the label or the kind of mail. */
export function toStreamName({ rule_id, from_domain, label, kind }: NameParts, ruleName: string | null): string {
  if (rule_id !== null) return ruleName ?? "Deleted rule";
  if (label !== null) return `${from_domain} · ${label}`;
  return kind === null ? `${from_domain}` : `${from_domain} · ${kindNames[kind] ?? kind}`;
}

export async function readStreamName(scope: Scope, stream: NameParts): Promise<string> {
  if (stream.rule_id === null) return toStreamName(stream, null);
  const rules = scope.selectFrom("stream_rules").select("name").where("id", "=", stream.rule_id);
  return toStreamName(stream, (await rules.executeTakeFirst())?.name ?? null);
}

/** Oldest first. */
export async function listStreamRules(scope: Scope): Promise<StreamRulesTable[]> {
  return await scope.selectFrom("stream_rules").selectAll().orderBy("id").limit(maxStreamRules).execute();
}

export type StreamRule = Pick<StreamRulesTable, "id" | "sender" | "label">;

/** For the analysis of a message, in any workspace. */
export async function readStreamRules(db: Db, workspaceId: string): Promise<readonly StreamRule[]> {
  return (await selectRules(db, { workspaceId })).rows;
}

const selectRules = prepare<{ workspaceId: string }, StreamRule>((db, { workspaceId }) =>
  db
    .selectFrom("stream_rules")
    .select(["id", "sender", "label"])
    .where("workspace_id", "=", workspaceId)
    .orderBy("id")
    .limit(maxStreamRules),
);

export async function insertStreamRule(scope: Scope, row: Omit<StreamRulesTable, "workspace_id">): Promise<void> {
  await scope.insertInto("stream_rules", row).execute();
}

/** Its tests stay in the stream that it made, which gets no new ones. False if there is no such rule. */
export async function removeStreamRule(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope.deleteFrom("stream_rules").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
