import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createSenderMemory } from "../../../../src/features/domains/work/seen-senders.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { createTurns } from "../../../../src/features/intake/work/turns.ts";
import { createJobThread } from "../../../../src/features/tests/analysis/job-thread.ts";
import { createAnalysisPace, createAnalysisQueue } from "../../../../src/features/tests/work/queue.ts";
import { MissingMessage } from "../../../../src/platform/database/messages.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { Refusal } from "../../../../src/platform/errors.ts";
import { features } from "../../../../src/server.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";
import { alertMailKeys } from "../../alerts/rules/events.ts";
import { spawnObedientAnalyser } from "./obedient-analyzer.ts";

async function receive(store: Store, orders: readonly string[]): Promise<void> {
  await store.write((db) => insertWorkspaces(db, "wsp_a"));
  const messages = orders.map((order, index) =>
    message(`t${String(index).padStart(3, "0")}`, { bytes: Buffer.from(`${order} `), receivedAt: 1_000 + index }),
  );
  await createIntake(store).insert(messages);
}

function startQueue(store: Store, deadlineMs = 60_000, pace = createAnalysisPace(() => performance.now())) {
  const thread = createJobThread({ spawn: spawnObedientAnalyser, deadlineMs });
  const system = testSystem({ now: 2_000 });
  const terms = {
    features,
    owner: "one",
    leaseMs: 60_000,
    sendKey: Buffer.alloc(32),
    alertMailKeys,
    senders: createSenderMemory(system.now),
    onAnalyzed() {},
    publish() {},
    pace,
    turns: createTurns(),
  };
  const queue = createAnalysisQueue({ store, thread, system, ...terms });
  queue.start();
  onTestFinished(async () => {
    await queue.stop(1_000);
    await thread.close();
  });
  return { queue, thread };
}

async function untilFinished(store: Store) {
  const rows = () =>
    store.read.selectFrom("tests").select(["id", "status", "subject", "failure"]).orderBy("id").execute();
  for (let tries = 0; tries < 300; tries++) {
    if ((await rows()).every(({ status }) => status === "analyzed" || status === "failed")) break;
    await pause(50);
  }
  return rows();
}

