import { expect, test } from "vitest";
import { createDice, type Dice } from "../../../scripts/dice.ts";
import { beginningAt } from "../../../src/ids.ts";
import { toSearchWords } from "../../../src/search-words.ts";
import type { Db, TestStatus } from "../../../src/store/schema/schema.ts";
import { inWorkspace } from "../../../src/store/scope.ts";
import { keepTestWords } from "../../../src/store/search/search.ts";
import type { Store } from "../../../src/store/store.ts";
import { findCountedTests, type TestPage } from "../../../src/store/tests/lists.ts";
import { removeTests } from "../../../src/store/tests/removal.ts";
import type { TestFilter } from "../../../src/store/tests/walks.ts";
import { type AnalysedTest, insertManyAnalysed } from "../analysed.ts";
import { eachDialect } from "../each-dialect.ts";
import { insertWorkspaces } from "../nouns.ts";

type Known = AnalysedTest & { readonly id: string; readonly status: TestStatus };

const statuses = ["received", "analyzing", "analyzed", "failed"] as const;

const workspaces = ["wsp_a", "wsp_b"];
const subjectWords = [
  "sale",
  "sales",
  "of",
  "order",
  "reorder",
  "disorder",
  "zq",
  "x",
  "überall",
  "1234",
  "234",
];
const askedWords = [...subjectWords, "ord", "rde", "sal", "le", "der", "ber", "34", "nothing"];
const labels = ["x", "y"];
const domains = ["a.example", "b.example"];

eachDialect("lists of tests thrown by dice", (open) => {
  test("contain what their filters match, page by page, while tests are removed and changed", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, ...workspaces));
    const dice = createDice(7);
    let known = await insertThrown(store, dice, 5_000);
    for (let round = 0; round < 30; round++) {
      known = await changeSome(store, dice, known, 5);
      const workspaceId = pick(workspaces, dice);
      const filter = throwFilter(dice, known);
      const expected = () =>
        known.filter((one) => (one.workspaceId ?? "") === workspaceId && letsThrough(filter, one));
      const shown = { round, workspaceId, filter };
      const seen: string[] = [];
      let gone = new Set<string>();
      const limit = 1 + dice(100);
      for (let after: string | undefined, isOver = false; !isOver; ) {
        const listed = expected();
        const isCounted = dice(2) === 0;
        const page = await findCountedTests(store.readInWorker, {
          ...{ workspaceId, filter, isCounted },
          page: { limit, after },
        });
        if (isCounted)
          expect({ ...shown, ...page.counted }).toEqual({ ...shown, total: listed.length, isExact: true });
        seen.push(...idsOf(page));
        isOver = page.next === null;
        after = page.next ?? undefined;
        if (dice(3) === 0) {
          const removed = await removeOne(store, dice, known, after);
          known = known.filter(({ id }) => id !== removed);
          gone = gone.add(removed);
        }
      }
      const left = expected().map(({ id }) => id);
      const stillThere = seen.filter((id) => !gone.has(id));
      expect({ ...shown, ids: stillThere }).toEqual({ ...shown, ids: left });
      expect(new Set(seen).size).toBe(seen.length);
      const offset = dice(6);
      const second = await findCountedTests(store.readInWorker, {
        ...{ workspaceId, filter, isCounted: true },
        page: { limit, offset },
      });
      expect({ ...shown, ids: idsOf(second) }).toEqual({ ...shown, ids: left.slice(offset, offset + limit) });
    }
  });
});

