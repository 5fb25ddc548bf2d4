import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Kind } from "../../../src/analyzer/checks/kind.ts";
import { advanceStream } from "../../../src/analyzer/reports/stream.ts";
import { createIntake } from "../../../src/features/intake/rows/intake.ts";
import { enterStream, updateStream } from "../../../src/features/streams/rows.ts";
import type { StreamsTable } from "../../../src/features/streams/tables.ts";
import { readState, tidyStreams } from "../../../src/features/streams/work/streams.ts";
import { removeOldTests } from "../../../src/features/tests/rows/removal.ts";
import { streamKinds } from "../../../src/platform/database/migrations/0018-stream-kinds.ts";
import { words } from "../../../src/platform/database/migrations/migration.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { createId } from "../../../src/platform/ids.ts";
import { eachDialect } from "../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../platform/database/nouns.ts";
import { insertTests } from "../../platform/database/test-rows.ts";
import { testSystem } from "../../test-system.ts";

const nowMs = Date.UTC(2026, 10, 21);
const hourMs = 3_600_000;

async function startWith(store: Store) {
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  const tidy = (most?: number) =>
    tidyStreams({
      store,
      system: testSystem({ now: nowMs }),
      stopping: new AbortController().signal,
      ...(most !== undefined && { most }),
    });
  return { tidy };
}

/** Returns the test's ID. */
async function receive(store: Store, workspaceId: string, label: string, at: number): Promise<string> {
  const id = createId("test", at, randomBytes(16));
  await createIntake(store).insert([message(id, { workspaceId, receivedAt: at })]);
  await store.write(async (db) => {
    const stream = await enterStream(db, {
      id: createId("stream", at, randomBytes(16)),
      workspace_id: workspaceId,
      rule_id: null,
      kind: null,
      match_key: `a.example ${label}`,
      from_domain: "a.example",
      label,
      at,
      testId: id,
    });
    await db
      .updateTable("tests")
      .set({ stream_id: stream.id, due_at: null, status: "analyzed" })
      .where("id", "=", id)
      .execute();
  });
  return id;
}

const labelsOf = async (store: Store, workspaceId: string) =>
  (
    await store.read
      .selectFrom("streams")
      .select("label")
      .where("workspace_id", "=", workspaceId)
      .orderBy("label")
      .execute()
  ).map(({ label }) => label);

eachDialect("streams", (open, dialect) => {
  test("go with their last test, a day later", async () => {
    const store = await open();
    const { tidy } = await startWith(store);
    const gone = await receive(store, "wsp_a", "gone", nowMs - 25 * hourMs);
    const young = await receive(store, "wsp_a", "young", nowMs - 23 * hourMs);
    await receive(store, "wsp_a", "kept", nowMs - 25 * hourMs);
    await store.write((db) => removeOldTests(db, [gone, young]));
    await tidy();
    expect(await labelsOf(store, "wsp_a")).toEqual(["kept", "young"]);
  });

  test("of labels that a stranger made up do not crowd out those with several tests", async () => {
    const store = await open();
    const { tidy } = await startWith(store);
    for (const at of [1, 2, 3]) await receive(store, "wsp_a", "news", nowMs - 90 * hourMs + at);
    for (let number = 0; number < 9; number++) await receive(store, "wsp_a", `x${number}`, nowMs - 9 * hourMs + number);
    await receive(store, "wsp_b", "other", nowMs - 900 * hourMs);
    await tidy(3);
    expect(await labelsOf(store, "wsp_a")).toEqual(["news", "x7", "x8"]);
    expect(await labelsOf(store, "wsp_b")).toEqual(["other"]);
  });

  test(`advance one test at a time although two processes store them at once (${dialect})`, async () => {
    const stores = [await open(), await open()];
    const [store] = stores;
    if (!store) throw new Error("no store");
    await startWith(store);
    const enter = (number: number) =>
      stores[number % 2]?.write(async (db) => {
        const stream = await enterStream(db, {
          id: createId("stream", nowMs, randomBytes(16)),
          workspace_id: "wsp_a",
          rule_id: null,
          kind: null,
          match_key: "a.example ",
          from_domain: "a.example",
          label: null,
          at: nowMs,
          testId: `t${number}`,
        });
        const { state } = advanceStream(readState(stream), { testId: `t${number}`, score: 80, traits: null });
        await updateStream(db, stream.id, { usual_score: null, state: JSON.stringify(state) });
      });
    await Promise.all(Array.from({ length: 16 }, (_, number) => enter(number)));
    const rows = await store.read.selectFrom("streams").selectAll().execute();
    expect(rows.map((row) => readState(row).level.length)).toEqual([16]);
  });
});

