// The interface held line by line: a line that is kept has a test of its name, one that is not says so, and not for
// longer than its route is away. When `missing` is gone from the table, the interface is whole.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { routes } from "../../src/http/app.ts";
import { interfaceLines } from "./interface-table.ts";

const routeNames = new Set(routes.map(({ endpoint: { method, path } }) => `${method} ${path}`));
const testNames = readTestNames(join(import.meta.dirname, ".."));
const kept = interfaceLines.filter(({ missing }) => missing === undefined);
const awaited = interfaceLines.filter(({ missing }) => missing !== undefined);

test("each line stands once", () => {
  expect(new Set(interfaceLines.map(({ line }) => line)).size).toBe(interfaceLines.length);
});

describe.each(kept)("$line", ({ line, route }) => {
  test("is the name of a test", () => {
    expect(testNames.has(line), `Write a test over a real socket named "${line}".`).toBe(true);
  });

  test("is kept by a route that there is", () => {
    if (route !== undefined) expect([...routeNames]).toContain(route);
  });
});

describe.each(awaited)("$line", ({ line, route = "", missing }) => {
  test(`waits for ${missing}`, () => {
    expect(route, "Name the route that it waits for.").not.toBe("");
    expect(routeNames.has(route), `${route} is there: prove the line, and strike \`missing\`.`).toBe(false);
    expect(testNames.has(line), `There is a test of this name: strike \`missing\`.`).toBe(false);
  });
});

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