eachDialect("the analysis queue", (open) => {
  test("the analysis queue takes no step of a message back when a second one is analyzed beside it", async () => {
    const store = await open();
    await receive(store, ["wait"]);
    const { queue } = startQueue(store);
    await expect.poll(() => queue.progressOf("t000")?.phase).toBe("reading");
    await createIntake(store).insert([message("t001", { bytes: Buffer.from("wait "), receivedAt: 2_000 })]);
    queue.kick();
    const listClaimed = () => store.read.selectFrom("tests").select("id").where("claimed_by", "is not", null).execute();
    await expect.poll(listClaimed).toHaveLength(2);
    await pause(20);
    expect(queue.progressOf("t000")?.phase).toBe("reading");
    expect(queue.progressOf("t001")).toBeNull();
  });

  test("the analysis queue starts nothing while it rests, and then continues automatically", async () => {
    const store = await open();
    await receive(store, ["", "", ""]);
    let restsLeft = 3;
    const begun: string[] = [];
    const restMs = () => {
      begun.push(restsLeft > 0 ? "rest" : "work");
      return restsLeft-- > 0 ? 5 : 0;
    };
    startQueue(store, 60_000, {
      noteArrival() {},
      noteAnalysed() {},
      noteNothingWaits() {},
      isResting: () => false,
      restMs,
    });
    expect((await untilFinished(store)).map(({ status }) => status)).toEqual(Array(3).fill("analyzed"));
    expect(begun.slice(0, 4)).toEqual(["rest", "rest", "rest", "work"]);
  });

  test.each([
    ["die", /^This message crashed the analyzer again when analyzed alone, while parsing the message\.$/],
    ["stall", /^This message stalled the analyzer again when analyzed alone, while parsing the message\.$/],
  ])("the analysis queue analyzes every good message around one with the instruction %s", async (order, reason) => {
    const store = await open();
    await receive(store, [...Array(20).fill("good"), order, ...Array(20).fill("good")]);
    startQueue(store, 200);
    const rows = await untilFinished(store);
    const bad = rows.filter(({ status }) => status !== "analyzed");
    expect(bad).toMatchObject([{ id: "t020", status: "failed", failure: expect.stringMatching(reason) }]);
  });

  test("the analysis queue stores why a message failed, and continues", async () => {
    const store = await open();
    await receive(store, ["throw", "good"]);
    startQueue(store);
    expect(await untilFinished(store)).toMatchObject([
      { status: "failed", failure: "The analyzer failed: as told" },
      { status: "analyzed", subject: "good" },
    ]);
  });

  test("the analysis queue analyzes messages again after the process was killed many times", async () => {
    const store = await open();
    await receive(store, ["good", "good"]);
    await store.write((db) => db.updateTable("tests").set({ attempts: 60, tries_alone: 9 }).execute());
    startQueue(store);
    expect(await untilFinished(store)).toMatchObject([{ status: "analyzed" }, { status: "analyzed" }]);
  });

  test("the analysis queue gives up a message that crashes the process each time it is analyzed alone", async () => {
    const store = await open();
    await receive(store, ["good"]);
    await store.write((db) => db.updateTable("tests").set({ attempts: 60, tries_alone: 10 }).execute());
    startQueue(store);
    const failure = "The server stopped 10 times while analyzing this message.";
    expect(await untilFinished(store)).toMatchObject([{ status: "failed", failure }]);
  });

  test("the analysis queue runs nothing beside a message that is analyzed alone, so that a crash has one cause", async () => {
    const store = await open();
    await receive(store, ["slow"]);
    await store.write((db) => db.updateTable("tests").set({ attempts: 5 }).execute());
    const { queue } = startQueue(store);
    await pause(300);
    await createIntake(store).insert([message("t001", { bytes: Buffer.from("die "), receivedAt: 1_001 })]);
    queue.kick();
    expect(await untilFinished(store)).toMatchObject([{ status: "analyzed" }, { status: "failed" }]);
  });

  test("the analysis queue does not count a shutdown against a slow message", async () => {
    const store = await open();
    await receive(store, ["wait"]);
    for (const alone of [false, true]) {
      if (alone) await store.write((db) => db.updateTable("tests").set({ attempts: 5 }).execute());
      const { queue, thread } = startQueue(store);
      await pause(300);
      await queue.stop(10);
      await thread.close();
      const readRow = () => store.read.selectFrom("tests").selectAll().executeTakeFirst();
      const untouched = { attempts: alone ? 5 : 0, tries_alone: 0, claimed_by: null, failure: null };
      await expect.poll(readRow).toMatchObject(untouched);
    }
  });

  test("the analysis queue stores sender text only up to a limit", async () => {
    const store = await open();
    await receive(store, [`long-${"x".repeat(5_000)}`]);
    startQueue(store);
    const [row] = await untilFinished(store);
    expect(row?.status).toBe("analyzed");
    expect(row?.subject?.length).toBeLessThanOrEqual(1_000);
  });
});

eachDialect("the analysis queue with messages outside the database", (open) => {
  test.each([
    [new Refusal("overloaded", "Down."), { status: "analyzing", attempts: 0, due_at: 17_000, failure: null }],
    [
      new MissingMessage("missing", "s3"),
      { status: "failed", due_at: null, failure: "The raw message is missing from the S3 store." },
    ],
  ])(
    "if the storage of messages fails with %s, an outage costs no attempt, and a missing message fails its test",
    async (refusal, expected) => {
      const store = await open();
      await receive(store, ["", ""]);
      startQueue({ ...store, messages: { ...store.messages, open: () => Promise.reject(refusal) } });
      const read = () =>
        store.read.selectFrom("tests").select(["status", "attempts", "due_at", "claimed_by", "failure"]).execute();
      const isDone = (rows: Awaited<ReturnType<typeof read>>) =>
        rows.every((row) => row.claimed_by === null && row.due_at !== 1_000 && row.due_at !== 1_001);
      for (let tries = 0; tries < 300 && !isDone(await read()); tries++) await pause(50);
      expect(await read()).toMatchObject([expected, expected]);
    },
  );
});