eachDialect("streams from before kinds of mail", (open, dialect) => {
  const statements = streamKinds.statements(words[dialect]).slice(1);
  const stream = (id: string, changed: Partial<StreamsTable>) => ({
    id,
    workspace_id: "wsp_a",
    match_key: "a.example ",
    from_domain: "a.example",
    label: null,
    rule_id: null,
    kind: null,
    created_at: nowMs,
    last_at: nowMs,
    last_test_id: null,
    state: "{}",
    usual_score: 90,
    moved_test_id: "tst_1",
    moved_at: nowMs,
    move: "{}",
    due_at: null,
    claimed_by: null,
    claimed_until: null,
    attempts: 0,
    ...changed,
  });

  test("are split by kind, and each keeps its tests", async () => {
    const store = await open();
    await store.write(async (db) => {
      await insertWorkspaces(db, "wsp_a", "wsp_b");
      await db
        .insertInto("streams")
        .values([
          stream("str_mixed1", {}),
          stream("str_alike2", { match_key: "b.example ", from_domain: "b.example" }),
          stream("str_label3", { match_key: "a.example x", label: "x" }),
          stream("str_rule44", { match_key: "srl_1", from_domain: null, rule_id: "srl_1" }),
          stream("str_other5", { workspace_id: "wsp_b" }),
          stream("str_empty6", { match_key: "c.example ", from_domain: "c.example" }),
        ])
        .execute();
    });
    const tests = (stream_id: string, ...kinds: Kind[]) =>
      kinds.map((kind, at) => ({ id: `tst_${stream_id}${at}`, received_at: nowMs + at, stream_id, kind }));
    await insertTests(store, "wsp_a", [
      ...tests("str_mixed1", "bulk", "transactional", "bulk", "personal", "transactional", "bulk"),
      ...tests("str_alike2", "personal", "personal"),
      ...tests("str_label3", "bulk", "personal"),
      ...tests("str_rule44", "bulk", "transactional"),
    ]);
    await insertTests(store, "wsp_b", tests("str_other5", "personal", "bulk"));
    await store.write(async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    });
    const rows = await store.read
      .selectFrom("streams")
      .selectAll()
      .orderBy("workspace_id")
      .orderBy("match_key")
      .execute();
    expect(rows.map(({ workspace_id, match_key, kind, state }) => [workspace_id, match_key, kind, state])).toEqual([
      ["wsp_a", "a.example x", null, "{}"],
      ["wsp_a", "bulk:a.example", "bulk", null],
      ["wsp_a", "c.example ", null, "{}"],
      ["wsp_a", "personal:a.example", "personal", null],
      ["wsp_a", "personal:b.example", "personal", "{}"],
      ["wsp_a", "srl_1", null, "{}"],
      ["wsp_a", "transactional:a.example", "transactional", null],
      ["wsp_b", "bulk:a.example", "bulk", null],
      ["wsp_b", "personal:a.example", "personal", null],
    ]);
    expect(
      rows.find(({ match_key, workspace_id }) => match_key === "bulk:a.example" && workspace_id === "wsp_a")?.id,
    ).toBe("str_mixed1");
    expect(rows.find(({ kind, from_domain }) => kind === "personal" && from_domain === "a.example")).toMatchObject({
      created_at: nowMs + 3,
      last_at: nowMs + 3,
      last_test_id: "tst_str_mixed13",
      move: null,
    });
    const sorted = await store.read
      .selectFrom("tests")
      .innerJoin("streams", "streams.id", "tests.stream_id")
      .select(["tests.id", "tests.kind", "streams.kind as of", "tests.workspace_id", "streams.workspace_id as in"])
      .execute();
    expect(sorted).toHaveLength(14);
    for (const one of sorted) expect(one.in).toBe(one.workspace_id);
    expect(sorted.filter(({ kind, of }) => of !== null && of !== kind)).toEqual([]);
  });
});
