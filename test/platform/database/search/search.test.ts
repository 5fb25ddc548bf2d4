import { sql } from "kysely";
import { expect, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { findTests } from "../../../../src/features/tests/rows/lists.ts";
import { removeTests } from "../../../../src/features/tests/rows/removal.ts";
import { countTests } from "../../../../src/features/tests/rows/totals.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { hasMoreCandidates, keepTestWords, type SearchQuery } from "../../../../src/platform/database/search/search.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { toSearchWords } from "../../../../src/platform/search-words.ts";
import { type AnalysedTest, insertAnalysed } from "../analysed.ts";
import { eachDialect, type Open } from "../each-dialect.ts";
import { insertWorkspaces, message } from "../nouns.ts";

async function openWith(open: Open, tests: readonly AnalysedTest[]) {
  const store = await open();
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  const ids = await insertAnalysed(store, tests);
  return { store, ids, find: (q: string, workspaceId?: string) => find(store, q, workspaceId) };
}

async function find(store: Store, q: string, workspaceId = "wsp_a"): Promise<(string | null)[]> {
  const { tests } = await findTests(store.readInWorker, workspaceId, { limit: 100 }, { words: toSearchWords(q) });
  return tests.map(({ subject, header_from }) => subject ?? header_from);
}

function toRow(id: string, subject: string) {
  return { id, workspace_id: "wsp_a", subject, header_from: null };
}

async function countSegments({ read }: Store): Promise<number | undefined> {
  const { rows } = await sql<{ segments: number }>`
    select count(distinct segid) as segments from test_trigrams_idx`.execute(read);
  return rows[0]?.segments;
}

const subjects = [
  "Your invoice of May",
  "Ваш Заказ отправлен",
  "50% off: a_b, a-b and c\\d",
  'He said "NOT near" (twice) AND left*',
  "Ünïcode STRASSE İstanbul ΟΔΟΣ",
  "ＦＵＬＬ ﬁne 𝓕𝓻𝓮𝓮 soft\u00adhyphen",
  "注文が発送されました",
  "🎉🎊🎈 party",
  "a",
  "^col : x' --",
];

/** A search, and the subjects that match it, by their index above. */
const questions: readonly (readonly [string, readonly number[]])[] = [
  ["invoice", [0]],
  ["INVOICE may", [0]],
  ["voic", [0]],
  ["invoice june", []],
  ["заказ", [1]],
  ["отправлен ваш", [1]],
  ["%", [2]],
  ["_", [2]],
  ["a_b", [2]],
  ["50%", [2]],
  ["a-b", [2]],
  ["c\\d", [2]],
  ["%off", []],
  ["i_voice", []],
  ['"not', [3]],
  ["(twice)", [3]],
  ["AND", [3, 2]],
  ["left*", [3]],
  ["inv*", []],
  ["NOT invoice", []],
  ["NEAR(said,", []],
  ["ünï", [4]],
  ["uni", []],
  ["strasse", [4]],
  ["οδος", [4]],
  ["οδοσ", [4]],
  ["İSTANBUL", [4]],
  ["full", [5]],
  ["fine", [5]],
  ["free", [5]],
  ["softhyphen", [5]],
  ["発送", [6]],
  ["発送され", [6]],
  ["文", [6]],
  ["🎊", [7]],
  ["🎉🎊🎈", [7]],
  ["🎈🎊🎉", []],
  ["m", [1, 0].filter((place) => place === 0)],
  ["of ma", [0]],
  ["^col", [9]],
  ["x'", [9]],
  ["--", [9]],
  [":", [9, 2]],
  ["' or 1=1 --", []],
  ["trigrams:invoice", []],
  ["wsp_a", []],
];

eachDialect("a search", (open) => {
  test("a search finds tests that contain all words, regardless of case, script, and punctuation", async () => {
    const { find } = await openWith(
      open,
      subjects.map((subject) => ({ subject })),
    );
    const found = Object.fromEntries(await Promise.all(questions.map(async ([q]) => [q, await find(q)] as const)));
    const expected = questions.map(([q, places]) => [q, places.map((place) => subjects[place]).sort()]);
    expect(Object.fromEntries(Object.entries(found).map(([q, texts]) => [q, texts.sort()]))).toEqual(
      Object.fromEntries(expected),
    );
  });

  test("a search searches the sender too, but not across both fields", async () => {
    const { find } = await openWith(open, [
      { subject: "Hello", header_from: "Ada Lovelace <ada@engine.example>" },
      { subject: "Hello again", header_from: "bob@other.example" },
    ]);
    expect(await find("ada@engine")).toEqual(["Hello"]);
    expect(await find("hello lovelace")).toEqual(["Hello"]);
    expect(await find(".example hello")).toEqual(["Hello again", "Hello"]);
    expect(await find("helloada")).toEqual([]);
  });

  test("a search finds nothing of another workspace", async () => {
    const { find } = await openWith(open, [
      { subject: "Theirs", workspaceId: "wsp_b" },
      { subject: "Theirs and ours" },
    ]);
    expect(await find("theirs")).toEqual(["Theirs and ours"]);
    expect(await find("th")).toEqual(["Theirs and ours"]);
    expect(await find("theirs", "wsp_b")).toEqual(["Theirs"]);
    expect(await find("theirs", "wsp_")).toEqual([]);
  });

  test("a search lists the newest first, page by page, each once, even within one millisecond", async () => {
    const tests = Array.from({ length: 40 }, (_, index) => ({
      subject: `Letter ${index}`,
      receivedAt: 1_000_000 + (index % 3),
    }));
    const { store, ids } = await openWith(open, tests);
    for (const words of [["letter"], ["le"]]) {
      const seen: string[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const page = await findTests(store.readInWorker, "wsp_a", { limit: 7, after }, { words });
        seen.push(...page.tests.map(({ id }) => id));
        after = page.next;
      }
      expect(seen).toEqual([...ids].sort().reverse());
      const second = await findTests(store.readInWorker, "wsp_a", { limit: 3, offset: 30 }, { words });
      expect(second.tests.map(({ id }) => id)).toEqual(seen.slice(30, 33));
    }
  });

  test("a search continues after a test that was deleted", async () => {
    const { store, ids } = await openWith(
      open,
      ["One", "Two", "Three"].map((word) => ({ subject: `${word} letter` })),
    );
    const page = { limit: 1, after: ids[2] };
    await store.write((db) => removeTests(inWorkspace(db, "wsp_a"), [ids[2] ?? ""]));
    const { tests } = await findTests(store.readInWorker, "wsp_a", page, { words: ["letter"] });
    expect(tests).toMatchObject([{ subject: "Two letter" }]);
  });

  test("a search forgets deleted tests, and words that a re-analysis removed", async () => {
    const { store, ids, find } = await openWith(open, [{ subject: "Alpha" }, { subject: "Beta" }]);
    await store.write((db) => removeTests(inWorkspace(db, "wsp_a"), [ids[0] ?? ""]));
    expect(await find("alpha")).toEqual([]);
    const row = { id: ids[1] ?? "", workspace_id: "wsp_a", subject: "Gamma", header_from: null };
    await store.write((db) => keepTestWords(db, row));
    expect([await find("beta"), await find("gamma")]).toEqual([[], ["Beta"]]);
    await store.write((db) => db.deleteFrom("workspaces").where("id", "=", "wsp_a").execute());
    expect(await find("gamma")).toEqual([]);
  });

  test("a search finds the same after a cleanup merged its index", async () => {
    const { store, find } = await openWith(open, [{ subject: "Letter 0" }]);
    for (let letter = 1; letter < 30; letter++)
      await insertAnalysed(store, [{ subject: `Letter ${letter}`, receivedAt: 1_000_000 + letter }]);
    const before = await find("letter");
    await store.sqlite?.tidy();
    expect(await find("letter")).toEqual(before);
    expect(before).toHaveLength(30);
    if (store.sqlite) expect(await countSegments(store)).toBeLessThanOrEqual(3);
    await insertAnalysed(store, [{ subject: "Letter 30", receivedAt: 2_000_000 }]);
    expect(await find("letter")).toEqual(["Letter 30", ...before]);
  });

  test("a search indexes the tests of a commit together, in their final state", async () => {
    const { store, find } = await openWith(open, [{ subject: "First" }]);
    const before = store.sqlite ? await countSegments(store) : 0;
    await insertAnalysed(
      store,
      Array.from({ length: 6 }, (_, index) => ({ subject: `Letter ${index}`, receivedAt: 2_000_000 + index })),
    );
    if (store.sqlite) expect(await countSegments(store)).toBe((before ?? 0) + 1);
    const [gone = "", changed = ""] = await insertAnalysed(store, [{ subject: "Alpha" }, { subject: "Beta" }]);
    const writes = [
      () => store.write((db) => keepTestWords(db, toRow(gone, "Gamma"))),
      () => store.write((db) => keepTestWords(db, toRow(changed, "Delta"))),
      () => store.write((db) => removeTests(inWorkspace(db, "wsp_a"), [gone])),
      () => store.write((db) => keepTestWords(db, toRow(changed, "Epsilon"))),
    ];
    if (store.sqlite) await Promise.all(writes.map((write) => write()));
    else for (const write of writes) await write(); // in parallel their order would be random
    expect([await find("alpha"), await find("gamma"), await find("delta")]).toEqual([[], [], []]);
    expect([await find("epsilon"), await find("letter 3")]).toEqual([["Beta"], ["Letter 3"]]);
  });

  test("a search finds the current words of a test that changed during a search", async () => {
    const { store, ids, find } = await openWith(open, [{ subject: "Of old" }, { subject: "Alpha omega" }]);
    const [, changed = ""] = ids;
    const say = (subject: string) =>
      store.write((db) => keepTestWords(db, { ...toRow(changed, subject), header_from: "" }));
    const found = async () =>
      (await Promise.all(["alpha", "gamma", "delta"].map((q) => find(`${q} mega`)))).map(({ length }) => length);
    expect(await found()).toEqual([1, 0, 0]);
    await say("Gamma omega");
    expect(await found()).toEqual([0, 1, 0]);
    await say("Alpha Delta omega");
    expect(await found()).toEqual([1, 0, 1]);
    await say("Gamma omega");
    expect(await found()).toEqual([0, 1, 0]);
    await say("omegalpha");
    expect(await found()).toEqual([1, 0, 0]);
    await store.write((db) => removeTests(inWorkspace(db, "wsp_a"), [changed]));
    expect(await found()).toEqual([0, 0, 0]);
  });

  test("a search finds the current words even if another test of the same millisecond differs", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const ids = ["tst_0000000yy000", "tst_0000000yy004"].map((id) => id.padEnd(30, "0"));
    await createIntake(store).insert(ids.map((id) => message(id, { workspaceId: "wsp_a" })));
    const [lower = "", upper = ""] = ids;
    const say = (id: string, subject: string) =>
      store.write((db) => keepTestWords(db, { ...toRow(id, subject), header_from: "" }));
    const count = async (q: string) => (await find(store, q)).length;
    await say(lower, "first");
    await say(upper, "second");
    expect([await count("first"), await count("second")]).toEqual([1, 1]);
    await say(upper, "third");
    await say(lower, "fourth");
    const words = ["first", "second", "third", "fourth"];
    expect(await Promise.all(words.map(count))).toEqual([0, 0, 1, 1]);
  });

  test("a search has more results beyond one cursor and none beyond another", async () => {
    const { store, ids } = await openWith(
      open,
      Array.from({ length: 8 }, (_, index) => ({ subject: "abcd", receivedAt: 1_000 + index })),
    );
    const bound = ids.toSorted()[2];
    const hasMore = (bounds: Partial<SearchQuery>) =>
      hasMoreCandidates(
        store.readInWorker,
        { workspaceId: "wsp_a", words: ["abcd"], from: undefined, before: undefined, ...bounds },
        4,
      );
    expect(await hasMore({ from: bound })).toBe(true);
    expect(await hasMore({ before: bound })).toBe(false);
  });

  test("a search indexes the tests of a commit in one segment, in any order and workspace", async () => {
    const letters = Array.from({ length: 8 }, (_, index) => ({
      subject: `Letter ${index}`,
      workspaceId: index % 3 === 0 ? "wsp_b" : "wsp_a",
    }));
    const { store, ids } = await openWith(open, letters);
    const countNew = async (change: () => Promise<unknown>) => {
      const before = store.sqlite ? await countSegments(store) : 0;
      await change();
      return ((await countSegments(store)) ?? 0) - (before ?? 0);
    };
    const keepAll = () =>
      Promise.all(
        [...ids.entries()].reverse().map(([index, id]) => {
          const workspace_id = letters[index]?.workspaceId ?? "";
          return store.write((db) => keepTestWords(db, { ...toRow(id, `Parcel ${index}`), workspace_id }));
        }),
      );
    if (store.sqlite) expect(await countNew(keepAll)).toBe(1);
    else await keepAll();
    const shown = ["wsp_a", "wsp_b"].map((workspaceId) => find(store, "parcel", workspaceId));
    expect(await Promise.all(shown)).toEqual(
      [
        [7, 5, 4, 2, 1],
        [6, 3, 0],
      ].map((own) => own.map((index) => `Letter ${index}`)),
    );
  });

  test("a search counts what it finds", async () => {
    const { store } = await openWith(open, [
      ...Array.from({ length: 12 }, () => ({ subject: "invoice" })),
      { subject: "invoke voice" },
      { subject: "inv oic ice" },
    ]);
    const count = (q: string) => countTests(store.readInWorker, "wsp_a", { words: toSearchWords(q) });
    expect(await count("invoice")).toEqual({ total: 12, isExact: true });
    expect(await count("inv")).toEqual({ total: 14, isExact: true });
    expect(await count("nothing")).toEqual({ total: 0, isExact: true });
  });
});
