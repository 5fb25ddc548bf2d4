// What each analyzed test adds to its workspace's sums (analyzer/reports/contribution.ts). Rows are removed automatically: with
// their test, and when it fails or turns out to be something else.

import { sql } from "kysely";
import type { Rates } from "../../../analyzer/reports/contribution.ts";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";

/** A sample adds nothing, and neither does an upload, which has no recipient: it may be the mail of others. */
export const keepContribution = prepare<{ id: string; contribution: string }>((db, values) =>
  db
    .insertInto("contributions")
    .columns(["test_id", "workspace_id", "received_at", "contribution"])
    .expression((from) =>
      from
        .selectFrom("tests")
        .select(["id", "workspace_id", "received_at", sql<string>`${values.contribution}`.as("contribution")])
        .where("id", "=", values.id)
        .where("sample", "=", 0)
        .where("recipients", "!=", "[]"),
    )
    .onConflict((conflict) =>
      conflict.column("test_id").doUpdateSet((row) => ({ contribution: row.ref("excluded.contribution") })),
    ),
);

// A quote in a text of the JSON would be escaped.

/** Written by a version that did not say what its sender needs, or not how grave it is. */
const isOld = sql<boolean>`contribution not like '%"need":null%' and contribution not like '%"isCritical":%'`;
export const isNeeding = sql<boolean>`contribution like '%"need":{%'`;

/** Whether the test with that ID counts, and needs its sender. */
export const needsSender = sql<boolean>`(
  select 1 from contributions where contributions.test_id = walked.id and ${isNeeding}) = 1`;

/** How many tests back is searched. What is older is rarely missing. */
const mostLookedAt = 1_000;

export function selectNewest(scope: Scope, since: number) {
  return scope
    .selectFrom("contributions")
    .select(["test_id", "contribution", "received_at"])
    .where("received_at", ">=", since)
    .orderBy("received_at", "desc")
    .orderBy("test_id", "desc")
    .limit(mostLookedAt);
}

/** For each of these findings the newest test since then that it costs points, among the newest tests. */
export async function findExamples(
  scope: Scope,
  findings: readonly string[],
  since: number,
): Promise<Map<string, string>> {
  const rows = await selectNewest(scope, since).execute();
  return new Map(
    findings.flatMap((finding) => {
      const found = rows.find(({ contribution }) => contribution.includes(`"${finding}":`));
      return found ? [[finding, found.test_id] as const] : [];
    }),
  );
}

export type Contributor = {
  readonly id: string;
  readonly workspace_id: string;
  /** When its newest report was created. */
  readonly created_at: number;
  readonly report: Uint8Array;
  /** What it adds at present. Null: nothing. */
  readonly contribution: string | null;
};

/** Tests of all workspaces that should add something, in order of ID after `after`. `onlyOld`: of an earlier version. */
export async function listContributors(
  db: Db,
  { after, limit, onlyOld }: { readonly after: string; readonly limit: number; readonly onlyOld: boolean },
): Promise<Contributor[]> {
  const rows = selectContributing(db)
    .leftJoin("contributions", "contributions.test_id", "tests.id")
    .select(["tests.id", "tests.workspace_id", "reports.created_at", "reports.report"])
    .select("contributions.contribution")
    .where("tests.id", ">", after)
    .orderBy("tests.id")
    .limit(limit);
  return await (onlyOld ? rows.where(isOld) : rows).execute();
}

/** Does nothing if the test has another report by now, or no longer adds anything. */
export async function correctContribution(
  db: Db,
  { id, created_at }: Contributor,
  { contribution, rates }: { readonly contribution: string; readonly rates: Rates },
): Promise<void> {
  const stillSo = await selectContributing(db)
    .select("tests.id")
    .where("tests.id", "=", id)
    .where("reports.created_at", "=", created_at)
    .executeTakeFirst();
  if (!stillSo) return;
  await keepContribution(db, { id, contribution });
  await db.updateTable("tests").set(rates).where("id", "=", id).execute();
}

/** A failed test keeps its failure reason until it is analyzed, even while a retry runs. */
function selectContributing(db: Db) {
  return db
    .selectFrom("tests")
    .innerJoin("reports", "reports.test_id", "tests.id")
    .where("tests.became", "=", "test")
    .where("tests.sample", "=", 0)
    .where("tests.recipients", "!=", "[]")
    .where("tests.failure", "is", null)
    .where("reports.created_at", "=", (newest) =>
      newest
        .selectFrom("reports as each")
        .select((each) => each.fn.max("each.created_at").as("newest"))
        .whereRef("each.test_id", "=", "tests.id"),
    );
}
