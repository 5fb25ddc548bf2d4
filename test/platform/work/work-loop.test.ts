import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { createIntake } from "../../../src/features/intake/rows/intake.ts";
import { peekTests } from "../../../src/features/tests/rows/tests.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { claimDue, finishClaim } from "../../../src/platform/work/claims.ts";
import { createJobQueue, createWorkLoop, type WorkLoopOptions } from "../../../src/platform/work/work-loop.ts";
import { until } from "../../features/alerts/work/alert-world.ts";
import { testSystem } from "../../test-system.ts";
import { eachDialect } from "../database/each-dialect.ts";
import { insertWorkspaces, message } from "../database/nouns.ts";
import { openWorkWorld } from "./work-world.ts";

const names = (count: number, prefix = "job") =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(4, "0")}`);

function startLoop(changes: Partial<WorkLoopOptions>) {
  const system = testSystem();
  const words = { trouble: "no look", over: "looks again" };
  const loop = createWorkLoop({ poll: async () => {}, every: 60_000, system, words, ...changes });
  onTestFinished(() => loop.stop(0));
  loop.start();
  return { loop, logged: system.logged };
}

describe("the work loop", () => {
  test("the work loop runs one poll at a time, and once more for any number of wake-ups", async () => {
    let looks = 0;
    const go = Promise.withResolvers<void>();
    const { loop } = startLoop({
      poll: async () => {
        looks++;
        await go.promise;
      },
    });
    for (let kicks = 0; kicks < 5; kicks++) loop.kick();
    expect(looks).toBe(1);
    go.resolve();
    await loop.untilIdle();
    expect(looks).toBe(2);
  });

  test("the work loop polls again after a failure, and logs its start and end once", async () => {
    let fails = 3;
    const { loop, logged } = startLoop({
      poll: async () => {
        if (fails-- > 0) throw new Error("no disk");
      },
      every: 5,
    });
    await until(() => fails < -1);
    await loop.stop(0);
    expect(logged).toMatchObject([
      { level: "error", message: "no look", fields: { problem: "no disk" } },
      { level: "info", message: "looks again" },
    ]);
  });

  test("the work loop is idle only when the work of a poll has finished", async () => {
    const go = Promise.withResolvers<void>();
    const { loop } = startLoop({});
    let isIdle = false;
    void loop.begin("a", () => go.promise, loop.kick);
    const idle = loop.untilIdle().then(() => {
      isIdle = true;
    });
    await pause(20);
    expect(isIdle).toBe(false);
    go.resolve();
    await idle;
    await loop.stop(0);
    await loop.untilIdle();
  });

  test("the work loop starts nothing after a stop, waits for running work, then cancels it", async () => {
    const broken = Promise.withResolvers<void>();
    let looks = 0;
    let hasEnded = false;
    const { loop } = startLoop({ poll: async () => void looks++, breakOff: async () => broken.resolve() });
    const work = async () => {
      await broken.promise;
      await pause(20);
    };
    void loop.begin("a", work, () => {
      hasEnded = true;
    });
    await loop.stop(10);
    expect(hasEnded).toBe(true);
    loop.kick();
    expect(looks).toBe(1);
  });

  test("the work loop stops in time even if work hangs", async () => {
    const { loop } = startLoop({ poll: () => new Promise(() => {}) });
    await loop.stop(10);
  });
});

describe("a job queue", () => {
  test("a job queue completes every job around one that crashes the thread, which is retried alone and given up", async () => {
    const { add, queue, rows, finished, givenUp, runs } = openWorkWorld(async ({ id }) => {
      await pause(1);
      return id === "killer" ? "die" : undefined;
    });
    const good = names(10);
    add([...good.slice(0, 5), "killer", ...good.slice(5)]);
    await queue.untilIdle();
    expect(finished.toSorted()).toEqual(good);
    expect(givenUp).toEqual([{ id: "killer", why: { outcome: "interrupted" } }]);
    expect(rows.size).toBe(0);
    const tries = runs.filter(({ id }) => id === "killer");
    expect(tries.map(({ isAlone }) => isAlone)).toEqual([false, false, true]);
    expect(runs.filter(({ isAlone }) => isAlone).every(({ beside }) => beside === 0)).toBe(true);
  });

  test("a job queue runs nothing beside a suspected job, and later ones after it", async () => {
    const go = Promise.withResolvers<void>();
    const { add, queue, running, runs } = openWorkWorld(({ id }) => (id === "suspect" ? go.promise : undefined));
    add(["suspect"], { attempts: 2 });
    queue.kick();
    await until(() => running() === 1);
    add(["young"]);
    queue.kick();
    await pause(20);
    expect(runs).toHaveLength(1);
    go.resolve();
    await queue.untilIdle();
    expect(runs).toMatchObject([
      { id: "suspect", isAlone: true },
      { id: "young", isAlone: false },
    ]);
  });

  test("a job queue runs a suspected job only when all others are done, because it may crash the process", async () => {
    const { add, queue, finished } = openWorkWorld(() => undefined);
    add(["suspect"], { attempts: 2 });
    add(names(7));
    await queue.untilIdle();
    expect(finished).toHaveLength(8);
    expect(finished.at(-1)).toBe("suspect");
  });

  test("a job queue lets a thousand others pass a suspected job, but no more", async () => {
    let count = 0;
    const { add, queue, finished } = openWorkWorld(() => {
      if (!finished.includes("suspect")) add([`young${count++}`]);
      return undefined;
    });
    add(["suspect"], { attempts: 2 });
    add(names(4));
    await queue.untilIdle();
    expect(finished.indexOf("suspect")).toBeGreaterThanOrEqual(1_000);
    expect(finished.indexOf("suspect")).toBeLessThan(1_010);
  });

  test("a job queue gives up a suspected job that ran alone in ten crashes, and no others", async () => {
    const { add, queue, finished, givenUp, runs } = openWorkWorld(() => undefined);
    add(["ten"], { attempts: 60, triesAlone: 10 });
    add(["nine"], { attempts: 60, triesAlone: 9 });
    await queue.untilIdle();
    expect(givenUp).toEqual([{ id: "ten", why: { outcome: "killed", times: 10 } }]);
    expect(finished).toEqual(["nine"]);
    expect(runs).toHaveLength(1);
  });

  test.each([0, 2])(
    "a job queue releases running jobs tried %i times at a shutdown, as if they had never been claimed",
    async (attempts) => {
      const { add, queue, rows, running } = openWorkWorld(() => new Promise(() => {}));
      add(["slow"], { attempts });
      queue.kick();
      await until(() => running() === 1);
      await queue.stop(10);
      expect(rows.get("slow")).toMatchObject({ attempts, claimed_by: null });
    },
  );

  test("a job queue releases claimed jobs that have not started at a shutdown", async () => {
    const { add, queue, rows, runs } = openWorkWorld(() => {
      void queue.stop(1_000);
      return undefined;
    });
    add(names(4));
    queue.kick();
    await until(() => rows.size === 3 && rows.values().every(({ claimed_by }) => claimed_by === null));
    expect(rows.values().every(({ attempts }) => attempts === 0)).toBe(true);
    expect(runs).toHaveLength(1);
  });

  test("a job queue waits at a shutdown for jobs that end in time", async () => {
    const { add, queue, finished, running } = openWorkWorld(() => pause(20));
    add(["quick"]);
    queue.kick();
    await until(() => running() === 1);
    await queue.stop(5_000);
    expect(finished).toEqual(["quick"]);
  });

  test("a job queue claims again after a failed claim, and logs it", async () => {
    const { add, queue, finished, switches, system } = openWorkWorld(() => undefined);
    add(["a"]);
    switches.beforeClaim = async () => {
      throw new Error("no disk");
    };
    await queue.untilIdle();
    expect(finished).toEqual([]);
    switches.beforeClaim = async () => {};
    await queue.untilIdle();
    expect(finished).toEqual(["a"]);
    expect(system.logged.map(({ message }) => message)).toEqual([
      "nothing can be claimed",
      "work can be claimed again",
    ]);
  });

  test("a job queue continues if a result cannot be stored", async () => {
    const { add, queue, finished, errors } = openWorkWorld(async ({ id }) => {
      if (id === "job0001") throw new Error("no disk");
    });
    add(names(3));
    await queue.untilIdle();
    expect(finished).toEqual(["job0000", "job0002"]);
    expect(errors).toEqual([new Error("no disk")]);
  });

  test("a job queue tries a job again beside a long one, even if it found nothing to do before the job was put back", async () => {
    const ended = Promise.withResolvers<void>();
    const { add, queue, runs, finished, switches } = openWorkWorld(({ id, attempts }) => {
      if (id === "long") return ended.promise;
      return id === "again" && attempts === 1 ? { outcome: "failed" } : undefined;
    });
    const putBack = Promise.withResolvers<void>();
    switches.beforeRetry = () => putBack.promise;
    add(["long", "again"]);
    queue.kick();
    await until(() => runs.length === 2);
    await pause(5);
    queue.kick();
    await pause(5);
    putBack.resolve();
    await until(() => finished.includes("again"));
    ended.resolve();
  });

  test("a job queue runs a limited number of jobs, and claims several at once if more wait", async () => {
    const { add, queue, claims, runs } = openWorkWorld(() => pause(1));
    add(names(20));
    await queue.untilIdle();
    expect(Math.max(...runs.map(({ beside }) => beside))).toBe(3);
    expect(claims.slice(0, -1).every((limit) => limit >= 2)).toBe(true);
    expect(runs).toHaveLength(20);
  });

  test("a job queue starts nothing while it rests, and then continues automatically", async () => {
    const { add, queue, finished, runs, switches } = openWorkWorld(() => undefined);
    let rests = 3;
    const begunAtRest: number[] = [];
    switches.restMs = () => {
      begunAtRest.push(runs.length);
      return rests-- > 0 ? 2 : 0;
    };
    add(["a"]);
    queue.kick();
    await until(() => finished.length === 1);
    expect(begunAtRest.slice(0, 4)).toEqual([0, 0, 0, 0]);
  });

  test("a job queue counts no attempt before the thread can take the job", async () => {
    const { add, queue, rows, claims, switches } = openWorkWorld(() => undefined);
    const up = Promise.withResolvers<void>();
    switches.warmUp = () => up.promise;
    add(["a"]);
    const idle = queue.untilIdle();
    await pause(10);
    expect(claims).toEqual([]);
    expect(rows.get("a")).toMatchObject({ attempts: 0 });
    up.resolve();
    await idle;
    expect(claims).toEqual([1]);
  });
});

eachDialect("queues of jobs on one database", (open) => {
  const leaseMs = 10_000;

  function queueOver(store: Store, owner: string, system = testSystem({ now: 2_000 })) {
    const done: string[] = [];
    const switches = { isHanging: false };
    const queue = createJobQueue({
      places: 8,
      handful: 4,
      every: 60_000,
      system,
      restMs: () => 0,
      words: { trouble: "no", over: "yes" },
      thread: { warmUp: async () => {}, close: async () => {} },
      peek: (limit) => peekTests(store.read, system.now(), limit),
      allow: ({ length }) => length,
      claim: (which) => store.write((db) => claimDue(db, "tests", { now: system.now(), owner, leaseMs, ...which })),
      triesAlone: () => 1,
      run: async (row) => {
        done.push(row.id);
        await pause(1);
        if (!switches.isHanging) await store.write((db) => finishClaim(db, "tests", row, null));
        return undefined;
      },
      giveBack: async () => {},
      retry: async () => {},
      giveUp: async () => {},
      putBack: async (_row, error) => {
        throw error;
      },
    });
    onTestFinished(() => queue.stop(1_000));
    return { queue, done, system, switches };
  }

  async function receive(store: Store, ids: readonly string[]): Promise<void> {
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    await createIntake(store).insert(ids.map((id) => message(id, { receivedAt: 1_000 })));
  }

  test("queues of jobs on one database never do the same job, and together do all", async () => {
    const stores = [await open(), await open()] as const;
    const ids = names(100, "t");
    await receive(stores[0], ids);
    const queues = [queueOver(stores[0], "one"), queueOver(stores[1], "two")];
    const isDone = () => queues.flatMap(({ done }) => done).length >= ids.length;
    await until(async () => {
      await Promise.all(queues.map(({ queue }) => queue.untilIdle()));
      return isDone();
    });
    expect(queues.flatMap(({ done }) => done).toSorted()).toEqual(ids);
  });

  test("queues of jobs on one database continue with the jobs of a stopped process when its claims expire, and not before", async () => {
    const stores = [await open(), await open()] as const;
    await receive(stores[0], ["t1"]);
    const gone = queueOver(stores[0], "gone");
    gone.switches.isHanging = true;
    await gone.queue.untilIdle();
    const living = queueOver(stores[1], "living");
    await living.queue.untilIdle();
    expect([gone.done, living.done]).toEqual([["t1"], []]);
    living.system.advance(leaseMs);
    await living.queue.untilIdle();
    expect(living.done).toEqual(["t1"]);
  });
});
