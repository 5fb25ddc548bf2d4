import { Worker } from "node:worker_threads";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import {
  analysisThreadLimits,
  createJobThread,
  endingWhenIdle,
  type JobThread,
  renewingWhenGrown,
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

test("the thread returns each message's report to its caller", async () => {
  start();
  const reports = await Promise.all(["one", "two", "three"].map(analyze));
  expect(reports).toMatchObject(
    ["one", "two", "three"].map((subject) => ({ outcome: "answer", answer: { analysis: { subject } } })),
  );
  expect(spawned).toBe(1);
});

test("a message that stalls the thread is stopped at its deadline, and the next one is analyzed", async () => {
  start(300);
  expect(await analyze("stall")).toEqual({ outcome: "stalled", during: "while parsing the message", phase: "reading" });
  expect(await analyze("next")).toMatchObject({ outcome: "answer" });
  expect(spawned).toBe(2);
});

test("a thread that gets no processor time keeps its messages after the deadline", async () => {
  start(300);
  const outcomes = await Promise.all(["starve", "next"].map(analyze));
  expect(outcomes).toMatchObject([{ outcome: "answer" }, { outcome: "answer" }]);
  expect(spawned).toBe(1);
});

test("a message whose thread never gets processor time again is stopped at the maximum time", async () => {
  start(300, 900);
  expect(await analyze("hang")).toMatchObject({ outcome: "stalled", phase: "reading" });
  expect(await analyze("next")).toMatchObject({ outcome: "answer" });
});

test("a thread that ended when idle starts again for the next message", async () => {
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

test("a thread is replaced after a quiet moment if the memory grew, however few messages there were", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let megabytes = 100;
  let renewed = 0;
  const job = { kind: "analyze" } as unknown as AnalyzeJob;
  const renewing = renewingWhenGrown(
    {
      warmUp: async () => {},
      run: async () => ({ outcome: "failed", why: "" }),
      close: async () => {},
      renew: () => {
        renewed += 1;
        megabytes = 110;
      },
    },
    { residentBytes: () => megabytes, giveBack: async () => {} },
  );
  const work = async (leaving: number) => {
    await renewing.warmUp();
    await renewing.run(job);
    megabytes = leaving;
    await vi.advanceTimersByTimeAsync(60_000);
    return renewed;
  };
  expect(await work(120)).toBe(0);
  expect(await work(500)).toBe(1);
  expect(await work(140)).toBe(1);
  expect(await work(150)).toBe(2);
});

test("a message that exhausts the memory ends only the thread, and the next one is analyzed", async () => {
  start();
  expect(await analyze("hoard")).toEqual({
    outcome: "interrupted",
    during: "while parsing the message",
    phase: "reading",
  });
  expect(await analyze("next")).toMatchObject({ outcome: "answer" });
});

test("other messages in a crashed thread are returned as interrupted", async () => {
  start();
  const waiting = analyze("wait");
  expect(await analyze("die")).toMatchObject({ outcome: "interrupted" });
  expect(await waiting).toMatchObject({ outcome: "interrupted" });
});

test("the phase that a message left behind is not that of another one that goes on", async () => {
  start();
  void analyze("wait");
  await expect.poll(() => thread.phase?.()).toBe("reading");
  expect(await analyze("next")).toMatchObject({ outcome: "answer" });
  expect(thread.phase?.()).toBeNull();
});

test("closing the thread returns the current messages as if they had not been tried", async () => {
  start();
  const waiting = analyze("wait");
  await thread.close();
  expect(await waiting).toEqual({ outcome: "closed" });
});

test("a thread is warm before it takes messages, and a crash at its start ends the wait", async () => {
  start();
  await thread.warmUp();
  expect(await analyze("next")).toMatchObject({ outcome: "answer" });
  await thread.close();
  thread = createJobThread({ spawn: () => new Worker("process.exit(1)", { eval: true }), deadlineMs: 60_000 });
  await thread.warmUp();
});
