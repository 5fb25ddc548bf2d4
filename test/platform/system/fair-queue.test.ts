import { expect, test } from "vitest";
import { createFairQueue, type FairQueueBounds } from "../../../src/platform/system/fair-queue.ts";

/** Work that ends on request, and a list of what has started. */
function working(bounds: Partial<FairQueueBounds> = {}) {
  const line = createFairQueue("things", {
    atOnce: 1,
    waitingPerWorkspace: 10,
    waitingInAll: 20,
    patienceMs: 60_000,
    ...bounds,
  });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string) =>
    line.run(name.slice(0, 1), () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<string>();
      ends.set(name, () => resolve(name));
      return promise;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { line, begun, run, end };
}

test("workspaces are served in turn, each in its own order", async () => {
  const { begun, run, end } = working();
  const all = ["a1", "a2", "a3", "b1", "b2", "c1"].map(run);
  for (let done = 0; done < 6; done++) {
    await new Promise(setImmediate);
    await end(begun[done] ?? "");
  }
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  expect(await Promise.all(all)).toHaveLength(6);
});

test("a limited number of jobs run at once", async () => {
  const { begun, run, end } = working({ atOnce: 2 });
  const all = ["a1", "a2", "a3"].map(run);
  await new Promise(setImmediate);
  expect(begun).toEqual(["a1", "a2"]);
  await end("a2");
  expect(begun).toEqual(["a1", "a2", "a3"]);
  await end("a1");
  await end("a3");
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3"]);
});

test("a failed job frees its slot for the next", async () => {
  const { line, begun, run, end } = working();
  const failing = line.run("a", () => Promise.reject(new Error("No.")));
  const next = run("a1");
  await expect(failing).rejects.toThrow("No.");
  await new Promise(setImmediate);
  expect(begun).toEqual(["a1"]);
  await end("a1");
  expect(await next).toBe("a1");
});

test("a workspace with a full queue gets an error, and others can still add jobs", async () => {
  const { line, run } = working({ waitingPerWorkspace: 1, waitingInAll: 2 });
  void run("a1");
  const waiting = [run("a2")];
  await expect(run("a3")).rejects.toMatchObject({
    code: "rate_limited",
    message: "This workspace already has 1 things waiting. Try again in a moment.",
    details: { retryAfterSeconds: 10 },
  });
  waiting.push(run("b1"));
  await expect(run("c1")).rejects.toMatchObject({ code: "overloaded", details: { retryAfterSeconds: 10 } });
  line.close();
  const ends = await Promise.allSettled(waiting);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("a job that waited too long is rejected and never runs", async () => {
  const { begun, run, end } = working({ patienceMs: 10 });
  const first = run("a1");
  await expect(run("a2")).rejects.toMatchObject({ code: "overloaded" });
  await end("a1");
  await first;
  expect(begun).toEqual(["a1"]);
});

test("closing rejects waiting jobs and completes running ones", async () => {
  const { line, run, end } = working();
  const first = run("a1");
  const second = run("a2");
  line.close();
  await expect(second).rejects.toMatchObject({ code: "overloaded" });
  await expect(run("a3")).rejects.toMatchObject({ code: "overloaded" });
  await end("a1");
  expect(await first).toBe("a1");
});
