import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { listNewestStreams, listScores } from "../../../../src/features/streams/rows.ts";
import type { TestFilter } from "../../../../src/features/tests/rows/conditions.ts";
import { findCountedTests, findTests } from "../../../../src/features/tests/rows/lists.ts";
import { listNeeding } from "../../../../src/features/tests/rows/needing.ts";
import { claimTests, markFailed } from "../../../../src/features/tests/rows/tests.ts";
import { countTests, highestCount } from "../../../../src/features/tests/rows/totals.ts";
import {
  longestWalk,
  longestWalkWithLooks,
  shortestWalk,
  shortWalk,
} from "../../../../src/features/tests/rows/walks.ts";
import type { Page } from "../../../../src/platform/database/engine/page.ts";
import { openDatabase } from "../../../../src/platform/database/engine/sqlite-database.ts";
import { createReader, executeOn } from "../../../../src/platform/database/engine/sqlite-driver.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { beginningAt } from "../../../../src/platform/ids.ts";
import { insertAnalysed, insertManyAnalysed } from "../../../platform/database/analysed.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { openSqliteStore, temporaryFolder } from "../../../platform/database/temporary.ts";
import { insertTests } from "../../../platform/database/test-rows.ts";

const at = (time: number) => beginningAt("test", time);

async function openWithTests(open: () => Promise<Store>) {
  const store = await open();
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  await insertAnalysed(store, [
    { subject: "One", composite: 10, label: "x", from_domain: "a.example", receivedAt: 1_000 },
    { subject: "Two", composite: 50.5, label: "x", from_domain: "b.example", receivedAt: 2_000 },
    { subject: "Three", composite: 90, label: "y", from_domain: "a.example", receivedAt: 3_000 },
    { subject: "Four", composite: null, from_domain: "a.example", receivedAt: 4_000 },
    { subject: "Other", composite: 50.5, label: "x", from_domain: "a.example", workspaceId: "wsp_b" },
  ]);
  await createIntake(store).insert([
    message(`${at(5_000)}${"a".repeat(16)}`, { receivedAt: 5_000, bytes: Buffer.from("Subject: Five\r\n\r\n") }),
    message(`${at(6_000)}${"a".repeat(16)}`, { receivedAt: 6_000, bytes: Buffer.from("Subject: Six\r\n\r\n") }),
  ]);
  await store.write(async (db) => {
    const lease = { now: 5_000, owner: "one", leaseMs: 1, limit: 1 };
    const [failing] = await claimTests(db, lease);
    if (failing) await markFailed(db, failing, "It froze.");
  });
  return store;
}

const filters: readonly (readonly [TestFilter, readonly string[]])[] = [
  [{}, ["Six", "Five", "Four", "Three", "Two", "One"]],
  [{ label: "x" }, ["Two", "One"]],
  [{ label: "X" }, []],
  [{ fromDomain: "a.example" }, ["Four", "Three", "One"]],
  [{ status: "received" }, ["Six"]],
  [{ status: "failed" }, ["Five"]],
  [{ status: "analyzing" }, []],
  [{ status: "analyzed" }, ["Four", "Three", "Two", "One"]],
  [{ minScore: 50.5 }, ["Three", "Two"]],
  [{ maxScore: 50.5 }, ["Two", "One"]],
  [{ minScore: 20, maxScore: 60 }, ["Two"]],
  [{ minScore: 60, maxScore: 20 }, []],
  [{ terms: [{ isNot: false, field: "needs", value: "you" }] }, []],
  [{ from: at(2_000) }, ["Six", "Five", "Four", "Three", "Two"]],
  [{ before: at(2_000) }, ["One"]],
  [{ from: at(2_000), before: at(5_000) }, ["Four", "Three", "Two"]],
  [{ from: at(5_000), before: at(2_000) }, []],
  [{ label: "x", fromDomain: "a.example" }, ["One"]],
  [{ fromDomain: "a.example", status: "failed" }, []],
  [{ fromDomain: "a.example", maxScore: 95, from: at(2_000) }, ["Three"]],
  [{ words: ["o"] }, ["Four", "Two", "One"]],
  [{ words: ["o"], label: "x" }, ["Two", "One"]],
  [{ words: ["two"], label: "x", minScore: 50, status: "analyzed" }, ["Two"]],
  [{ words: ["two"], label: "y" }, []],
  [{ words: ["two"], status: "failed" }, []],
  [{ words: ["thr", "e"], fromDomain: "a.example" }, ["Three"]],
  [{ words: ["three"], from: at(3_000), before: at(3_001) }, ["Three"]],
  [{ words: ["three"], before: at(3_000) }, []],
  [{ words: ["three"], from: at(3_001) }, []],
];

