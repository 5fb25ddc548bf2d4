// Waiting for a report before the reply: limited in time and number, and ended by a shutdown.

import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { createAnalysisWatch } from "../../../../src/features/rehearsal/work/analysis-watch.ts";
import { createJudge, judgeBounds, type Question } from "../../../../src/features/rehearsal/work/judge.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";

async function openWorld(open: Open, bounds: Partial<typeof judgeBounds> = {}, now = Date.now) {
  const store = await open();
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  await createIntake(store).insert([message("tst_a"), message("tst_b", { workspaceId: "wsp_b" })]);
  const watch = createAnalysisWatch();
  const judge = createJudge({
    store,
    watch,
    now,
    reanalyze: async () => {},
    bounds: { ...judgeBounds, waitMs: 60_000, ...bounds },
  });
  const finish = async (id: string) => {
    await store.write((db) =>
      db.updateTable("tests").set({ status: "failed", due_at: null }).where("id", "=", id).execute(),
    );
    watch.note(id);
  };
  return { judge, watch, finish };
}

function question(id = "a", clientAddress = "192.0.2.1"): Question {
  return {
    workspaceId: `wsp_${id}`,
    testId: `tst_${id}`,
    receiver: "gmail",
    clientAddress,
    answered: 0,
    isAgain: false,
  };
}

eachDialect("the reply of a rehearsal", (open) => {
  test("the reply of a rehearsal waits for the analysis, and accepts a message that could not be analyzed", async () => {
    const { judge, finish } = await openWorld(open);
    const judged = judge(question());
    await finish("tst_a");
    expect(await judged).toMatchObject({ because: "not-analyzed", status: { code: 250 } });
  });

  test("the reply of a rehearsal accepts a message whose analysis takes too long", async () => {
    const { judge } = await openWorld(open, { waitMs: 50 });
    expect(await judge(question())).toMatchObject({ because: "too-slow", status: { code: 250 } });
  });

  test("the reply of a rehearsal accepts a message if the clock is set back during the analysis", async () => {
    const clock = { now: 10_000_000 };
    const { judge, watch } = await openWorld(open, {}, () => clock.now);
    const judged = judge(question());
    await pause(20);
    clock.now -= 3_600_000;
    watch.note("tst_a");
    expect(await judged).toMatchObject({ because: "too-slow" });
  });

  test("the reply of a rehearsal accepts immediately at shutdown", async () => {
    const { judge, watch } = await openWorld(open);
    const judged = judge(question());
    await pause(20);
    watch.close();
    expect(await judged).toMatchObject({ because: "stopping" });
  });

  test.each([
    ["in all", { waiting: 1 }, question("b", "192.0.2.9")],
    ["of one workspace", { waitingPerWorkspace: 1 }, question("a", "192.0.2.9")],
    ["of one client", { waitingPerClient: 1 }, question("b")],
  ])("the reply of a rehearsal accepts without waiting if there are too many %s", async (_, bounds, other) => {
    const { judge, finish } = await openWorld(open, bounds);
    const first = judge(question());
    expect(await judge(other)).toMatchObject({ because: "busy", status: { code: 250 } });
    await finish("tst_a");
    await first;
    await finish(other.testId);
    expect(await judge(other)).toMatchObject({ because: "not-analyzed" });
  });
});
