// The app's search through the API: in the list, in the export, and for deletions.

import { describe, expect, test } from "vitest";
import { receiveThroughDoor } from "../../../../src/features/intake/work/receive-message.ts";
import type { TestsTable } from "../../../../src/features/tests/tables.ts";
import { createDoorChore } from "../../../../src/features/tests/work/fill-doors.ts";
import { undoableMs } from "../../../../src/features/tests/work/undoable.ts";
import { keepTestWords } from "../../../../src/platform/database/search/search.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { startHttpWorld } from "../../../http/http-world.ts";
import { insertTests } from "../../../platform/database/test-rows.ts";

async function worldWith(changes: readonly Partial<TestsTable>[]) {
  const world = await startHttpWorld();
  const workspace = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace.id);
  const began = world.clock.nowMs;
  const rows = changes.map((changed, index) => {
    const received_at = began - (changes.length - index) * 60_000;
    return { id: createId("test", received_at, new Uint8Array(16)), received_at, ...changed };
  });
  await insertTests(world.store, workspace.id, rows);
  await world.store.write(async (db) => {
    for (const { id, subject = null } of rows)
      await keepTestWords(db, { id, workspace_id: workspace.id, subject, header_from: "ann@sender.example" });
  });
  const caller = { token, workspace: workspace.id };
  const ask = (method: string, path: string, body?: unknown) =>
    world.ask(method, path, { ...caller, ...(body === undefined ? {} : { body }) });
  const list = async (query: Record<string, string>) =>
    (await ask("GET", `/api/tests?${new URLSearchParams(query)}`)).json;
  const subjectsOf = async (search: string) =>
    ((await list({ search })).items as { subject: string }[]).map(({ subject }) => subject);
  const restoreAs = (other: { token: string; workspace: string }, undo: string) =>
    world.ask("POST", "/api/tests/restore", { ...other, body: { undo } });
  const ids = rows.map(({ id }) => id);
  return { ...world, caller, ask, list, subjectsOf, restoreAs, ids };
}

const various: readonly Partial<TestsTable>[] = [
  { subject: "Good", spf: "pass", dkim: "pass", dmarc: "pass", composite: 95, kind: "bulk", attachments: 0 },
  { subject: "Bad", spf: "fail", dkim: "none", dmarc: "fail", composite: 40, kind: "bulk", attachments: 2 },
  { subject: "Build", spf: "fail", label: "ci", composite: 30, kind: "transactional" },
  { subject: "Fair", spf: "fail", label: "news", composite: 85, inbox_rate: 0.2, spam_rate: 0.8, promo_rate: 0 },
  { subject: "Odd words", recipients: '["Ada+News@seed.example"]', composite: null },
];

/** `to:` is about the addresses, not about how they are stored. */
const addressed: readonly Partial<TestsTable>[] = [
  { subject: "Two", recipients: JSON.stringify(["ann@seed.example", "bob@seed.example"]) },
  { subject: "Quoted", recipients: JSON.stringify(['"a\\"b, c"@seed.example']) },
  { subject: "Uploaded", recipients: "[]" },
];
const receivers: readonly (readonly [string, readonly string[]])[] = [
  ["to:ann@seed.example", ["Two"]],
  ["to:bob@", ["Two"]],
  ["to:seed.example", ["Quoted", "Two"]],
  ["to:[", []],
  ["to:]", []],
  ["to:,", ["Quoted"]],
  ["to:b,", ["Quoted"]],
  ["to:\\", ["Quoted"]],
  ["-to:]", ["Uploaded", "Quoted", "Two"]],
  ["to:ann@seed.example,bob@seed.example", []],
];

/** Everything in them that a stranger writes looks like another door. */
const forged = '"door":{"kind":"imap"';

