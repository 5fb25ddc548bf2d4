import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import {
  analysisThreadLimits,
  createJobThread,
  endingWhenIdle,
  type JobThread,
} from "../../../../src/features/tests/analysis/job-thread.ts";
import type { AnalyzeJob } from "../../../../src/features/tests/analysis/jobs.ts";
import { spawnObedientAnalyser } from "../work/obedient-analyzer.ts";

let thread: JobThread;
let spawned = 0;
afterEach(() => thread.close());

function start(deadlineMs = 60_000, ceilingMs?: number) {
  spawned = 0;
  thread = createJobThread({
    spawn: (phase) => {
      spawned += 1;
      return spawnObedientAnalyser(phase, analysisThreadLimits({ smtpMaxMessageBytes: 26_214_400 }));
    },
    deadlineMs,
    ...(ceilingMs !== undefined && { ceilingMs }),
  });
}

const analyze = (order: string) =>
  thread.run({ kind: "analyze", message: { bytes: Buffer.from(order) } } as unknown as AnalyzeJob);

test("a message handed over comes back as its report, each to whom it belongs", async () => {
  start();
  const reports = await Promise.all(["one", "two", "three"].map(analyze));
  expect(reports).toMatchObject(
    ["one", "two", "three"].map((subject) => ({ outcome: "answer", answer: { analysis: { subject } } })),
  );
  expect(spawned).toBe(1);
});

test("a message that freezes the thread is ended at its deadline, and the next one is analysed", async () => {
  start(300);
  expect(await analyze("stall")).toEqual({ outcome: "stalled", during: "while parsing the message", phase: "reading" });
  expect(await analyze("next")).toMatchObject({ outcome: "answer" });
  expect(spawned).toBe(2);
});

test("a thread that gets no turn of the processor keeps its messages past the deadline", async () => {
  start(300);
  const outcomes = await Promise.all(["starve", "next"].map(analyze));
  expect(outcomes).toMatchObject([{ outcome: "answer" }, { outcome: "answer" }]);
  expect(spawned).toBe(1);
});

test("a message whose thread never uses the processor again is ended at the ceiling", async () => {
  start(300, 900);
  expect(await analyze("hang")).toMatchObject({ outcome: "stalled", phase: "reading" });
  expect(await analyze("next")).toMatchObject({ outcome: "answer" });
});

test("a thread that ends when idle starts again for the next message", async () => {
  start();
  const ending = endingWhenIdle(thread);
  const send = (order: string) =>
    ending.run({ kind: "analyze", message: { bytes: Buffer.from(order) } } as unknown as AnalyzeJob);
  await ending.warmUp();
  expect(await send("one")).toMatchObject({ outcome: "answer" });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await Promise.all(["two", "three"].map(send))).toMatchObject([{ outcome: "answer" }, { outcome: "answer" }]);
  expect(spawned).toBe(2);
});

test("a message that fills the memory ends the thread, not the program, and the next one is analyzed", async () => {
  start();
  expect(await analyze("hoard")).toEqual({
    outcome: "interrupted",
    during: "while parsing the message",
    phase: "reading",
  });
  expect(await analyze("next")).toMatchObject({ outcome: "answer" });
});

test("what was in hand beside the guilty one is given back as interrupted", async () => {
  start();
  const waiting = analyze("wait");
  expect(await analyze("die")).toMatchObject({ outcome: "interrupted" });
  expect(await waiting).toMatchObject({ outcome: "interrupted" });
});

test("closing gives back what is in hand, without blame", async () => {
  start();
  const waiting = analyze("wait");
  await thread.close();
  expect(await waiting).toEqual({ outcome: "closed" });
});

test("is warm when it takes messages, and waiting for one that dies at its start comes to an end", async () => {
  start();
  await thread.warmUp();
  expect(await analyze("next")).toMatchObject({ outcome: "answer" });
  await thread.close();
  thread = createJobThread({ spawn: () => new Worker("process.exit(1)", { eval: true }), deadlineMs: 60_000 });
  await thread.warmUp();
});
