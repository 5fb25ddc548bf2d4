import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { examinationVersions } from "../../../../src/analyzer/reports/examination.ts";
import type { WorkspaceEvent } from "../../../../src/features/events/contract.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { createJobThread } from "../../../../src/features/tests/analysis/job-thread.ts";
import {
  claimExaminations,
  demandExamination,
  readExamination,
} from "../../../../src/features/tests/rows/examinations.ts";
import { claimReanalysis, claimTests, markAnalyzed } from "../../../../src/features/tests/rows/tests.ts";
import { createExaminer } from "../../../../src/features/tests/work/examiner.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { releaseClaim } from "../../../../src/platform/work/claims.ts";
import { unjudged } from "../../../platform/database/analysed.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";
import { spawnObedientExaminer } from "./obedient-examiner.ts";

const now = Date.UTC(2026, 10, 26);
const kind = "second-reader";

/** Tests named t0, t1, … that have a report, unless they are to wait. */
async function receive(store: Store, orders: readonly string[], { waiting = 0 } = {}): Promise<void> {
  await store.write((db) => insertWorkspaces(db, "wsp_a"));
  const messages = orders.map((order, index) =>
    message(`t${index}`, { bytes: Buffer.from(`${order} `), receivedAt: now - 1_000 + index }),
  );
  await createIntake(store).insert(messages);
  const lease = { now, owner: "one", leaseMs: 60_000, limit: orders.length - waiting };
  await store.write(async (db) => {
    for (const [index, row] of (await claimTests(db, lease)).entries())
      await markAnalyzed(db, row, { ...unjudged, analyzedAt: now - 500 + index });
  });
}

/** All kinds are examined alike. */
async function openReports(store: Store, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await store.write((db) => demandExamination(inWorkspace(db, "wsp_a"), { testId: `t${index}`, kind, now }));
}

function start(store: Store, owner = "one", system = testSystem({ now })) {
  const thread = createJobThread({ spawn: spawnObedientExaminer, deadlineMs: 700 });
  const events: WorkspaceEvent[] = [];
  const examiner = createExaminer({
    store,
    thread,
    owner,
    leaseMs: 60_000,
    system,
    publish: (_, event) => void events.push(event),
  });
  onTestFinished(async () => {
    await examiner.stop(1_000);
    await thread.close();
  });
  return { examiner, events };
}

async function results(store: Store) {
  const rows = await store.read.selectFrom("test_examinations").selectAll().orderBy("id").execute();
  return rows.map(({ test_id, state, result }) => [test_id, state, result]);
}

