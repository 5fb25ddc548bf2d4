// A damaged page of the database that only one workspace's settings are on.

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSenderMemory } from "../../../../src/features/domains/work/seen-senders.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { createTurns } from "../../../../src/features/intake/work/turns.ts";
import { createJobThread } from "../../../../src/features/tests/analysis/job-thread.ts";
import { createAnalysisPace, createAnalysisQueue } from "../../../../src/features/tests/work/queue.ts";
import { features } from "../../../../src/server.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { openSqliteStore, temporaryFolder } from "../../../platform/database/temporary.ts";
import { testSystem } from "../../../test-system.ts";
import { alertMailKeys } from "../../alerts/rules/events.ts";
import { spawnObedientAnalyser } from "./obedient-analyzer.ts";

const pageBytes = 4_096;

/** Breaks the pointer of each page that holds nothing but the letter z. */
function damage(file: string): number {
  const bytes = readFileSync(file);
  const handle = openSync(file, "r+");
  let damaged = 0;
  for (let at = 0; at < bytes.length; at += pageBytes)
    if (bytes.subarray(at + 4, at + pageBytes).every((byte) => byte === 0x7a))
      damaged += writeSync(handle, Buffer.alloc(4, 0x7f), 0, 4, at);
  closeSync(handle);
  return damaged;
}

test("settings of one workspace that can't be read hold up no other workspace's mail", async () => {
  const file = join(temporaryFolder(), "assay.db");
  const first = await openSqliteStore(file);
  await first.write(async (db) => {
    await insertWorkspaces(db, "wsp_a", "wsp_b");
    const rule = { id: "str_1", workspace_id: "wsp_a", name: "n", sender: null, label: "z".repeat(20_000) };
    await db
      .insertInto("stream_rules")
      .values({ ...rule, created_at: 1 })
      .execute();
  });
  await createIntake(first).insert([
    message("t0", { bytes: Buffer.from(" "), receivedAt: 1_000, workspaceId: "wsp_a" }),
    message("t1", { bytes: Buffer.from(" "), receivedAt: 1_500, workspaceId: "wsp_b" }),
  ]);
  await first.close();
  expect(damage(file)).toBeGreaterThan(0);
  const store = await openSqliteStore(file);
  const thread = createJobThread({ spawn: spawnObedientAnalyser, deadlineMs: 60_000 });
  const system = testSystem({ now: 2_000 });
  const queue = createAnalysisQueue({
    store,
    thread,
    system,
    features,
    owner: "one",
    leaseMs: 60_000,
    sendKey: Buffer.alloc(32),
    alertMailKeys,
    senders: createSenderMemory(system.now),
    publish() {},
    pace: createAnalysisPace(() => performance.now()),
    turns: createTurns(),
  });
  queue.start();
  onTestFinished(async () => {
    await queue.stop(1_000);
    await thread.close();
  });
  const readStatus = async (id: string) =>
    (await store.read.selectFrom("tests").select("status").where("id", "=", id).executeTakeFirst())?.status;
  await expect.poll(() => readStatus("t1")).toBe("analyzed");
  expect(system.logged).toContainEqual(expect.objectContaining({ level: "error", fields: { row: "t0" } }));
});