test("the search word door: finds tests by the way they were received", async () => {
  const world = await worldWith([]);
  const { caller, intake, system, subjectsOf, ask, analyzeAll } = world;
  const address = "ann@seed.example";
  const recipient = { workspaceId: caller.workspace, seedInboxId: null, label: null, address };
  const toRaw = (subject: string) =>
    Buffer.from(`From: ann@sender.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@x>\r\n\r\nHi.\r\n`);
  const doors = {
    lmtp: { kind: "lmtp" },
    imap: { kind: "imap", mailbox: `"${forged}"@mailbox.example` },
    webhook: { kind: "webhook", provider: "postmark", recorded: { spf: forged } },
  } as const;
  await world.receive(caller.workspace, null, toRaw("smtp"));
  for (const [name, door] of Object.entries(doors)) {
    const claims = { clientAddress: null, helo: forged, mailFrom: `${forged}@sender.example` };
    await receiveThroughDoor({ raw: toRaw(name), door, recipients: [recipient], claims }, intake, system);
  }
  const headers = {
    "content-type": "message/rfc822",
    authorization: `Bearer ${caller.token}`,
    "x-workspace-id": caller.workspace,
  };
  await fetch(`${world.base}/api/tests/upload`, { method: "POST", body: toRaw("upload"), headers });
  await analyzeAll();
  const names = ["smtp", ...Object.keys(doors), "upload"];
  const expectAllFound = async () => {
    for (const name of names) expect([name, await subjectsOf(`door:${name}`)]).toEqual([name, [name]]);
    for (const name of names) expect(await subjectsOf(`-door:${name}`)).toHaveLength(4);
  };
  await expectAllFound();
  expect(await subjectsOf("door:imap from:sender.example")).toEqual(["imap"]);
  expect((await ask("GET", "/api/tests?search=door:lmtp%20imap")).json.total).toBe(0);
  // As an earlier version left them, until they are filled in.
  const storedDoors = async () =>
    (await world.store.read.selectFrom("tests").select("door").orderBy("id").execute()).map(({ door }) => door);
  const stored = await storedDoors();
  expect(stored.toSorted()).toEqual(["imap", "lmtp", "smtp", "upload", "webhook"]);
  await world.store.write((db) => db.updateTable("tests").set({ door: null }).execute());
  await expectAllFound();
  const chore = createDoorChore(world.store);
  expect(await chore.hasMore?.()).toBe(true);
  await chore.run(new AbortController().signal, serveOrThrow);
  expect(await chore.hasMore?.()).toBe(false);
  expect(await storedDoors()).toEqual(stored);
  await expectAllFound();
});

test("the search word malware: finds tests by ClamAV's result, which lists show", async () => {
  const { list, subjectsOf } = await worldWith([
    { subject: "Bad", malware: "found" },
    { subject: "Odd", malware: "suspicious" },
    { subject: "Clean", malware: "none" },
    { subject: "Old", malware: null },
  ]);
  expect(await subjectsOf("malware:found")).toEqual(["Bad"]);
  expect(await subjectsOf("malware:suspicious")).toEqual(["Odd"]);
  expect(await subjectsOf("malware:none")).toEqual(["Clean"]);
  expect(await subjectsOf("malware:unknown")).toEqual(["Old"]);
  // Unknown is not clean.
  expect(await subjectsOf("-malware:found")).toEqual(["Old", "Clean", "Odd"]);
  const { items } = await list({});
  expect(items.map(({ malware }: { malware: unknown }) => malware)).toEqual([null, "none", "suspicious", "found"]);
});

