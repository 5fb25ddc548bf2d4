import { expect, test } from "vitest";
import { createDice, type Dice } from "../../../../scripts/dice.ts";
import type { ScoreOrder } from "../../../../src/features/tests/rows/by-score.ts";
import type { TestFilter, TestTerm } from "../../../../src/features/tests/rows/conditions.ts";
import { findCountedTests, type TestPage, type TestQuestion } from "../../../../src/features/tests/rows/lists.ts";
import { removeTests } from "../../../../src/features/tests/rows/removal.ts";
import type { TestStatus } from "../../../../src/features/tests/tables.ts";
import type { Db } from "../../../../src/platform/database/schema.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { keepTestWords } from "../../../../src/platform/database/search/search.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { beginningAt } from "../../../../src/platform/ids.ts";
import { toSearchWords } from "../../../../src/platform/search-words.ts";
import { type AnalysedTest, insertManyAnalysed } from "../../../platform/database/analysed.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";

type Known = AnalysedTest & { readonly id: string; readonly status: TestStatus };

const statuses = ["received", "analyzing", "analyzed", "failed"] as const;

const workspaces = ["wsp_a", "wsp_b"];
const subjectWords = ["sale", "sales", "of", "order", "reorder", "disorder", "zq", "x", "überall", "1234", "234"];
const askedWords = [...subjectWords, "ord", "rde", "sal", "le", "der", "ber", "34", "nothing"];
const results = ["pass", "fail", null] as const;
const malwareResults = ["found", "suspicious", "none", null] as const;
const kinds = ["bulk", "personal", null] as const;
const placements = [
  { inbox_rate: null, spam_rate: null, promo_rate: null },
  { inbox_rate: 0.5, spam_rate: 0.5, promo_rate: 0 },
  { inbox_rate: 0.2, spam_rate: 0.2, promo_rate: 0.6 },
];
const labels = ["x", "y"];
const domains = ["a.example", "b.example"];

eachDialect("random lists of tests", (open) => {
  test("random lists of tests contain the matching tests, page by page, during deletions and changes", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, ...workspaces));
    const dice = createDice(7);
    let known = await insertThrown(store, dice, 1_000);
    for (let round = 0; round < 6; round++) {
      known = await changeSome(store, dice, known, 5);
      const workspaceId = pick(workspaces, dice);
      const filter = throwFilter(dice, known);
      const expected = () => known.filter((one) => (one.workspaceId ?? "") === workspaceId && letsThrough(filter, one));
      const shown = { round, workspaceId, filter };
      const seen: string[] = [];
      let gone = new Set<string>();
      const limit = 1 + dice(100);
      for (let after: string | undefined, isOver = false; !isOver; ) {
        const listed = expected();
        const isCounted = dice(2) === 0;
        const page = await findCountedTests(store.readInWorker, {
          workspaceId,
          filter,
          isCounted,
          page: { limit, after },
        });
        if (isCounted) expect({ ...shown, ...page.counted }).toEqual({ ...shown, total: listed.length, isExact: true });
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
        workspaceId,
        filter,
        isCounted: true,
        page: { limit, offset },
      });
      expect({ ...shown, ids: idsOf(second) }).toEqual({ ...shown, ids: left.slice(offset, offset + limit) });
      const order = pick(["lowest", "highest"] as const, dice);
      const sorted = sortByScore(expected(), order).map(({ id }) => id);
      const byScore = await readAllByScore(store, { workspaceId, filter, order, limit: limit + 20 });
      expect({ ...shown, order, ids: byScore }).toEqual({ ...shown, order, ids: sorted });
    }
  });
});

type ScoredList = Pick<TestQuestion, "workspaceId" | "filter" | "order"> & { readonly limit: number };

async function readAllByScore(store: Store, { limit, ...list }: ScoredList): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined, isOver = false; !isOver; ) {
    const question = { ...list, page: { limit, after }, isCounted: false };
    const page = await findCountedTests(store.readInWorker, question);
    ids.push(...idsOf(page));
    isOver = page.next === null;
    after = page.next ?? undefined;
  }
  return ids;
}

