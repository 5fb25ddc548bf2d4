import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { Change } from "../../../../src/analyzer/domains/drift.ts";
import { updateSelector } from "../../../../src/features/domains/rows/domains.ts";
import type { DomainFinding, DomainJob } from "../../../../src/features/domains/work/watch-domain.ts";
import type { DomainWatcherOptions } from "../../../../src/features/domains/work/watcher.ts";
import {
  createJobThread,
  type JobOutcome,
  type JobThread,
} from "../../../../src/features/tests/analysis/job-thread.ts";
import type { AnswerTo, Job } from "../../../../src/features/tests/analysis/jobs.ts";
import { storeOf } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { type TestSystem, testSystem } from "../../../test-system.ts";
import { ownWebhook } from "../../alerts/rules/events.ts";
import { until } from "../../alerts/work/alert-world.ts";
import { spawnObedientChecker } from "./obedient-checker.ts";
import { hourMs, insertWatched, nothingLearned, readWatched, watcherOver } from "./watched-domains.ts";

const began = Date.UTC(2026, 10, 20, 10, 30, 0);

function findingOf(system: TestSystem, changes: Partial<DomainFinding> = {}): DomainFinding {
  return {
    checkedAt: system.now(),
    report: Buffer.from("report"),
    kept: { gist: "gist", reportedAt: system.now() },
    words: { spf: "pass", dkim: "missing", dmarc: "warn", bimi: "missing" },
    score: 87.5,
    marks: [],
    found: [],
    certificates: null,
    watch: "{}",
    unstable: false,
    notice: null,
    confirmAt: null,
    broken: [],
    ...changes,
  };
}

type Asked = { readonly domain: string; readonly fresh: boolean };

/** Answers what `act` says of each domain, and notes who was asked for. */
function scripted(
  system: TestSystem,
  act: (job: DomainJob) => Promise<JobOutcome | undefined> | JobOutcome | undefined,
) {
  const asked: Asked[] = [];
  let closed = false;
  const thread: JobThread = {
    warmUp: async () => {},
    run: async <J extends Job>(job: J) => {
      if (job.kind !== "domain") throw new Error("Only domains are checked here.");
      asked.push({ domain: job.input.domain, fresh: job.fresh });
      const outcome = (await act(job)) ?? { outcome: "answer", answer: findingOf(system) };
      return (closed ? { outcome: "closed" } : outcome) as JobOutcome<AnswerTo<J>>;
    },
    close: async () => {
      closed = true;
    },
  };
  return { thread, asked, names: () => asked.map(({ domain }) => domain) };
}

async function prepare(store: Store, ...domains: string[]): Promise<void> {
  await store.write(async (db) => {
    await insertWorkspaces(db, "wsp_a");
    for (const domain of domains) await insertWatched(db, domain);
  });
}