describe("GET /api/tests?search", () => {
  const searches: readonly (readonly [string, readonly string[]])[] = [
    ["spf:fail -label:ci score:<80", ["Bad"]],
    ["spf:fail", ["Fair", "Build", "Bad"]],
    ["-spf:fail", ["Odd words", "Good"]],
    ["spf:unknown", ["Odd words"]],
    ["-spf:fail -spf:unknown", ["Good"]],
    ["SPF:FAIL kind:bulk", ["Bad"]],
    ["type:transactional", ["Build"]],
    ["placement:spam", ["Fair"]],
    ["placement:inbox", []],
    ["-placement:spam dmarc:pass", ["Good"]],
    ["has:attachment", ["Bad"]],
    ["-has:attachment", ["Odd words", "Fair", "Build", "Good"]],
    ["has:label -label:ci", ["Fair"]],
    ["-has:score", ["Odd words"]],
    ["to:ada+news", ["Odd words"]],
    ["-score:<80", ["Odd words", "Fair", "Good"]],
    ["-build -bad -fair", ["Odd words", "Good"]],
    ['-"words odd"', ["Fair", "Build", "Bad", "Good"]],
    ["from:sender.example good", []],
    ["from:ann good", ["Good"]],
    ["after:1h", ["Odd words", "Fair", "Build", "Bad", "Good"]],
    ["before:1h", []],
    ["after:yesterday -after:today", []],
    ["after:2026-11-21T05:50:00+00:00 good", ["Good"]],
  ];

  test("GET /api/tests?search finds tests that match all terms", async () => {
    const { subjectsOf, ask } = await worldWith(various);
    for (const [search, expected] of searches) {
      expect([search, await subjectsOf(search)]).toEqual([search, expected]);
    }
    const other = await worldWith(addressed);
    for (const [search, expected] of receivers)
      expect([search, await other.subjectsOf(search)]).toEqual([search, expected]);
    expect((await ask("GET", "/api/tests?search=score:<80&label=ci")).json).toMatchObject({
      total: 1,
      items: [{ subject: "Build" }],
    });
  });

  test.each([
    ["foo:bar", "Unknown filter"],
    ["spf:maybe", "must be pass"],
    ["has:nothing", "must be attachment"],
    ["label:", "needs a value"],
    ["-kind:", "needs a value"],
    ['""', "between the quotes"],
    ["score:200", "from 0 to 100"],
    ["label:a label:b", "used twice"],
    ["after:soon", "needs a date"],
    ["before:2026-02-30", "needs a date"],
    ["after:2026-02-31T00:00:00Z", "needs a date"],
    ["lable:ci", "Did you mean “label:”?"],
    ["dor:imap", "Did you mean “door:”?"],
    ["door:port25", "must be smtp, lmtp, imap"],
    ["from:@-", "needs a domain"],
    ["1 2 3 4 5 6 7 8 9 10 11", "at most 10 words"],
    ["-a ".repeat(21), "at most 20"],
  ])("GET /api/tests?search rejects %j with an error and no rows", async (search, message) => {
    const { ask } = await worldWith([{}]);
    for (const path of ["/api/tests", "/api/tests/export.csv"]) {
      const { status, json } = await ask("GET", `${path}?${new URLSearchParams({ search })}`);
      expect([status, json.error, json.field]).toEqual([400, "invalid_request", "search"]);
      expect(json.message).toContain(message);
    }
  });
});

describe("GET /api/tests?sort", () => {
  test("GET /api/tests?sort sorts by score, page by page, without tests that have none", async () => {
    const scores = [50, 90, null, 50, 10, 70.5, 50];
    const { list } = await worldWith(scores.map((composite) => ({ composite, label: "x" })));
    const readAll = async (query: Record<string, string>) => {
      const seen: (number | null)[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page = await list({ ...query, limit: "2", ...(cursor ? { cursor } : {}) });
        expect(page.total).toBe(6);
        seen.push(...page.items.map(({ composite }: { composite: number }) => composite));
        cursor = page.next;
      }
      return seen;
    };
    const lowest = [10, 50, 50, 50, 70.5, 90];
    for (const filter of [{}, { label: "x" }, { search: "has:score" }]) {
      expect(await readAll({ sort: "score", ...filter })).toEqual(lowest);
      expect(await readAll({ sort: "-score", ...filter })).toEqual(lowest.toReversed());
    }
  });

  test("GET /api/tests?sort rejects a cursor of another sort order", async () => {
    const { ask, ids } = await worldWith([{ composite: 5 }]);
    for (const query of [`cursor=5:${ids[0]}`, `sort=score&cursor=${ids[0]}`, "sort=score&cursor=5"])
      expect((await ask("GET", `/api/tests?${query}`)).json).toMatchObject({
        error: "invalid_request",
        field: "cursor",
      });
  });
});

test("a filtered export has the same tests as the filtered list, out of 10,000", async () => {
  const results = ["pass", "fail", "softfail", null] as const;
  const { ask, list, base, caller } = await worldWith(
    Array.from({ length: 10_000 }, (_, index) => ({
      subject: `Number ${index}`,
      composite: index % 101,
      spf: results[index % 4] ?? null,
      label: index % 3 === 0 ? "ci" : null,
    })),
  );
  const headers = { authorization: `Bearer ${caller.token}`, "x-workspace-id": caller.workspace };
  const searches = ["spf:fail -label:ci score:<80", "label:ci number", "-number"];
  for (const query of [...searches.map((search) => ({ search })), { search: "spf:pass", sort: "-score" }]) {
    const ids: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await list({ ...query, limit: "100", ...(cursor ? { cursor } : {}) });
      ids.push(...page.items.map(({ id }: { id: string }) => id));
      cursor = page.next;
    }
    const asked = new URLSearchParams(query);
    const text = await (await fetch(`${base}/api/tests/export.csv?${asked}`, { headers })).text();
    const rows = text.trimEnd().split("\r\n").slice(1);
    expect({ query, ids: rows.map((row) => row.split(",")[0]) }).toEqual({ query, ids });
  }
  expect((await ask("GET", "/api/tests?search=label:ci")).json.total).toBe(3_334);
});

