import { expect, test } from "vitest";
import type { TestsTable } from "../../../../src/features/tests/tables.ts";
import { createExporter, type ExportBounds } from "../../../../src/features/tests/work/export-tests.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { insertTests } from "../../../platform/database/test-rows.ts";
import { testSystem } from "../../../test-system.ts";

const bounds = { pageRows: 2, patienceMs: 1 };
const id = (number: number) => `tst_${String(number).padStart(26, "0")}`;
const numbered = (count: number): Partial<TestsTable>[] =>
  Array.from({ length: count }, (_, index) => ({ id: id(index), subject: `Number ${index}` }));

async function prepare(store: Store, count: number, more: Partial<ExportBounds> = {}) {
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  await insertTests(store, "wsp_a", numbered(count));
  const system = testSystem();
  return { system, exportTests: createExporter({ store, system, bounds: { ...bounds, ...more } }) };
}

const idsOf = (csv: string) => csv.match(/^tst_\w+/gm) ?? [];
const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();
const ours = { workspaceId: "wsp_a", limit: 5_000 };

/** The pages that were asked for, seen on their way to the database. */
function countingPages(store: Store) {
  const pages = { read: 0 };
  const readInWorker = store.readInWorker.withPlugin({
    transformQuery: ({ node }) => {
      pages.read++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { pages, store: { ...store, readInWorker } };
}

eachDialect("an export", (open) => {
  test("an export contains every test of its workspace once, newest first, for any page size", async () => {
    const store = await open();
    const { exportTests } = await prepare(store, 7);
    await insertTests(store, "wsp_b", [{ id: id(100) }]);
    const newestFirst = [6, 5, 4, 3, 2, 1, 0].map(id);
    expect(idsOf(await textOf(await exportTests(ours)))).toEqual(newestFirst);
    for (const limit of [1, 2, 3, 6, 7, 8])
      expect(idsOf(await textOf(await exportTests({ ...ours, limit })))).toEqual(newestFirst.slice(0, limit));
  });

  test("an export leaves out messages that are not tests, and has its header row without tests", async () => {
    const store = await open();
    const { exportTests } = await prepare(store, 0);
    await insertTests(store, "wsp_a", [{ id: id(1), became: "bounce" }]);
    expect(await textOf(await exportTests(ours))).toBe(
      "id,received_at,from,subject,status,composite,inbox_rate,spam_rate,promo_rate,spf,dkim,dmarc\r\n",
    );
  });

  test("an export shows a changed test at most once, and no later tests", async () => {
    const store = await open();
    const { exportTests } = await prepare(store, 6);
    const reader = (await exportTests(ours)).getReader();
    const chunks = [await reader.read()];
    await insertTests(store, "wsp_a", [{ id: id(9) }]);
    await store.write((db) =>
      db
        .deleteFrom("tests")
        .where("id", "in", [id(5), id(2)])
        .execute(),
    );
    await store.write((db) => db.updateTable("tests").set({ subject: "New" }).where("id", "=", id(1)).execute());
    while (!chunks.at(-1)?.done) chunks.push(await reader.read());
    const csv = chunks.map(({ value = [] }) => Buffer.from(value).toString()).join("");
    expect(idsOf(csv).filter((found) => found !== id(3) && found !== id(2))).toEqual([5, 4, 1, 0].map(id));
    expect(csv).toMatch(/^tst_0+1,.*,New,/m);
  });

  test("an export reads a page after the last one was sent, and none for a disconnected client", async () => {
    const { pages, store } = countingPages(await open());
    const { exportTests } = await prepare(store, 7);
    const stream = await exportTests(ours);
    expect(pages.read).toBe(1);
    const reader = stream.getReader();
    await reader.read();
    expect(pages.read).toBe(1);
    await reader.read();
    expect(pages.read).toBe(2);
    await reader.cancel();
    expect(pages.read).toBe(2);
  });

  test("an export waits for another export to end, in whatever way", async () => {
    const store = await open();
    const { exportTests } = await prepare(store, 7, { atOnceInWorkspace: 1 });
    const first = await exportTests(ours);
    await expect(exportTests(ours)).rejects.toMatchObject({ code: "rate_limited", details: { retryAfterSeconds: 5 } });
    await textOf(await exportTests({ ...ours, workspaceId: "wsp_b" }));
    await textOf(first);
    await (await exportTests(ours)).cancel();
    await textOf(await exportTests(ours));
  });

  test("an export waits for exports of other workspaces too", async () => {
    const store = await open();
    const { exportTests } = await prepare(store, 7, { atOnce: 1 });
    const first = await exportTests({ ...ours, workspaceId: "wsp_b" });
    await expect(exportTests(ours)).rejects.toMatchObject({ code: "overloaded" });
    await first.cancel();
    await textOf(await exportTests(ours));
  });

  test("an export is canceled and frees its slot if it is not read in time", async () => {
    const store = await open();
    const { exportTests } = await prepare(store, 7, { atOnceInWorkspace: 1, deadlineMs: 20, patienceMs: 5_000 });
    const first = await exportTests(ours);
    await (await exportTests(ours)).cancel(); // it was let in when the first was over
    await expect(textOf(first)).rejects.toThrow("not read in time");
  });

  test("an export is canceled, logged, and frees its slot if it fails", async () => {
    const { store, fail } = failingLater(await open());
    const { exportTests, system } = await prepare(store, 7, { atOnceInWorkspace: 1 });
    const first = await exportTests(ours);
    fail();
    await expect(textOf(first)).rejects.toThrow("the disk is gone");
    expect(system.logged).toMatchObject([{ level: "error", message: "export failed" }]);
    await expect(exportTests(ours)).rejects.toThrow("the disk is gone");
    await expect(exportTests(ours)).rejects.toThrow("the disk is gone");
  });
});

function failingLater(store: Store) {
  let fails = false;
  const readInWorker = store.readInWorker.withPlugin({
    transformQuery: ({ node }) => {
      if (fails) throw new Error("the disk is gone");
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return {
    store: { ...store, readInWorker },
    fail: () => {
      fails = true;
    },
  };
}