eachDialect("a list of tests", (open) => {
  test("a list of tests contains the tests that match all filters, newest first, and their number", async () => {
    const store = await openWithTests(open);
    for (const [filter, expected] of filters) {
      const { tests, next } = await findTests(store.readInWorker, "wsp_a", { limit: 9 }, filter);
      const { total, isExact } = await countTests(store.readInWorker, "wsp_a", filter);
      const found = tests.map(({ subject }) => subject);
      expect({ filter, found, next, total, isExact }).toEqual({
        filter,
        found: expected,
        next: null,
        total: expected.length,
        isExact: true,
      });
    }
  });

  test("a list of tests shows each test once, page by page, with any filter", async () => {
    const store = await openWithTests(open);
    for (const [filter, expected] of filters) {
      const seen: (string | null)[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const page = await findTests(store.readInWorker, "wsp_a", { limit: 1, after }, filter);
        seen.push(...page.tests.map(({ subject }) => subject));
        after = page.next;
      }
      expect([filter, seen]).toEqual([filter, expected]);
      const whole = await findTests(store.readInWorker, "wsp_a", { limit: expected.length || 1 }, filter);
      expect([filter, whole.tests.length, whole.next]).toEqual([filter, expected.length, null]);
      const second = await findTests(store.readInWorker, "wsp_a", { limit: 1, offset: 1 }, filter);
      expect(second.tests.map(({ subject }) => subject)).toEqual(expected.slice(1, 2));
    }
  });

  test("a list of tests with few matches continues after the rows that were read", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const [low] = await insertAnalysed(store, [{ subject: "Low", composite: 1, receivedAt: 1_000 }]);
    const others = await fill(store, highestCount + 1);
    const filter = { maxScore: 2 };
    const find = (after?: string) => findTests(store.readInWorker, "wsp_a", { limit: 5, after }, filter);
    const end = others.at(-longestWalk);
    const first = await find();
    expect(first).toEqual({ tests: [], next: end, left: null });
    const second = await find(end);
    const last = await find(second.next ?? "");
    expect(last).toMatchObject({ tests: [{ id: low }], next: null });
    expect(await countTests(store.readInWorker, "wsp_a", filter)).toEqual({ total: 0, isExact: false });
    expect(await countTests(store.readInWorker, "wsp_a", { minScore: 50 })).toEqual({
      total: highestCount,
      isExact: false,
    });
    expect(await countTests(store.readInWorker, "wsp_a", {})).toEqual({ total: highestCount + 2, isExact: true });
  });

  test("a list of tests shows the tests at an offset, even if the index scan ends before it", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const times = Array.from({ length: 10 }, (_, index) => 2_000 + index * 100 + (index < 5 ? 0 : longestWalk));
    const low = await insertAnalysed(
      store,
      times.map((receivedAt) => ({ subject: "Low", composite: 1, receivedAt })),
    );
    const [first = "", ...others] = low.toReversed();
    await store.write((db) => sql`update tests set subject = 'Other' where id <> ${first}`.execute(db));
    await fill(store, longestWalk + 1_000);
    const find = async (page: Pick<Page, "offset" | "after">) => {
      const question = { workspaceId: "wsp_a", filter: { maxScore: 2 }, isCounted: true };
      const { tests, next, counted } = await findCountedTests(store.readInWorker, {
        ...question,
        page: { limit: 2, ...page },
      });
      return { ids: tests.map(({ id }) => id), next, counted };
    };
    const expected = [first, ...others];
    const counted = { total: 10, isExact: true };
    for (const offset of [0, 3, 4, 6, 7]) {
      const { next, ...found } = await find({ offset });
      expect(found).toEqual({ ids: expected.slice(offset, offset + 2), counted });
      const further = next === null ? null : await find({ after: next });
      expect(further?.ids).toEqual(expected.slice(offset + 2, offset + 4));
    }
    for (const offset of [8, 9, 10])
      expect(await find({ offset })).toEqual({ ids: expected.slice(offset), next: null, counted });
  });

  test("a list of tests shows the tests at an offset as far as it reads, and continues after it", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const filled = highestCount + 1_000;
    const times = [1_000, 1_001, 5_000, 5_001, 2_000 + filled, 2_001 + filled];
    const low = await insertAnalysed(
      store,
      times.map((receivedAt, index) => ({ subject: index === 0 ? "Low" : "Other", composite: 1, receivedAt })),
    );
    await fill(store, filled);
    const newest = low.toReversed();
    const find = (page: Pick<Page, "offset" | "after">) =>
      findTests(store.readInWorker, "wsp_a", { limit: 2, ...page }, { maxScore: 2 });
    const { tests, next, left } = await find({ offset: 3 });
    expect({ ids: tests.map(({ id }) => id), left }).toEqual({ ids: newest.slice(3, 4), left: null });
    const further = await find({ after: next ?? "" });
    expect(further.tests.map(({ id }) => id)).toEqual(newest.slice(4));
    expect(further.next).toBeNull();
    expect(await find({ offset: 4 })).toMatchObject({ tests: [], left: null, next: expect.any(String) });
  });

  test("a list of tests for a word that became common shows all its current tests", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const insert = (count: number, beginsAt: number) =>
      insertManyAnalysed(
        store,
        Array.from({ length: count }, (_, index) => ({ subject: "Sale", receivedAt: beginsAt + index })),
      );
    const [first = ""] = await insert(1, 1_000);
    const find = () => findTests(store.readInWorker, "wsp_a", { limit: 1 }, { words: ["sale"] });
    expect(await find()).toMatchObject({ tests: [{ id: first }], next: null, left: 1 });
    const more = await insert(shortWalk + 5, 2_000);
    expect(await find()).toMatchObject({ tests: [{ id: more.at(-1) }], next: more.at(-1), left: null });
    expect(await countTests(store.readInWorker, "wsp_a", { words: ["sale"] })).toEqual({
      total: shortWalk + 6,
      isExact: true,
    });
  });

  test("a list of tests shows the same page with a known total and a new count", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const ids = await insertAnalysed(
      store,
      Array.from({ length: shortestWalk + 50 }, (_, index) => ({
        subject: index % 2 === 0 ? "Sale of apples" : "Apples on sale",
        receivedAt: 1_000 + index,
      })),
    );
    const question = { workspaceId: "wsp_a", filter: { words: ["sale", "of"] } };
    for (const page of [{ limit: 3 }, { limit: 3, offset: 20 }, { limit: 3, after: ids[40] ?? "" }]) {
      const counted = await findCountedTests(store.readInWorker, { ...question, page, isCounted: true });
      const known = await findCountedTests(store.readInWorker, { ...question, page, isCounted: false });
      expect(known.tests.map(({ id }) => id)).toEqual(counted.tests.map(({ id }) => id));
      expect(known.next).toBe(counted.next);
      expect(counted.tests).toHaveLength(3);
      expect(counted.counted).toEqual({ total: ids.length / 2, isExact: true });
      expect(known.counted).toBeNull();
    }
  });

  test("a list of tests has no next page at its end, with a known total and a new count", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    await insertManyAnalysed(
      store,
      Array.from({ length: longestWalkWithLooks }, (_, index) => ({
        subject: "Sale",
        label: index < 3 ? "x" : null,
        receivedAt: 1_000 + index,
      })),
    );
    const question = { workspaceId: "wsp_a", page: { limit: 9 }, filter: { words: ["sale"], label: "x" } };
    for (const isCounted of [true, false]) {
      const { tests, next } = await findCountedTests(store.readInWorker, { ...question, isCounted });
      expect({ isCounted, tests: tests.length, next }).toEqual({ isCounted, tests: 3, next: null });
    }
  });

  test("a list of tests for a common and a short word excludes tests without the short one", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    await insertManyAnalysed(
      store,
      Array.from({ length: highestCount + 1 }, (_, index) => ({
        subject: index === highestCount ? "Sale zq" : "Sale abc bcd",
        receivedAt: 1_000 + index,
      })),
    );
    const count = (...words: string[]) => countTests(store.readInWorker, "wsp_a", { words });
    expect(await count("sale", "zq")).toEqual({ total: 1, isExact: false });
    expect(await count("sale", "al")).toEqual({ total: highestCount, isExact: false });
    expect(await count("sale")).toEqual({ total: highestCount, isExact: false });
    expect(await count("bcd")).toEqual({ total: highestCount, isExact: true });
    expect(await count("abc", "bcd", "sale")).toEqual({ total: highestCount, isExact: true });
  });

  test("a list of tests for a word that only matches by trigrams is empty", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const subjects = Array.from({ length: highestCount + 1 }, () => "abcx xbcd");
    await insertManyAnalysed(
      store,
      subjects.map((subject, index) => ({ subject, receivedAt: 1_000 + index })),
    );
    const count = await countTests(store.readInWorker, "wsp_a", { words: ["abcd"] });
    expect(count).toEqual({ total: 0, isExact: false });
  });
});