describe("POST /api/tests/delete with a search", () => {
  test("POST /api/tests/delete with a search deletes all matches, and nothing if there are more than expected", async () => {
    const { ask, list } = await worldWith(various);
    const remove = (body: object) => ask("POST", "/api/tests/delete", body);
    const search = "spf:fail -label:ci";
    const refused = await remove({ search, expected: 1 });
    expect([refused.status, refused.json.error]).toEqual([409, "conflict"]);
    expect((await list({})).total).toBe(5);
    expect((await remove({ search, expected: 2 })).json).toEqual({ deleted: 2 });
    expect((await list({ search: "spf:fail" })).items).toMatchObject([{ subject: "Build" }]);
    expect((await remove({ search: "", expected: 3 })).json).toEqual({ deleted: 3 });
    expect((await list({})).total).toBe(0);
  });

  test.each([
    [{}, "ids"],
    [{ search: "x" }, "expected"],
    [{ search: "x", expected: 10_001 }, "expected"],
    [{ search: "foo:bar", expected: 1 }, "search"],
    [{ ids: ["tst_1"], search: "x", expected: 1 }, "search"],
  ])("POST /api/tests/delete with a search rejects %j", async (body, field) => {
    const { ask } = await worldWith([{}]);
    const { status, json } = await ask("POST", "/api/tests/delete", body);
    expect([status, json.error, json.field]).toEqual([400, "invalid_request", field]);
  });
});

describe("a deletion that can be undone", () => {
  async function worldWithRemovals() {
    const world = await worldWith(various);
    const { ask, store, clock, removals, ids } = world;
    const remove = async (own: readonly string[]) =>
      (await ask("POST", "/api/tests/delete", { ids: own, undoable: true })).json;
    const stored = async () => {
      const rows = await store.read.selectFrom("tests").select("id").orderBy("id").execute();
      return rows.map(({ id }) => id);
    };
    const passTime = async (ms: number, expected: readonly string[]) => {
      clock.nowMs += ms;
      removals.kick();
      await expect.poll(stored).toEqual(expected);
    };
    return { ...world, remove, stored, passTime, ids };
  }

  test("a deletion that can be undone hides the tests immediately, and deletes them after the delay", async () => {
    const { ask, list, ids, remove, stored, passTime, clock } = await worldWithRemovals();
    const { deleted, undo } = await remove(ids.slice(0, 2));
    expect([deleted, undo]).toEqual([2, expect.stringMatching(/^rmv_/)]);
    expect(await list({})).toMatchObject({ total: 3, items: [{}, {}, {}] });
    expect((await list({ search: "kind:bulk" })).items).toEqual([]);
    expect(await list({ sort: "score" })).toMatchObject({ total: 2, items: [{}, {}] });
    expect((await ask("GET", `/api/tests/${ids[0]}`)).status).toBe(404);
    expect(await remove(ids.slice(0, 2))).toMatchObject({ deleted: 0 });
    clock.nowMs += 5_000;
    await remove(ids.slice(2, 3));
    expect(await stored()).toEqual(ids);
    await passTime(undoableMs - 5_000, ids.slice(2));
    const late = await ask("POST", "/api/tests/restore", { undo });
    expect([late.status, late.json.error]).toEqual([409, "conflict"]);
    await passTime(5_000, ids.slice(3));
    expect((await list({})).total).toBe(2);
  });

  test("a deletion that can be undone never happens after it was undone", async () => {
    const { ask, list, ids, remove, passTime } = await worldWithRemovals();
    const search = { search: "", expected: 5, undoable: true };
    const { undo } = (await ask("POST", "/api/tests/delete", search)).json;
    expect(await list({})).toMatchObject({ total: 0, items: [] });
    expect((await ask("POST", "/api/tests/restore", { undo })).json).toEqual({ restored: 5 });
    await remove(ids.slice(0, 1));
    await passTime(undoableMs, ids.slice(1));
    expect((await list({})).total).toBe(4);
    expect((await ask("POST", "/api/tests/restore", { undo })).status).toBe(409);
  });

  test("a deletion that can be undone can be undone only by its own workspace", async () => {
    const { list, ids, remove, ...world } = await worldWithRemovals();
    const { undo } = await remove(ids);
    const other = await world.createWorkspace("Others");
    const { token } = await world.issueToken(other.id);
    expect((await world.restoreAs({ token, workspace: other.id }, undo)).status).toBe(409);
    expect((await list({})).total).toBe(0);
  });
});