/** Without a score, a test is not in it. */
function sortByScore(known: readonly Known[], order: ScoreOrder): Known[] {
  const scored = known.filter(({ composite }) => typeof composite === "number");
  const sorted = scored.toSorted(
    (one, other) => (one.composite ?? 0) - (other.composite ?? 0) || (one.id < other.id ? -1 : 1),
  );
  return order === "lowest" ? sorted : sorted.toReversed();
}

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
      spf: pick(results, dice),
      dkim: pick(results, dice),
      dmarc: pick(results, dice),
      kind: pick(kinds, dice),
      attachments: pick([null, 0, 2], dice),
      ...pick(placements, dice),
      malware: pick(malwareResults, dice),
      recipients: JSON.stringify([pick(["Ada+CI@seed.example", "ada@seed.example"], dice)]),
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
    ...(dice(3) === 0 && { terms: Array.from({ length: 1 + dice(2) }, () => throwTerm(dice)) }),
  };
}

function throwTerm(dice: Dice): TestTerm {
  const isNot = dice(2) === 0;
  const least = dice(60);
  const terms: readonly TestTerm[] = [
    { isNot, field: "words", words: Array.from({ length: 1 + dice(2) }, () => pick(askedWords, dice)) },
    { isNot, field: "label", value: pick(labels, dice) },
    { isNot, field: "from_domain", value: pick(domains, dice) },
    { isNot, field: "status", value: pick(statuses, dice) },
    { isNot, field: pick(["spf", "dkim", "dmarc"] as const, dice), value: pick(results, dice) },
    { isNot, field: "kind", value: pick(kinds, dice) },
    { isNot, field: "malware", value: pick(malwareResults, dice) },
    { isNot, field: "placement", value: pick(["inbox", "spam", "promotions", null], dice) },
    { isNot, field: "has", value: pick(["attachment", "label", "score"] as const, dice) },
    { isNot, field: "to", value: pick(["+ci@", "seed.example", "nobody"], dice) },
    { isNot, field: "score", least, most: least + dice(40) },
    { isNot, field: "received", from: beginningAt("test", 1_000 + dice(40)), before: null },
  ];
  return pick(terms, dice);
}

function isTrueOf(term: TestTerm, one: Known): boolean {
  return isFoundBy(term, one) !== term.isNot;
}

function isFoundBy(term: TestTerm, one: Known): boolean {
  const score = one.composite ?? null;
  const { inbox_rate: inbox = null, spam_rate: spam = null, promo_rate: promotions = null } = one;
  switch (term.field) {
    case "words":
      return hasWords(one, term.words);
    case "placement":
      if (inbox === null || spam === null || promotions === null) return term.value === null;
      if (term.value === null) return inbox + spam + promotions === 0;
      return { inbox, spam, promotions }[term.value] >= Math.max(inbox, spam, promotions, Number.MIN_VALUE);
    case "has":
      return { attachment: (one.attachments ?? 0) > 0, label: one.label !== null, score: score !== null }[term.value];
    case "to":
      return (one.recipients ?? "").toLowerCase().includes(term.value);
    case "score":
      return score !== null && score >= term.least && score <= term.most;
    case "received":
      return one.id >= (term.from ?? "");
    // test/features/tests/routes/test-search.test.ts has messages, which these rows don't.
    case "door":
    case "needs":
    case "removal":
      return false;
    default:
      return (one[term.field] ?? null) === term.value;
  }
}

function hasWords(one: Known, words: readonly string[]): boolean {
  const own = [one.subject, one.header_from].flatMap((text) => toSearchWords(text ?? ""));
  return words.every((word) => own.some((held) => held.includes(word)));
}

function letsThrough(filter: TestFilter, one: Known): boolean {
  const { words = [], label, fromDomain, status, minScore, maxScore, from, before, terms = [] } = filter;
  const score = one.composite ?? null;
  return (
    hasWords(one, words) &&
    terms.every((term) => isTrueOf(term, one)) &&
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
