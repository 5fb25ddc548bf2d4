// The API specification statement by statement: each has its own tests, and none was reworded, added, or left out.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { routes } from "../../src/server.ts";
import { statements } from "./interface-table.ts";

const specification = join(import.meta.dirname, "../../../shared/spec/interface.md");
const haveSpecification = existsSync(specification);
if (!haveSpecification) console.warn("Skipped: ../shared/spec/interface.md is not there.");

test.skipIf(!haveSpecification)("the statements equal those of the specification exactly", () => {
  expect(statements.map(({ says }) => says)).toEqual(readStatements(readFileSync(specification, "utf8")));
});

test("each statement names existing tests, unless it leaves something open", () => {
  const testNames = readTestNames(join(import.meta.dirname, ".."));
  expect(statements.flatMap(({ tests }) => tests.filter((name) => !testNames.has(name)))).toEqual([]);
  const unproved = statements.filter(({ tests }) => tests.length === 0).map(({ says }) => says);
  expect(unproved.filter((says) => !says.includes("not shown") && !says.startsWith("This document"))).toEqual([]);
});

test("each endpoint of the specification is a route", () => {
  const known = routes.map(({ endpoint: { method, path } }) => `${method} ${path}`);
  const promised = statements.flatMap(({ says }) => {
    const [, method, path] = /^\| (GET|POST|PATCH|DELETE) \| (\S+) \|/.exec(says) ?? [];
    return method === undefined ? [] : [`${method} ${path}`];
  });
  expect(promised).toHaveLength(19);
  expect(promised.filter((name) => !known.includes(name))).toEqual([]);
});

/** Its lines, without headings, heads of tables and lists, and the marks of list items. */
function readStatements(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  const isRule = (line = "") => /^\|[-|]+\|$/.test(line);
  return lines
    .filter((line, index) => !isRule(line) && !isRule(lines[index + 1]))
    .filter((line) => line !== "" && !line.startsWith("#") && !line.endsWith(":"))
    .map((line) => line.replace(/^(?:-|\d+\.) /, ""));
}

/** Names of tests, which are the first text that is followed by a function; a group's name proves nothing. */
function readTestNames(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const names = files
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), "utf8").matchAll(
        /(?<!\bdescribe)\(\s*"((?:[^"\\\n]|\\.)+)",\s*(?:async\s*)?\(/g,
      ),
    ]);
  return new Set(names.map(([, name = ""]) => name));
}
