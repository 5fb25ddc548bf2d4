import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findProblems, type Room, readSources } from "../../scripts/imports.ts";

const house: readonly Room[] = [
  { name: "errors.ts", layer: "pure" },
  { name: "mail", layer: "pure" },
  { name: "checks", layer: "pure" },
  { name: "api", layer: "pure" },
  { name: "store", layer: "effects" },
  { name: "smtp", layer: "edge" },
  { name: "http", layer: "edge" },
  { name: "web", layer: "edge", only: ["api"] },
  { name: "main.ts", layer: "wiring" },
];

const sound: Readonly<Record<string, string>> = {
  "errors.ts": "export const one = 1;",
  "analyzer/mail/mime/rare-charsets.ts":
    'import { simpleParser } from "mailparser";\nimport { one } from "../../errors.ts";',
  "analyzer/checks/list.ts": 'import type { one } from "../errors.ts";',
  "features/tests/contract/tests.ts": 'import { z } from "zod";\nimport type { checks } from "../checks/list.ts";',
  "platform/database/open.ts": 'import { readFileSync } from "node:fs";\nimport Database from "better-sqlite3";',
  "features/intake/smtp/listener.ts": 'import type { Db } from "../store/open.ts";',
  "server/routes.ts": 'import { H3 } from "h3";',
  "web/page.tsx": 'import { list } from "../api/tests.ts";',
  "main.ts": 'const { start } = await import("./http/app.ts");',
};

function problemsWith(changes: Readonly<Record<string, string>>): string[] {
  const files = Object.entries({ ...sound, ...changes }).map(([path, text]) => ({ path, text }));
  return findProblems(files, house);
}

describe("the law of imports", () => {
  test("accepts our own sources", () => {
    expect(findProblems(readSources(join(import.meta.dirname, "..", "..", "src")))).toEqual([]);
  });

  test("accepts a correct layout", () => {
    expect(problemsWith({})).toEqual([]);
  });

  test("rejects a folder that is only in the table", () => {
    expect(findProblems([], [{ name: "mail", layer: "pure" }])).toEqual([
      "scripts/imports.ts: the room mail is not in src/",
    ]);
  });

  test.each([
    ["a room that is not in the table", "extra/new.ts", "", "not in the table"],
    ["a room within a room that is not in the table", "mail/extra/new.ts", "", "not in the table"],
    [
      "an import that points down within a room",
      "analyzer/mail/text/bounds.ts",
      'import { parse } from "../mime/parse.ts";',
      "is below text",
    ],
    ["an import that points down", "errors.ts", 'import { parse } from "./mail/rare-charsets.ts";', "is below"],
    ["a re-export that points down", "errors.ts", 'export { parse } from "./mail/rare-charsets.ts";', "is below"],
    ["a dynamic import that points down", "errors.ts", 'await import("./mail/rare-charsets.ts");', "is below"],
    ["an import over several lines", "errors.ts", 'import {\n  parse,\n} from "./mail/rare-charsets.ts";', "is below"],
    [
      "an edge that imports an edge",
      "server/routes.ts",
      'import { a } from "../smtp/listener.ts";',
      "never import one another",
    ],
    ["web beyond its one room", "web/page.tsx", 'import { one } from "../errors.ts";', "may import api only"],
    [
      "an import from no room",
      "analyzer/mail/mime/rare-charsets.ts",
      'import { a } from "../../scripts/a.ts";',
      "in no room",
    ],
    ["a package outside its door", "server/routes.ts", 'import { sql } from "kysely";', "which only store/"],
    ["the address parser outside its doors", "server/routes.ts", 'import ip from "ipaddr.js";', "may use"],
    [
      "a subpath of a package outside its door",
      "server/routes.ts",
      'import { M } from "kysely/migration";',
      "which only",
    ],
    ["a type of a package outside its door", "server/routes.ts", 'import type { Kysely } from "kysely";', "which only"],
    [
      "a file beside a package's one door",
      "mail/other.ts",
      'import { simpleParser } from "mailparser";',
      "analyzer/mail/mime/rare-charsets.ts",
    ],
    [
      "the file system in a pure room",
      "analyzer/mail/mime/rare-charsets.ts",
      'import { readFileSync } from "node:fs";',
      "in a pure room",
    ],
    ["sockets in a pure room", "analyzer/mail/mime/rare-charsets.ts", 'import net from "node:net";', "in a pure room"],
    ["the clock in a pure room", "analyzer/mail/mime/rare-charsets.ts", "const now = Date.now();", "in a pure room"],
    [
      "a new date without argument in a pure room",
      "analyzer/mail/mime/rare-charsets.ts",
      "const now = new Date();",
      "in a pure room",
    ],
    ["randomness in a pure room", "analyzer/mail/mime/rare-charsets.ts", "const r = Math.random();", "in a pure room"],
    ["fetch in a pure room", "analyzer/mail/mime/rare-charsets.ts", "const r = await fetch(url);", "in a pure room"],
    ["a timeout in a pure room", "analyzer/mail/mime/rare-charsets.ts", "setTimeout(retry, 10);", "in a pure room"],
    ["an interval in a pure room", "analyzer/mail/mime/rare-charsets.ts", "setInterval(look, 10);", "in a pure room"],
    ["a later turn in a pure room", "analyzer/mail/mime/rare-charsets.ts", "setImmediate(look);", "in a pure room"],
    [
      "the global object in a pure room",
      "analyzer/mail/mime/rare-charsets.ts",
      "const world = globalThis;",
      "in a pure room",
    ],
    ["the process in a pure room", "analyzer/mail/mime/rare-charsets.ts", "const e = process.env;", "in a pure room"],
    ["a default export", "analyzer/mail/mime/rare-charsets.ts", "export default 1;", "default export"],
    ["a barrel", "mail/index.ts", 'export * from "./parse.ts";', "barrel"],
    ["an import for its side effect", "analyzer/mail/mime/rare-charsets.ts", 'import "./other.ts";', "side effect"],
    ["a folder named utils", "api/utils/text.ts", "", "meaningless name"],
    [
      "the list of checks behind a serializer",
      "features/tests/contract/tests.ts",
      'import { checks } from "../checks/list.ts";',
      "loads analyzer/checks/list.ts, by way of analyzer/checks/list.ts",
    ],
    ["a file of 301 lines", "mail/long.ts", "1;\n".repeat(301), "more than 300 lines"],
  ])("rejects %s", (_name, path, text, problem) => {
    expect(problemsWith({ [path]: text })).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    ["an effect that only a comment names", "// Date.now() is not for here\n/* fetch( */"],
    ["an effect that only a sentence names", 'const doc = "see https://example.com/ and process.env";'],
    ["a date made from an argument", "const day = new Date(0);"],
    ["a builtin without effects", 'import { domainToASCII } from "node:url";'],
  ])("accepts %s in a folder without side effects", (_name, text) => {
    expect(problemsWith({ "analyzer/mail/mime/rare-charsets.ts": text })).toEqual([]);
  });

  test("finds that a serializer loads the list of checks indirectly", () => {
    const problems = problemsWith({
      "features/tests/contract/tests.ts": 'import { toReport } from "../checks/report.ts";',
      "checks/report.ts": 'import { words } from "./list.ts";',
    });
    expect(problems).toEqual([
      "src/features/tests/contract/tests.ts: loads analyzer/checks/list.ts, by way of checks/report.ts, analyzer/checks/list.ts",
    ]);
  });

  test("accepts a long data table", () => {
    expect(problemsWith({ "mail/client-table.ts": "1;\n".repeat(900) })).toEqual([]);
  });
});
