import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createIntake } from "../../../src/features/intake/rows/intake.ts";
import { listPostgresContents, listSqliteContents } from "../../../src/platform/database/engine/list-contents.ts";
import { migrations } from "../../../src/platform/database/migrations/list.ts";
import { eachDialect } from "./each-dialect.ts";
import { insertWorkspaces, message } from "./nouns.ts";

eachDialect("the contents of a database", (open) => {
  test("the contents of a database are its migrations and its tables with their row counts, next to a running server", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    await createIntake(store).insert([message("tst_1")]);
    const location = await open.location();
    const isFile = "databaseFile" in location;
    const contents = isFile
      ? await listSqliteContents(location.databaseFile, 10_000)
      : await listPostgresContents(location.databaseUrl, 10_000);
    expect(contents?.migrations.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    for (const { at } of contents?.migrations ?? []) expect(at).toBeGreaterThan(0);
    const rows = new Map(contents?.tables.map((table) => [table.name, table.rows]));
    // PostgreSQL knows only estimates.
    if (isFile) expect([rows.get("workspaces"), rows.get("tests"), rows.get("alerts")]).toEqual([2, 1, 0]);
    else expect([...rows.keys()]).toEqual(expect.arrayContaining(["workspaces", "tests", "alerts"]));
  });
});

test("a missing database has no contents and isn't created", async () => {
  expect(await listSqliteContents(join(tmpdir(), "no-such-folder", "assay.db"), 1_000)).toBeNull();
});

test("an unreachable server is an error", async () => {
  await expect(listPostgresContents("postgres://assay@127.0.0.1:1/none", 500)).rejects.toThrow();
});
