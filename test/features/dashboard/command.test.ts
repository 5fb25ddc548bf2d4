import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../src/commands.ts";
import { createIntake } from "../../../src/features/intake/rows/intake.ts";
import { listWorkspaces } from "../../../src/features/people/rows/workspaces.ts";
import { createId } from "../../../src/platform/ids.ts";
import { testTerminal } from "../../platform/cli/terminal.ts";
import { message } from "../../platform/database/nouns.ts";
import { openSqliteStore, temporaryFolder } from "../../platform/database/temporary.ts";

test("rollups rebuild fixes wrong sums on an open database and reports what it fixed", async () => {
  const dataDir = temporaryFolder();
  const rebuild = async () => {
    const terminal = testTerminal({ ASSAY_DATA_DIR: dataDir });
    expect(await run(["rollups", "rebuild"], terminal)).toBe(0);
    return terminal.output();
  };
  expect(await rebuild()).toBe("Counted 0 tests. All totals were correct.\n");

  const { read, write, ...store } = await openSqliteStore(join(dataDir, "assay.db"));
  const [workspace] = await listWorkspaces(read);
  const [workspace_id, received_at] = [workspace?.id ?? "", Date.now() - 3_600_000];
  const id = createId("test", received_at, Buffer.alloc(16));
  const received = message(id, { workspaceId: workspace_id, receivedAt: received_at });
  await createIntake({ read, write, ...store }).insert([received]);
  const contribution = JSON.stringify({ kind: "test", score: 800, folders: {}, issues: {} });
  await write(async (db) => {
    await db.insertInto("contributions").values({ test_id: id, workspace_id, received_at, contribution }).execute();
    await db.deleteFrom("rollup_changes").execute();
  });
  expect(await rebuild()).toBe("Counted 0 tests. Corrected 0 tests and 3 totals.\n");
  expect(await rebuild()).toBe("Counted 0 tests. All totals were correct.\n");
  const sums = await read.selectFrom("rollup_numbers").select(["tests", "points"]).execute();
  expect(sums).toEqual(Array(3).fill({ tests: 1, points: 800 }));
});
