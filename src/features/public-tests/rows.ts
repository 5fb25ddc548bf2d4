// Queries of public tests, whose visitors have no account and no workspace.

import { readMeta, writeMeta } from "../../platform/database/engine/meta.ts";
import type { Db } from "../../platform/database/schema.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { insertWorkspace, readWorkspaces } from "../people/rows/workspaces.ts";
import type { Counted } from "./rules/counts.ts";
import { defaultPage, type PublicPage, publicPage } from "./rules/page.ts";
import type { PublicTestsTable } from "./tables.ts";

export type Saved = {
  readonly page: PublicPage;
  /** The workspace of these tests. It has no members, so no list of tests shows them. Null: none yet, or deleted. */
  readonly workspaceId: string | null;
};

export async function readSaved(db: Db): Promise<Saved> {
  const { workspaceId = null, ...page } = JSON.parse((await readMeta(db, "public_page")) ?? "{}");
  const [workspace] = await readWorkspaces(db, [workspaceId ?? ""]);
  return { workspaceId: workspace?.id ?? null, page: publicPage.parse({ ...defaultPage, ...page }) };
}

export async function writeSaved(db: Db, { workspaceId, page }: Saved): Promise<void> {
  await writeMeta(db, "public_page", JSON.stringify({ ...page, workspaceId }));
}

export async function ensureWorkspace(db: Db, row: Parameters<typeof insertWorkspace>[1]): Promise<string> {
  const { workspaceId, page } = await readSaved(db);
  if (workspaceId !== null) return workspaceId;
  await insertWorkspace(db, row);
  await writeSaved(db, { workspaceId: row.id, page });
  return row.id;
}

export async function insertPublicTest(db: Db, row: PublicTestsTable): Promise<void> {
  await db.insertInto("public_tests").values(row).execute();
}

export async function findByAddress(db: Db, localPart: string): Promise<PublicTestsTable | undefined> {
  return await db.selectFrom("public_tests").selectAll().where("local_part", "=", localPart).executeTakeFirst();
}

/** `id`: the hash of the link's secret. Undefined once it has ended, even if its rows are still there. */
export async function findPublicTest(db: Db, id: string, now: number): Promise<PublicTestsTable | undefined> {
  const rows = db.selectFrom("public_tests").selectAll();
  return await rows.where("id", "=", id).where("ends_at", ">", now).executeTakeFirst();
}

type Taken = { readonly testId: string; readonly bytes: number; readonly now: number; readonly endsAt: number };

/** In the transaction that stores the message. False: another message was first, or the address has ended. */
export async function takeAddress(db: Db, localPart: string, { testId, bytes, now, endsAt }: Taken): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("public_tests")
    .set({ test_id: testId, bytes, ends_at: endsAt })
    .where("local_part", "=", localPart)
    .where("test_id", "is", null)
    .where("takes_until", ">", now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function removePublicTest(db: Db, id: string): Promise<void> {
  await db.deleteFrom("public_tests").where("id", "=", id).execute();
}

export type Taking = {
  readonly bytes: number;
  readonly tests: number;
  /** When the next report is deleted. Null: there is none. */
  readonly nextEnd: number | null;
};

export async function readTaking(db: Db): Promise<Taking> {
  const { bytes, tests, next_end } = await db
    .selectFrom("public_tests")
    .select(({ fn }) => [
      fn.sum<number | null>("bytes").as("bytes"),
      fn.count<number>("test_id").as("tests"),
      fn.min<number | null>("ends_at").as("next_end"),
    ])
    .where("test_id", "is not", null)
    .executeTakeFirstOrThrow();
  return { bytes: Number(bytes ?? 0), tests: Number(tests), nextEnd: next_end === null ? null : Number(next_end) };
}

export async function countWaiting(db: Db, workspaceId: string): Promise<number> {
  const { total } = await db
    .selectFrom("tests")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where("due_at", "is not", null)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Oldest first. */
export async function listEndedTests(db: Db, now: number, limit: number): Promise<readonly string[]> {
  const ended = db.selectFrom("public_tests").select("test_id").where("ends_at", "<=", now);
  const rows = await ended.where("test_id", "is not", null).orderBy("ends_at").limit(limit).execute();
  return rows.flatMap(({ test_id }) => test_id ?? []);
}

/** Those that no message came to. */
export async function removeEndedAddresses(db: Db, now: number): Promise<void> {
  await db.deleteFrom("public_tests").where("ends_at", "<=", now).where("test_id", "is", null).execute();
}

export async function addCounts(db: Db, day: number, numbers: ReadonlyMap<Counted, number>): Promise<void> {
  for (const [what, number] of numbers)
    await db
      .insertInto("public_counts")
      .values({ day, what, number })
      .onConflict((conflict) =>
        conflict
          .columns(["day", "what"])
          .doUpdateSet(({ ref, eb }) => ({ number: eb(ref("public_counts.number"), "+", number) })),
      )
      .execute();
}

/** Oldest first. */
export async function listCounts(
  db: Db,
  from: number,
): Promise<readonly { readonly day: number; readonly what: string; readonly number: number }[]> {
  return await db.selectFrom("public_counts").selectAll().where("day", ">=", from).orderBy("day").execute();
}

export async function removeCounts(db: Db, before: number): Promise<void> {
  await db.deleteFrom("public_counts").where("day", "<", before).execute();
}

/** Newest first. */
export async function listNewest(db: Db, limit: number) {
  return await db
    .selectFrom("public_tests")
    .innerJoin("tests", "tests.id", "public_tests.test_id")
    .select(["received_at", "composite", "spf", "dkim", "dmarc", "header_from", "subject"])
    .where("public_tests.test_id", "is not", null)
    .orderBy("public_tests.test_id", "desc")
    .limit(limit)
    .execute();
}

/** What the analysis learned of visitors' domains and servers, which no one monitors. */
export async function forgetSenders(scope: Scope): Promise<void> {
  await scope.deleteFrom("seen_senders").execute();
}

/** Tests whose row was never written, because the process died in between. */
export async function listOrphans(scope: Scope, before: string, limit: number): Promise<readonly string[]> {
  const rows = await scope
    .selectFrom("tests")
    .select("id")
    .where("id", "<", before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("public_tests").select("id").whereRef("test_id", "=", "tests.id"))),
    )
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Undefined: it is none, such as a bounce. */
export async function readTestState(db: Db, testId: string): Promise<"analyzing" | "ready" | undefined> {
  const row = await db.selectFrom("tests").select(["became", "status"]).where("id", "=", testId).executeTakeFirst();
  if (row?.became !== "test") return undefined;
  return row.status === "analyzed" || row.status === "failed" ? "ready" : "analyzing";
}
