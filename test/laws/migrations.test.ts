// What is true of every migration, because databases with it exist: its text stays, the version before can go on beside it,
// and it says how long it takes.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checksumOf } from "../../src/platform/database/migrate.ts";
import { migrations } from "../../src/platform/database/migrations/list.ts";
import { type Migration, words } from "../../src/platform/database/migrations/migration.ts";

const dialects = ["sqlite", "postgres"] as const;
const recorded = readFileSync(new URL("migrations.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

test("none was changed after databases with it existed", () => {
  const lines = migrations.map((migration) =>
    [migration.name, ...dialects.map((dialect) => checksumOf(migration, dialect))].join(" "),
  );
  const changed = lines.flatMap((line, index) => {
    const [name = ""] = line.split(" ");
    if (recorded[index] === line) return [];
    return recorded.some((known) => known.startsWith(`${name} `))
      ? `${name} was changed. Assay refuses databases that have it. Undo the change, and write a new migration instead.`
      : `${name} is new. Run: npm run script -- scripts/schema-fixture.ts`;
  });
  expect(changed).toEqual([]);
  expect(recorded).toHaveLength(migrations.length);
});

/** A server of the version before reads what is listed here no more, since the version that is named. */
const contractions: Readonly<Record<string, string>> = {
  "0016-incoming-hooks": "before the first release",
  "0027-created-with-token": "the table of consents in progress comes back at once, with a column more",
};

const takesAway = /\bdrop (table|column)\b|\brename (to|column)\b/;
/** It would refuse the rows of a version that doesn't know the column. */
const demands = /\badd column \S+ (?!.*\bdefault\b).*\bnot null\b/;

function* statementsOf(migration: Migration): Generator<string> {
  for (const dialect of dialects) yield* migration.statements(words[dialect]).map((one) => one.toLowerCase());
}

test("none takes away what the version before uses: expand first, contract a release later", () => {
  const taking = migrations.filter((migration) =>
    [...statementsOf(migration)].some((statement) => takesAway.test(statement)),
  );
  expect(taking.map(({ name }) => name)).toEqual(Object.keys(contractions));
});

test("none adds a column that the version before would have to fill", () => {
  const demanding = migrations.filter((migration) =>
    [...statementsOf(migration)].some((statement) => demands.test(statement)),
  );
  expect(demanding.map(({ name }) => name)).toEqual([]);
});

const createsTable = /^create (?:virtual )?table (?:if not exists )?(\w+)/;
const readsRows = /^(?:update (\w+)|create (?:unique )?index \w+ on (\w+)|insert into \w+.*\bselect\b)/s;

/** Tables of a single row for each workspace, or fewer: reading all of it takes no time. */
const small = new Set(["workspaces", "monitors", "monitor_runs", "alerts"]);

test("one that reads the rows of an existing table says how long each takes", () => {
  const silent = migrations.slice(1).filter((migration) => {
    if (migration.reads) return false;
    const statements = [...statementsOf(migration)].map((statement) => statement.trim());
    const own = new Set(statements.map((statement) => createsTable.exec(statement)?.[1]));
    return statements.some((statement) => {
      const found = readsRows.exec(statement);
      const table = found?.[1] ?? found?.[2];
      return found !== null && (table === undefined || !(own.has(table) || small.has(table)));
    });
  });
  expect(silent.map(({ name }) => name)).toEqual([]);
});
