// Rules for every migration, because databases with it exist: its text stays, the previous version works beside it,
// and it states its duration.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checksumOf } from "../../src/platform/database/migrate.ts";
import { migrations } from "../../src/platform/database/migrations/list.ts";
import { type Migration, words } from "../../src/platform/database/migrations/migration.ts";

const dialects = ["sqlite", "postgres"] as const;
const recorded = readFileSync(new URL("migrations.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

test("no migration was changed after its release", () => {
  const lines = migrations.map((migration) =>
    [migration.name, ...dialects.map((dialect) => checksumOf(migration, dialect))].join(" "),
  );
  const changed = lines.flatMap((line, index) => {
    const [name = ""] = line.split(" ");
    if (recorded[index] === line) return [];
    return recorded.some((known) => known.startsWith(`${name} `))
      ? `${name} was changed. Assay refuses databases that have it. Undo the change, and write a new migration instead.`
      : `${name} is new. Add this line to test/laws/migrations.txt: ${line}`;
  });
  expect(changed).toEqual([]);
  expect(recorded).toHaveLength(migrations.length);
});

/** A server of the version before reads what is listed here no more, since the version that is named. */
const contractions: Readonly<Record<string, string>> = {};

const takesAway = /\bdrop (table|column)\b|\brename (to|column)\b/;
/** It would refuse the rows of a version that doesn't know the column. */
const demands = /\badd column \S+ (?!.*\bdefault\b).*\bnot null\b/;
const createsTable = /^create (?:virtual )?table (?:if not exists )?(\w+)/;
const readsRows = /^(?:update (\w+)|create (?:unique )?index \w+ on (\w+)|insert into \w+.*\bselect\b)/s;

/** Tables of a single row for each workspace, or fewer: reading all of it takes no time. */
const small = new Set(["workspaces", "monitors", "monitor_runs", "alerts"]);

function complaintsOf(migration: Migration): string[] {
  const statements = dialects
    .flatMap((dialect) => migration.statements(words[dialect]))
    .map((statement) => statement.toLowerCase().trim());
  const own = new Set(statements.map((statement) => createsTable.exec(statement)?.[1]));
  const readsKnown = (statement: string) => {
    const found = readsRows.exec(statement);
    const table = found?.[1] ?? found?.[2];
    return found !== null && (table === undefined || !(own.has(table) || small.has(table)));
  };
  const isContraction = migration.name in contractions;
  return [
    ...(!isContraction && statements.some((one) => takesAway.test(one))
      ? ["takes away what the version before uses: expand first, contract a release later"]
      : []),
    ...(statements.some((one) => demands.test(one))
      ? ["adds a column that the version before would have to fill"]
      : []),
    ...(migration.reads === undefined && statements.some(readsKnown)
      ? ["reads the rows of a table without saying how long each takes"]
      : []),
  ].map((complaint) => `${migration.name} ${complaint}`);
}

test("every migration works beside the previous version, and states its duration", () => {
  expect(migrations.slice(1).flatMap(complaintsOf)).toEqual([]);
});

test.each([
  ["alter table tests drop column label", "takes away"],
  ["alter table tests rename to others", "takes away"],
  ["alter table tests add column size integer not null", "would have to fill"],
  ["create index tests_by_size on tests (size)", "how long"],
  ["update reports set report = null", "how long"],
  ["insert into sizes select id from tests", "how long"],
])("a forbidden migration with %j is found", (statement, complaint) => {
  const migration: Migration = { name: "9001-bad", statements: () => [statement] };
  expect(complaintsOf(migration)).toEqual([expect.stringContaining(complaint)]);
});
