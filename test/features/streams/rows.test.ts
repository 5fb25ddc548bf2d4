import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { advanceStream } from "../../../src/analyzer/reports/stream.ts";
import { createIntake } from "../../../src/features/intake/rows/intake.ts";
import { enterStream, updateStream } from "../../../src/features/streams/rows.ts";
import { readState, tidyStreams } from "../../../src/features/streams/work/streams.ts";
import { removeOldTests } from "../../../src/features/tests/rows/removal.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { createId } from "../../../src/platform/ids.ts";
import { serveOrThrow } from "../../../src/platform/work/serve-row.ts";
import { eachDialect } from "../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../platform/database/nouns.ts";
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
      serve: serveOrThrow,
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
  test("streams are deleted a day after their last test", async () => {
    const store = await open();
    const { tidy } = await startWith(store);
    const gone = await receive(store, "wsp_a", "gone", nowMs - 25 * hourMs);
    const young = await receive(store, "wsp_a", "young", nowMs - 23 * hourMs);
    await receive(store, "wsp_a", "kept", nowMs - 25 * hourMs);
    await store.write((db) => removeOldTests(db, [gone, young]));
    await tidy();
    expect(await labelsOf(store, "wsp_a")).toEqual(["kept", "young"]);
  });

  test("streams with invented labels do not displace those with several tests", async () => {
    const store = await open();
    const { tidy } = await startWith(store);
    for (const at of [1, 2, 3]) await receive(store, "wsp_a", "news", nowMs - 90 * hourMs + at);
    for (let number = 0; number < 9; number++) await receive(store, "wsp_a", `x${number}`, nowMs - 9 * hourMs + number);
    await receive(store, "wsp_b", "other", nowMs - 900 * hourMs);
    await tidy(3);
    expect(await labelsOf(store, "wsp_a")).toEqual(["news", "x7", "x8"]);
    expect(await labelsOf(store, "wsp_b")).toEqual(["other"]);
  });

  test(`streams advance one test at a time even if two processes store them at once (${dialect})`, async () => {
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