/** Tests with a score of 99. Returns their IDs, oldest first. */
async function fill(store: Store, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `${at(2_000 + index)}${"b".repeat(16)}`);
  await insertTests(
    store,
    "wsp_a",
    ids.map((id) => ({ id, composite: 99 })),
  );
  return ids;
}

/** `steps`: SQLite's query plans for tables whose sizes it doesn't know. */
async function openExplained() {
  const file = join(temporaryFolder(), "assay.db");
  const store = await openSqliteStore(file);
  await openWithTests(async () => store);
  const database = openDatabase(file, { readonly: true, lockWaitMs: 0, addonFile: undefined });
  onTestFinished(database.close);
  const steps: string[] = [];
  const db = createReader((query) => {
    const { rows } = database.query(`explain query plan ${query.sql}`, query.parameters);
    steps.push(...rows.map((row) => (row as { detail: string }).detail));
    return executeOn(database)(query);
  });
  return { db, steps };
}

test("no list reads all tests of the server, or sorts more than a page", async () => {
  const { db, steps } = await openExplained();
  for (const [filter] of filters) {
    steps.length = 0;
    await findTests(db, "wsp_a", { limit: 50, after: at(9_000) }, filter);
    await countTests(db, "wsp_a", filter);
    // The IDs of a short list may be sorted, because there are two thousand at most.
    const slow = steps.filter((step) => /^SCAN (tests|test_words)\b|TEMP B-TREE(?! FOR string_agg)/.test(step));
    expect([filter, ...slow]).toEqual([filter]);
  }
});

test("the messages that need you and the scores of a stream are found through an index", async () => {
  const { db, steps } = await openExplained();
  const scope = inWorkspace(db, "wsp_a");
  await listNeeding(db, scope, 1, 5);
  await listScores(scope, "str_a", 20);
  await listNewestStreams(scope, 5);
  expect(steps.filter((step) => /^SCAN (tests|contributions|streams)\b/.test(step))).toEqual([]);
  for (const index of ["contributions_by_time", "tests_of_stream", "streams_newest"])
    expect(steps).toContainEqual(expect.stringContaining(index));
});

test.each([
  ["received", "tests_due"],
  ["analyzing", "tests_due"],
  ["failed", "tests_failed"],
] as const)("the list of tests that are %s reads no others", async (status, index) => {
  const { db, steps } = await openExplained();
  await findTests(db, "wsp_a", { limit: 50, after: at(9_000) }, { status });
  expect(steps).toContainEqual(expect.stringContaining(index));
  const walked = steps.filter((step) => step.includes("tests_newest"));
  for (const step of walked) expect(step).toContain("id=?");
});
