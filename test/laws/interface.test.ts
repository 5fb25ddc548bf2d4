// The interface held line by line: each has a test of its name.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { routes } from "../../src/http/app.ts";
import { interfaceLines } from "./interface-table.ts";

const routeNames = new Set(routes.map(({ endpoint: { method, path } }) => `${method} ${path}`));
const testNames = readTestNames(join(import.meta.dirname, ".."));

test("each line stands once", () => {
  expect(new Set(interfaceLines.map(({ line }) => line)).size).toBe(interfaceLines.length);
});

describe.each(interfaceLines)("$line", ({ line, route }) => {
  test("is the name of a test", () => {
    expect(testNames.has(line), `Write a test over a real socket named "${line}".`).toBe(true);
  });

  test("is kept by a route that there is", () => {
    if (route !== undefined) expect([...routeNames]).toContain(route);
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