eachDialect("the domain monitor", (open, dialect) => {
  test("the domain monitor checks a due domain once, and again in the next hour at the installation's own minute", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test", "b.test");
    const { thread, names } = scripted(system, () => undefined);
    const watcher = await watcherOver(store, system, { thread });
    await watcher.sweep();
    await watcher.sweep();
    expect(names().sort()).toEqual(["a.test", "b.test"]);
    expect(watcher.lastSweep()).toMatchObject({ domains: 2 });
    const row = await readWatched(store, "a.test");
    expect(row).toMatchObject({
      spf: "pass",
      dkim: "missing",
      dmarc: "warn",
      bimi: "missing",
      score: 87.5,
      checked_at: began,
      claimed_by: null,
      attempts: 0,
    });
    const due = row.due_at ?? 0;
    expect(due).toBeGreaterThan(began);
    expect(due).toBeLessThanOrEqual(began + hourMs);
    expect((await readWatched(store, "b.test")).due_at).toBe(due);
    system.setNow(due);
    await watcher.sweep();
    expect(names()).toHaveLength(4);
    expect((await readWatched(store, "a.test")).due_at).toBe(due + hourMs);
  });

  test("the domain monitor continues after the clock was set back", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const { thread, names } = scripted(system, () => undefined);
    const watcher = await watcherOver(store, system, { thread });
    await watcher.sweep();
    system.advance(-30 * 24 * hourMs);
    await watcher.sweep();
    await watcher.sweep();
    expect(names()).toEqual(["a.test", "a.test"]);
  });

  test("the domain monitor does not let a check of the old selector overwrite one of the new selector", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const [old, young] = [Promise.withResolvers<JobOutcome>(), Promise.withResolvers<JobOutcome>()];
    const { thread, names } = scripted(system, ({ input }) =>
      input.configured.length === 0 ? old.promise : young.promise,
    );
    const watcher = await watcherOver(store, system, { thread });
    const { id } = await readWatched(store, "a.test");
    const first = watcher.checkNow(id, 5_000);
    await until(() => names().length === 1);
    await storeOf(store, "wsp_a").write((scope) =>
      updateSelector(scope, id, { dkim_selector: "s1", due_at: system.now() }),
    );
    const sweep = watcher.sweep();
    await until(() => names().length === 2);
    old.resolve({ outcome: "answer", answer: findingOf(system, { score: 1 }) });
    await first;
    young.resolve({ outcome: "answer", answer: findingOf(system, { score: 2 }) });
    await sweep;
    expect(await readWatched(store, "a.test")).toMatchObject({ score: 2, claimed_by: null });
  });

  test("the domain monitor checks again for a request that joined an outdated check", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const old = Promise.withResolvers<JobOutcome>();
    const { thread, names } = scripted(system, ({ input }) =>
      input.configured.length === 0 ? old.promise : undefined,
    );
    const watcher = await watcherOver(store, system, { thread });
    const { id } = await readWatched(store, "a.test");
    const first = watcher.checkNow(id, 5_000);
    await until(() => names().length === 1);
    await storeOf(store, "wsp_a").write((scope) =>
      updateSelector(scope, id, { dkim_selector: "s1", due_at: system.now() }),
    );
    const second = watcher.checkNow(id, 5_000);
    await pause(50);
    old.resolve({ outcome: "answer", answer: findingOf(system, { score: 1 }) });
    await Promise.all([first, second]);
    expect(names()).toHaveLength(2);
    expect(await readWatched(store, "a.test")).toMatchObject({ score: 87.5 });
  });

  test("the domain monitor makes missed checks at the start, and shares work with another process", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    const domains = Array.from({ length: 150 }, (_, index) => `d${index}.test`);
    await prepare(store, ...domains);
    const { thread, names } = scripted(system, async () => undefined);
    const watchers = [
      await watcherOver(store, system, { thread }),
      await watcherOver(await open(), system, { thread, owner: "second" }),
    ];
    for (const watcher of watchers) await watcher.start();
    await Promise.all(watchers.map((watcher) => watcher.sweep()));
    for (const watcher of watchers) await watcher.stop(5_000);
    expect(names().sort()).toEqual(domains.toSorted());
  });

  // A thread that stalls takes seconds, and the database stores no more of it than of one that dies.
  test.each(dialect === "sqlite" ? ["die.test", "stall.test"] : ["die.test"])(
    "the domain monitor reassigns the domains that were in a thread with %s, and postpones that one for an hour",
    async (guilty) => {
      const store = await open();
      const system = testSystem({ now: began });
      await prepare(store, "a.test", guilty, "z.test");
      // Reached three times by the one that stalls, and by no other: those are answered in some 20 ms.
      const deadlineMs = guilty === "stall.test" ? 2_000 : 60_000;
      const thread = createJobThread({ spawn: spawnObedientChecker, deadlineMs });
      const watcher = await watcherOver(store, system, { thread });
      await watcher.sweep();
      expect((await readWatched(store, "a.test")).spf).toBe("pass");
      expect((await readWatched(store, "z.test")).spf).toBe("pass");
      const bad = await readWatched(store, guilty);
      expect(bad).toMatchObject({ checked_at: null, claimed_by: null, attempts: 0 });
      expect(bad.due_at).toBeGreaterThan(began);
      expect(system.logged.filter(({ level }) => level === "error")).toMatchObject([
        { message: "domain check given up until the next hour", fields: { domain: guilty } },
      ]);
      await watcher.stop(0);
    },
  );

  test("the domain monitor retries a domain whose check throws twice, and then in the next hour", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test", "b.test");
    const { thread, names } = scripted(system, ({ input }) =>
      input.domain === "a.test" ? { outcome: "failed", why: "no broom" } : undefined,
    );
    const watcher = await watcherOver(store, system, { thread });
    for (let minute = 0; minute < 5; minute++) {
      await watcher.sweep();
      system.advance(60_000);
    }
    // Both begin at once: which comes first is the database's choice.
    expect(names().toSorted()).toEqual(["a.test", "a.test", "a.test", "b.test"]);
    expect((await readWatched(store, "a.test")).due_at).toBeGreaterThan(system.now());
  });

  test("the domain monitor claims a domain that crashed a thread only after all others are done", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    await store.write((db) => insertWatched(db, "suspect.test", { attempts: 2 }));
    let meanwhile: unknown;
    const { thread, names } = scripted(system, async ({ input }) => {
      if (input.domain === "a.test") meanwhile = await readWatched(store, "suspect.test");
      return undefined;
    });
    const watcher = await watcherOver(store, system, { thread });
    await watcher.sweep();
    expect(meanwhile).toMatchObject({ claimed_by: null, attempts: 2 });
    expect(names()).toEqual(["a.test", "suspect.test"]);
    expect(watcher.lastSweep()).toMatchObject({ domains: 2 });
    expect(await readWatched(store, "suspect.test")).toMatchObject({ claimed_by: null, attempts: 0 });
  });

  test("the domain monitor stores nothing for a domain that was removed during the check", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const told: unknown[] = [];
    const { thread } = scripted(system, async () => {
      await store.write((db) => db.deleteFrom("domains").execute());
      const changes = [] as const;
      return { outcome: "answer", answer: findingOf(system, { notice: { kind: "drift", changes } }) };
    });
    const watcher = await watcherOver(store, system, { thread, publish: (...event) => told.push(event) });
    await watcher.sweep();
    expect(told).toEqual([]);
    for (const table of ["domains", "domain_watches", "domain_reports", "domain_changes", "alert_events"] as const)
      expect(await store.read.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  test("the domain monitor repeats a check with a suspected change after about a minute", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const { thread } = scripted(system, () => ({
      outcome: "answer",
      answer: findingOf(system, { confirmAt: began + 60_000 }),
    }));
    const watcher = await watcherOver(store, system, { thread });
    await watcher.sweep();
    const { due_at } = await readWatched(store, "a.test");
    expect(due_at).toBeGreaterThanOrEqual(began + 60_000);
    expect(due_at).toBeLessThanOrEqual(began + 75_000);
  });

  test("the domain monitor stores a drift with its domain, and notifies webhooks and event streams", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    await store.write((db) =>
      db
        .insertInto("alerts")
        .values({
          ...ownWebhook,
          id: "alr_1",
          workspace_id: "wsp_a",
          label: "Ops",
          url: "",
          url_shown: "",
          events: '["domain.drift"]',
        })
        .execute(),
    );
    const side = { verdict: "pass", record: "v=DMARC1; p=reject" } as const;
    const change: Change = {
      mechanism: "dmarc",
      kind: "policy_loosened",
      direction: "worse",
      says: "It is laxer.",
      before: side,
      after: { verdict: "warn", record: "v=DMARC1; p=none" },
    };
    const { thread } = scripted(system, () => ({
      outcome: "answer",
      answer: findingOf(system, { notice: { kind: "drift", changes: [change] } }),
    }));
    const told: unknown[] = [];
    const watcher = await watcherOver(store, system, { thread, publish: (...event) => told.push(event) });
    await watcher.sweep();
    expect((await readWatched(store, "a.test")).last_drift_at).toBe(began);
    const [kept] = await store.read.selectFrom("domain_changes").selectAll().execute();
    expect(kept).toMatchObject({ domain_id: "a.test", at: began, kind: "drift" });
    expect(JSON.parse(kept?.changes ?? "")).toEqual([change]);
    const [event] = await store.read.selectFrom("alert_events").selectAll().execute();
    expect(JSON.parse(event?.payload ?? "")).toEqual({
      domain: { id: "a.test", domain: "a.test" },
      kind: "drift",
      checkedAt: new Date(began).toISOString(),
      changes: [change],
    });
    expect(await store.read.selectFrom("deliveries").select("alert_id").execute()).toEqual([{ alert_id: "alr_1" }]);
    expect(told).toEqual([
      ["wsp_a", { type: "domain.checked", id: "a.test", domain: "a.test", score: 87.5, changed: true }],
    ]);
  });

  test("the domain monitor accepts the ownership record only while DNS answers", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    let marks: string[] | null = ["assay-verify=a.test"];
    const { thread } = scripted(system, () => ({ outcome: "answer", answer: findingOf(system, { marks }) }));
    const watcher = await watcherOver(store, system, {
      thread,
      isMarked: ({ domain }, texts) => texts.includes(`assay-verify=${domain}`),
    });
    const verifiedAfter = async () => {
      await watcher.checkNow("a.test", 5_000);
      return (await readWatched(store, "a.test")).verified_at;
    };
    expect(await verifiedAfter()).toBe(began);
    marks = null;
    system.advance(hourMs);
    expect(await verifiedAfter()).toBe(began);
    marks = ["assay-verify=b.test"];
    expect(await verifiedAfter()).toBeNull();
  });

  test("the domain monitor probes selectors at the first check and once a day, and queries found ones in between", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const guesses: unknown[] = [];
    let found: string[] | null = ["google"];
    const { thread } = scripted(system, ({ input }) => {
      guesses.push(input.guesses);
      return { outcome: "answer", answer: findingOf(system, { found }) };
    });
    const watcher = await watcherOver(store, system, { thread });
    const check = async () => {
      await watcher.checkNow("a.test", 5_000);
      return guesses.at(-1);
    };
    expect(await check()).toEqual({ found: [], all: true });
    system.advance(hourMs);
    expect(await check()).toEqual({ found: ["google"], all: false });
    found = null;
    expect(await check()).toEqual({ found: ["google"], all: false });
    // Gone, and not certainly so until all are tried again.
    found = [];
    expect(await check()).toEqual({ found: ["google"], all: false });
    expect(await check()).toEqual({ found: ["google"], all: false });
    system.advance(30 * hourMs);
    expect(await check()).toEqual({ found: ["google"], all: true });
    system.advance(hourMs);
    expect(await check()).toEqual({ found: [], all: false });
  });
});

