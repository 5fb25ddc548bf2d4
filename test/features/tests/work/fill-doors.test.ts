import { sql } from "kysely";
import { expect, test } from "vitest";
import { createDoorChore } from "../../../../src/features/tests/work/fill-doors.ts";
import { createServeRow } from "../../../../src/platform/work/serve-row.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { openSqliteStore, temporaryFolder } from "../../../platform/database/temporary.ts";
import { insertTests } from "../../../platform/database/test-rows.ts";
import { testSystem } from "../../../test-system.ts";

/** Those for which a condition on `old` holds can't be filled in. */
async function open600(poisoned: string) {
  const store = await openSqliteStore(`${temporaryFolder()}/assay.db`);
  await store.write((db) => insertWorkspaces(db, "wsp_a"));
  const ids = Array.from({ length: 600 }, (_, at) => `tst_${String(at).padStart(3, "0")}`);
  await insertTests(
    store,
    "wsp_a",
    ids.map((id) => ({ id, door: null })),
  );
  const when = `when ${poisoned} begin select raise(abort, 'poisoned'); end`;
  await store.write((db) => sql.raw(`create trigger poison before update on tests ${when}`).execute(db));
  const listLeft = async () =>
    (await store.read.selectFrom("tests").select("id").where("door", "is", null).execute()).map(({ id }) => id);

  const system = testSystem({ now: 0 });
  const serve = createServeRow(system, "a chore failed");
  const chore = createDoorChore(store);
  const run = async () => {
    await chore.run(new AbortController().signal, serve);
    return { left: await listLeft(), hasMore: await chore.hasMore?.() };
  };
  return { store, system, run };
}

test("a test whose door couldn't be filled in is tried again after the others", async () => {
  const { store, system, run } = await open600("old.id = 'tst_599'");
  expect(await run()).toEqual({ left: ["tst_599"], hasMore: false });
  await store.write((db) => sql.raw("drop trigger poison").execute(db));
  system.advance(86_400_000);
  expect(await run()).toEqual({ left: [], hasMore: false });
});

test("many tests whose doors can't be filled in are left for the next day", async () => {
  const { run } = await open600("old.id >= 'tst_300'");
  const { left, hasMore } = await run();
  expect({ left: left.length, hasMore }).toEqual({ left: 300, hasMore: false });
});
