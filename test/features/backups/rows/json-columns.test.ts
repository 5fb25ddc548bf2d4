import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { workspaceTables } from "../../../../src/features/backups/rows/workspace-tables.ts";
import { checkJson } from "../../../../src/features/backups/work/import-checks.ts";
import { openDatabase } from "../../../../src/platform/database/engine/sqlite-database.ts";
import type { JsonColumns } from "../../../../src/platform/database/json-columns.ts";
import { features } from "../../../../src/server.ts";
import { kinds, placeRelease, releases } from "../../../platform/database/release-databases.ts";
import { openSqliteStore, temporaryFolder } from "../../../platform/database/temporary.ts";

const json: JsonColumns = Object.assign({}, ...features.map((feature) => feature.json));
const moved = ["workspaces", ...workspaceTables.map(({ name }) => name)];
const sources = globSync("src/{features,platform}/**/*.ts").map((file) => readFileSync(file, "utf8"));

const declared = Object.entries(json).flatMap(([table, columns]) =>
  Object.keys(columns ?? {}).map((column) => ({ table, column })),
);
const isDeclared = (table: string, column: string) =>
  declared.some((one) => one.table === table && one.column === column);

test("every column that its table calls JSON has a reader", () => {
  const types = new Map<string, string>();
  for (const source of sources)
    for (const [, name = "", columns = ""] of source.matchAll(/type (\w+Table) = [^{]*\{\n(.*?)\n\};/gs))
      types.set(name, columns);
  const tables = sources.flatMap((source) => [...source.matchAll(/^ {4}(\w+): (\w+Table);$/gm)]);
  const found = tables.flatMap(([, table = "", type = ""]) =>
    [...(types.get(type) ?? "").matchAll(/\/\*\* [^\n]*JSON[^\n]*\*\/\n {2}(\w+):/g)].map(([, column = ""]) => ({
      table,
      column,
    })),
  );
  expect(found.length).toBeGreaterThan(30);
  const readable = ["alerts.preset"]; // says which service takes JSON, and has none itself
  const missing = found.filter(
    ({ table, column }) =>
      moved.includes(table) && !isDeclared(table, column) && !readable.includes(`${table}.${column}`),
  );
  expect(missing).toEqual([]);
});

test("every column whose text is parsed as JSON has a reader", async () => {
  const file = `${temporaryFolder()}/assay.db`;
  await openSqliteStore(file);
  const database = openDatabase(file, { readonly: true, lockWaitMs: 0, addonFile: undefined });
  const columnsOf = (table: string) =>
    database
      .all<{ readonly name: string }>("select name from pragma_table_info(?) where type = 'TEXT'", [table])
      .map(({ name }) => name);
  const parsed = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/JSON\.parse\((?:\w+\??\.)*(\w+)(?: \?\? [^)]*)?\)/g)].map(([, name]) => name),
    ),
  );
  const tables = moved.map((table) => ({ table, columns: columnsOf(table) }));
  const unread = [...parsed].filter((name) => {
    const having = tables.filter(({ columns }) => columns.includes(name ?? ""));
    return having.length > 0 && !having.some(({ table }) => isDeclared(table, name ?? ""));
  });
  expect(unread).toEqual([]);
  database.close();
});

/** Objects of which every part may be missing. */
const open = ["reports", "domain_reports", "raw_messages"];

test.each(declared)("garbage in $column of a table is refused", ({ table, column }) => {
  const beside = table === "test_examinations" ? { state: "done" } : { kind: "canary" };
  const objects = open.includes(table) || column === "credentials" ? [] : ['{"?":{}}'];
  // A session is read field by field, and each may be missing.
  const others = table === "raw_messages" ? ["null"] : ["7", '["?", 7]', ...objects];
  for (const garbage of ["no JSON", ...others]) {
    const value = column === "report" ? Buffer.from(garbage) : garbage;
    const check = () => checkJson(json, table, { ...beside, [column]: value }, "shop.assay");
    expect(check, `${table} ${garbage}`).toThrow(`${column} in a row of ${table} cannot be read`);
  }
});

test.each(releases)("all rows of the database of $name are read by their readers", async ({ name }) => {
  expect(kinds).toContain("sqlite");
  const location = await placeRelease(name, "sqlite");
  if (!("databaseFile" in location)) throw new Error("no file");
  const database = openDatabase(location.databaseFile, { readonly: true, lockWaitMs: 0, addonFile: undefined });
  const read = new Set<string>();
  for (const { table, column } of declared) {
    // A column of a later version.
    const has = database.all<{ name: string }>(`select name from pragma_table_info('${table}')`);
    if (!has.some((one) => one.name === column)) continue;
    for (const row of database.all<Record<string, string | null>>(
      `select * from ${table} where ${column} is not null`,
    )) {
      if (["secret", "credentials"].includes(column)) continue; // sealed
      read.add(`${table}.${column}`);
      const one = { kind: row.kind ?? null, state: row.state ?? null, [column]: row[column] ?? null };
      expect(() =>
        checkJson({ [table]: { [column]: Object(json)[table][column] } } as JsonColumns, table, one, "it"),
      ).not.toThrow();
    }
  }
  database.close();
  expect([...read].length).toBeGreaterThan(8);
});