eachDialect("the certificates of MX hosts", (open) => {
  test("the certificates of MX hosts are fetched about once a day and kept in between", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const seen = { certificate: null, problem: "it does not offer STARTTLS" };
    const rows = [{ of: "mx.a.test", fact: known(seen) }];
    const before: unknown[] = [];
    const { thread } = scripted(system, ({ input }) => {
      before.push(input.certificates);
      return { outcome: "answer", answer: findingOf(system, { certificates: rows }) };
    });
    const watcher = await watcherOver(store, system, { thread });
    for (const hours of [1, 1, 30, 1]) {
      await watcher.sweep();
      system.advance(hours * hourMs);
    }
    expect(before).toEqual([null, rows, rows, null]);
  });

  test("the certificates of MX hosts do not delay a manual check", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const before: unknown[] = [];
    const { thread } = scripted(system, ({ input }) => {
      before.push(input.certificates);
      return { outcome: "answer", answer: findingOf(system, { certificates: input.certificates ?? [] }) };
    });
    const watcher = await watcherOver(store, system, { thread });
    await watcher.checkNow("a.test", 5_000);
    system.advance(hourMs);
    await watcher.sweep();
    expect(before).toEqual([[], null]);
  });

  test("the certificates of MX hosts that the network blocks are logged once", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const rows = [{ of: "mx.a.test", fact: unknown("timeout") }];
    const { thread } = scripted(system, () => ({
      outcome: "answer",
      answer: findingOf(system, { certificates: rows }),
    }));
    const watcher = await watcherOver(store, system, { thread });
    for (let day = 0; day < 12; day++) {
      await watcher.sweep();
      system.advance(31 * hourMs);
    }
    const told = system.logged.filter(({ message }) => message.includes("port 25"));
    expect(told).toMatchObject([{ level: "warn" }]);
  });
});