eachDialect("examinations", (open, dialect) => {
  test("examinations run for each report that someone opens, and send an event", async () => {
    const store = await open();
    await receive(store, ["good", "throw"]);
    await openReports(store, 2);
    const { examiner, events } = start(store);
    await examiner.untilIdle();
    expect(await results(store)).toEqual([
      ["t0", "done", '{"order":"good","frozen":[]}'],
      ["t1", "failed", "as told"],
    ]);
    expect(events).toEqual([
      { type: "test.examined", id: "t0", kind },
      { type: "test.examined", id: "t1", kind },
    ]);
  });

  test("examinations skip a message that stalls or crashes the thread, and continue with the next", async () => {
    const store = await open();
    // A message that stalls takes seconds, and the database stores no more of it than of one that crashes.
    const stalls = dialect === "sqlite";
    await receive(store, [stalls ? "stall" : "die", "die", "freeze", "good"]);
    await openReports(store, 4);
    await start(store).examiner.untilIdle();
    const first = `The message ${stalls ? "stalled" : "crashed"} the examination, while examining it after its report.`;
    expect(await results(store)).toEqual([
      ["t0", "failed", first],
      ["t1", "failed", "The message crashed the examination, while examining it after its report."],
      ["t2", "done", '{"order":"freeze","frozen":["second-parsing"]}'],
      ["t3", "done", '{"order":"good","frozen":[]}'],
    ]);
  });

  test("examinations run only on request, and return stored results again", async () => {
    const store = await open();
    await receive(store, ["good"]);
    const { examiner } = start(store);
    await examiner.untilIdle();
    expect(await results(store)).toEqual([]);
    const place = { workspaceId: "wsp_a", testId: "t0" };
    await examiner.demand(place, kind);
    await examiner.demand(place, kind);
    await examiner.untilIdle();
    expect(await results(store)).toEqual([["t0", "done", '{"order":"good","frozen":[]}']]);
    await store.write((db) => db.updateTable("test_examinations").set({ version: 0 }).execute());
    expect(await examiner.demand(place, kind)).toMatchObject({ state: "waiting" });
    await examiner.untilIdle();
    expect(await examiner.demand(place, kind)).toMatchObject({ state: "done" });
  });

  test("examinations run once in two processes", async () => {
    const store = await open();
    await receive(store, ["slow", "good", "good", "good"]);
    await openReports(store, 4);
    const [one, two] = [start(store, "one"), start(store, "two")];
    await Promise.all([one.examiner.untilIdle(), two.examiner.untilIdle()]);
    await pause(10);
    await Promise.all([one.examiner.untilIdle(), two.examiner.untilIdle()]);
    expect(one.events.length + two.events.length).toBe(4);
    expect((await results(store)).map(([, state]) => state)).toEqual(Array(4).fill("done"));
  });

  test("examinations are repeated after a crash, but not forever", async () => {
    const store = await open();
    await receive(store, ["good", "good"]);
    await openReports(store, 2);
    await store.write((db) =>
      db
        .updateTable("test_examinations")
        .set({ claimed_by: "dead", claimed_until: now - 1, attempts: 1 })
        .where("test_id", "=", "t0")
        .execute(),
    );
    await store.write((db) =>
      db.updateTable("test_examinations").set({ attempts: 60 }).where("test_id", "=", "t1").execute(),
    );
    await start(store).examiner.untilIdle();
    expect(await results(store)).toEqual([
      ["t0", "done", '{"order":"good","frozen":[]}'],
      ["t1", "failed", "The server stopped 10 times during this examination."],
    ]);
  });

  test("examinations are outdated by a new report, which also stops a running one", async () => {
    const store = await open();
    await receive(store, ["good"]);
    await openReports(store, 1);
    const [claimed] = await store.write((db) => claimExaminations(db, { now, owner: "one", leaseMs: 1_000, limit: 1 }));
    if (!claimed) throw new Error("Nothing was due.");
    await store.write(async (db) => {
      const again = await claimReanalysis(inWorkspace(db, "wsp_a"), "t0", { now, owner: "one", leaseMs: 1_000 });
      if (again === undefined || again === "busy") throw new Error("It could not be claimed.");
      await markAnalyzed(db, again.test, { ...unjudged, analyzedAt: now });
    });
    expect(await store.write((db) => releaseClaim(db, "test_examinations", claimed, { dueAt: now }))).toBe(false);
    expect(await results(store)).toEqual([]);
  });

  test("examinations that an earlier version left, and that no one asked for, are dropped", async () => {
    const store = await open();
    await receive(store, ["good", "good"]);
    await openReports(store, 2);
    const outdated = { version: examinationVersions[kind] - 1 };
    await store.write((db) => db.updateTable("test_examinations").set(outdated).where("test_id", "=", "t0").execute());
    await start(store).examiner.untilIdle();
    expect(await results(store)).toEqual([["t1", "done", '{"order":"good","frozen":[]}']]);
  });

  test("examinations name each one that can't be saved once, and say when it works again", async () => {
    const store = await open();
    await receive(store, ["good", "good", "good"]);
    await openReports(store, 3);
    const system = testSystem({ now });
    let isDamaged = true;
    const writeRelaxed: Store["writeRelaxed"] = async (work) => {
      if (isDamaged) throw new Error("database disk image is malformed");
      return await store.writeRelaxed(work);
    };
    const { examiner } = start({ ...store, writeRelaxed }, "one", system);
    const heard = () => system.logged.map(({ level, message, fields }) => ({ level, message, fields }));
    await examiner.untilIdle();
    const rows = ["t0", "t1", "t2"].map((id) => `${id}/${kind}`);
    expect(heard()).toEqual(rows.map((row) => ({ level: "error", message: "examinations failed", fields: { row } })));

    isDamaged = false;
    system.advance(120_000); // the claims have expired
    await examiner.untilIdle();
    expect((await results(store)).map(([, state]) => state)).toEqual(["done", "done", "done"]);
    expect(heard().slice(3)).toEqual(
      rows.map((row) => ({ level: "info", message: "a row that failed works again", fields: { row, failures: 1 } })),
    );
  });

  test("examinations are deleted with their test", async () => {
    const store = await open();
    await receive(store, ["good"]);
    await openReports(store, 1);
    await store.write((db) => inWorkspace(db, "wsp_a").deleteFrom("tests").execute());
    expect(await readExamination(inWorkspace(store.read, "wsp_a"), "t0", kind)).toBeUndefined();
    expect(await results(store)).toEqual([]);
  });
});