/** Newest first. Many share a millisecond. */
async function insertThrown(store: Store, dice: Dice, count: number): Promise<Known[]> {
  const thrown = Array.from(
    { length: count },
    (): AnalysedTest => ({
      subject: throwSubject(dice),
      header_from: `${pick(subjectWords, dice)}@${pick(domains, dice)}`,
      from_domain: pick(domains, dice),
      composite: dice(5) === 0 ? null : dice(100),
      label: dice(3) === 0 ? null : pick(labels, dice),
      receivedAt: 1_000 + dice(40),
      workspaceId: pick(workspaces, dice),
    }),
  );
  const ids = await insertManyAnalysed(store, thrown);
  const known = thrown.map((one, index) => ({
    ...one,
    id: ids[index] ?? "",
    status: dice(4) > 0 ? "analyzed" : pick(statuses, dice),
  }));
  await store.write((db) => setStatuses(db, known));
  return known.toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/** Only tests that are received or being analyzed are due. */
async function setStatuses(db: Db, known: readonly Known[]): Promise<void> {
  for (const [status, own] of Map.groupBy(known, (one) => one.status)) {
    if (status === "analyzed") continue;
    const ids = own.map(({ id }) => id);
    const due_at = status === "failed" ? null : 2_000;
    await db.updateTable("tests").set({ status, due_at }).where("id", "in", ids).execute();
  }
}

function throwSubject(dice: Dice): string {
  return Array.from({ length: 1 + dice(4) }, () => pick(subjectWords, dice)).join(" ");
}

async function changeSome(store: Store, dice: Dice, known: readonly Known[], some: number): Promise<Known[]> {
  const changed = new Map<string, Known>();
  while (changed.size < some) {
    const one = { ...pick(known, dice), subject: throwSubject(dice) };
    const { id, workspaceId = "", subject, header_from = null } = one;
    await store.write((db) => keepTestWords(db, { id, workspace_id: workspaceId, subject, header_from }));
    changed.set(id, one);
  }
  return known.map((one) => changed.get(one.id) ?? one);
}

function throwFilter(dice: Dice, known: readonly Known[]): TestFilter {
  const bound = () => (dice(2) === 0 ? beginningAt("test", 1_000 + dice(40)) : pick(known, dice).id);
  return {
    ...(dice(3) > 0 && { words: Array.from({ length: 1 + dice(3) }, () => pick(askedWords, dice)) }),
    ...(dice(4) === 0 && { label: pick(labels, dice) }),
    ...(dice(4) === 0 && { fromDomain: pick(domains, dice) }),
    ...(dice(6) === 0 && { minScore: dice(60) }),
    ...(dice(6) === 0 && { maxScore: 40 + dice(60) }),
    ...(dice(4) === 0 && { status: pick(statuses, dice) }),
    ...(dice(5) === 0 && { from: bound() }),
    ...(dice(5) === 0 && { before: bound() }),
  };
}

function letsThrough(filter: TestFilter, one: Known): boolean {
  const { words = [], label, fromDomain, status, minScore, maxScore, from, before } = filter;
  const own = [one.subject, one.header_from].flatMap((text) => toSearchWords(text ?? ""));
  const score = one.composite ?? null;
  return (
    words.every((word) => own.some((held) => held.includes(word))) &&
    (label === undefined || one.label === label) &&
    (fromDomain === undefined || one.from_domain === fromDomain) &&
    (status === undefined || one.status === status) &&
    isWithin(score, minScore, maxScore) &&
    (from === undefined || one.id >= from) &&
    (before === undefined || one.id < before)
  );
}

function isWithin(score: number | null, least: number | undefined, most: number | undefined): boolean {
  if (least === undefined && most === undefined) return true;
  return score !== null && score >= (least ?? 0) && score <= (most ?? 100);
}

/** Often the very test after which the next page begins. */
async function removeOne(
  store: Store,
  dice: Dice,
  known: readonly Known[],
  after: string | undefined,
): Promise<string> {
  const chosen = dice(2) === 0 ? known.find(({ id }) => id === after) : undefined;
  const { id, workspaceId = "" } = chosen ?? pick(known, dice);
  await store.write((db) => removeTests(inWorkspace(db, workspaceId), [id]));
  return id;
}

function idsOf({ tests }: TestPage): string[] {
  return tests.map(({ id }) => id);
}

function pick<T>(choices: readonly T[], dice: Dice): T {
  return choices[dice(choices.length)] as T;
}