eachDialect("a manual check", (open) => {
  test("a manual check is made for a due domain, without the DNS cache", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store);
    await store.write((db) => insertWatched(db, "a.test", { due_at: began + hourMs }));
    const { thread, asked } = scripted(system, () => undefined);
    const watcher = await watcherOver(store, system, { thread });
    await watcher.sweep();
    expect(asked).toEqual([]);
    await watcher.checkNow("a.test", 5_000);
    expect(asked).toEqual([{ domain: "a.test", fresh: true }]);
    expect(await readWatched(store, "a.test")).toMatchObject({ checked_at: began, spf: "pass" });
    await watcher.checkNow("gone.test", 5_000);
  });

  test("a manual check joins one that is already running, in this or another process", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const go = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { thread, asked } = scripted(system, async () => {
      begun.resolve();
      await go.promise;
      return undefined;
    });
    const here = await watcherOver(store, system, { thread });
    const other = await open();
    const hasAsked = Promise.withResolvers<void>();
    // All that a check at once writes before it is made is its claim.
    const write: Store["write"] = async (act) => {
      const answer = await other.write(act);
      hasAsked.resolve();
      return answer;
    };
    const there = await watcherOver({ ...other, write }, system, { thread, owner: "second" });
    const sweep = here.sweep();
    await begun.promise;
    const joined = Promise.all([here.checkNow("a.test", 10_000), there.checkNow("a.test", 10_000)]);
    // Found taken: it looks again in a moment. A claim made just when the other is done would begin another check.
    await hasAsked.promise;
    go.resolve();
    await joined;
    await sweep;
    expect(asked).toHaveLength(1);
    expect((await readWatched(store, "a.test")).checked_at).toBe(began);
  });

  test("a manual check waits at most the given time, and never throws", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const go = Promise.withResolvers<void>();
    const { thread } = scripted(system, async () => {
      await go.promise;
      return { outcome: "failed", why: "no broom" };
    });
    const watcher = await watcherOver(store, system, { thread });
    await watcher.checkNow("a.test", 10);
    expect((await readWatched(store, "a.test")).checked_at).toBeNull();
    go.resolve();
    await watcher.stop(5_000);
    await watcher.checkNow("a.test", 10);
  });

  test("a shutdown starts no claimed check, and releases all of them", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    const domains = Array.from({ length: 30 }, (_, index) => `d${index}.test`);
    await prepare(store, ...domains);
    const begunFirst = Promise.withResolvers<void>();
    const { thread, asked } = scripted(system, () => {
      begunFirst.resolve();
      return undefined;
    });
    const watcher = await watcherOver(store, system, { thread });
    const sweeping = watcher.sweep();
    await begunFirst.promise;
    await watcher.stop(0);
    await sweeping;
    expect(asked.length).toBeLessThan(domains.length / 2);
    const attempts = await Promise.all(domains.map(async (domain) => (await readWatched(store, domain)).attempts));
    expect(attempts.filter((count) => count === 0)).toHaveLength(domains.length);
  });

  test("a shutdown during preparation gives the domain to no thread and releases it", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const { thread, asked } = scripted(system, () => undefined);
    const reading = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    const learn: DomainWatcherOptions["learn"] = async (row) => {
      reading.resolve();
      await read.promise;
      return await nothingLearned(row);
    };
    const watcher = await watcherOver(store, system, { thread, learn });
    const sweeping = watcher.sweep();
    await reading.promise;
    const stopped = watcher.stop(10_000);
    read.resolve();
    await Promise.all([stopped, sweeping]);
    expect(asked).toEqual([]);
    expect(await readWatched(store, "a.test")).toMatchObject({ attempts: 0, claimed_by: null });
  });

  test("a shutdown releases unfinished checks as if they had not started", async () => {
    const store = await open();
    const system = testSystem({ now: began });
    await prepare(store, "a.test");
    const go = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { thread } = scripted(system, async () => {
      begun.resolve();
      await go.promise;
      return undefined;
    });
    const close = async () => {
      await thread.close();
      go.resolve();
    };
    const watcher = await watcherOver(store, system, { thread: { ...thread, close } });
    void watcher.sweep();
    await begun.promise;
    await watcher.stop(10);
    expect(await readWatched(store, "a.test")).toMatchObject({ claimed_by: null, attempts: 0, due_at: 0 });
  });
});
