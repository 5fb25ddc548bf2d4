import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findProblems, readSources } from "../../scripts/imports.ts";

const sound: Readonly<Record<string, string>> = {
  "analyzer/checks/list.ts": "export const checks = [];",
  "analyzer/facts/spf.ts": 'import { checks } from "../checks/list.ts";\nsetTimeout(() => {}, 1);',
  "platform/errors.ts": "export const one = 1;",
  "platform/database/open.ts": 'import Database from "better-sqlite3";\nimport { one } from "../errors.ts";',
  "features/alerts/contract.ts": 'import { z } from "zod";\nimport { one } from "../../platform/errors.ts";',
  "features/alerts/rows.ts": 'import { open } from "../../platform/database/open.ts";',
  "features/alerts/index.ts": 'import { rows } from "./rows.ts";\nimport { list } from "../streams/index.ts";',
  "features/alerts/page.tsx": 'import { z } from "./contract.ts";\nimport { part } from "../../web/parts/icon.tsx";',
  "features/streams/index.ts": "export const list = [];",
  "web/parts/icon.tsx": "export const part = 1;",
  "web/report/page.tsx": 'import type { z } from "../../features/alerts/contract.ts";',
  "server.ts": 'import { alerts } from "./features/alerts/index.ts";',
  "main.ts": 'const { start } = await import("./server.ts");',
};

function problemsWith(changes: Readonly<Record<string, string>>): string[] {
  return findProblems(Object.entries({ ...sound, ...changes }).map(([path, text]) => ({ path, text })));
}

describe("the law of imports", () => {
  test("the law of imports accepts our own sources", () => {
    expect(findProblems(readSources(join(import.meta.dirname, "..", "..", "src")))).toEqual([]);
  });

  test("the law of imports finds nothing wrong with a correct layout", () => expect(problemsWith({})).toEqual([]));

  test.each([
    ["analyzer/checks/a.ts", 'import { one } from "../../platform/errors.ts";', "above analyzer"],
    ["analyzer/checks/a.ts", 'export { one } from "../../platform/errors.ts";', "above analyzer"],
    ["platform/http/a.ts", 'import type { rows } from "../../features/alerts/rows.ts";', "above platform"],
    ["features/alerts/work.ts", 'import { start } from "../../server.ts";', "only connects"],
    ["features/alerts/contract.ts", 'import { rows } from "./rows.ts";', "computes, but imports"],
    ["features/alerts/words.ts", "const now = Date.now();", "computes, but has Date.now("],
    ["analyzer/checks/a.ts", 'import { readFileSync } from "node:fs";', "computes, but imports node:fs"],
    ["features/alerts/page.tsx", 'import { rows } from "./rows.ts";', "for browsers, but imports"],
    ["features/alerts/rows.ts", 'import { page } from "./page.tsx";', "is for browsers"],
    ["web/report/page.tsx", 'import { checks } from "../../analyzer/checks/list.ts";', "in browsers"],
    ["features/alerts/work.ts", 'import Stripe from "stripe";', "may use"],
    ["extra/new.ts", 'import { one } from "../platform/errors.ts";\nexport default one;', "default export"],
    ["platform/a.ts", 'export * from "./errors.ts";', "barrel"],
    ["platform/a.ts", 'import "./errors.ts";', "side effect"],
    ["platform/utils/text.ts", "", "meaningless name"],
    ["platform/a.ts", 'import { no } from "../extra/new.ts";', "in no building"],
  ])("the law of imports refuses %s with %s", (path, text, problem) => {
    expect(problemsWith({ [path]: text })).toContainEqual(expect.stringContaining(problem));
  });

  test("the law of imports refuses a cycle at run time, also within a folder", () => {
    const circle = { "platform/a.ts": 'import { b } from "./b.ts";', "platform/b.ts": 'import { a } from "./a.ts";' };
    expect(problemsWith(circle)).toEqual(["A circle of imports: platform/a.ts, platform/b.ts"]);
  });

  test("the law of imports refuses a cycle of types only through several folders", () => {
    const near = {
      "platform/a.ts": 'import type { b } from "./b.ts";',
      "platform/b.ts": 'import type { a } from "./a.ts";',
    };
    const far = {
      "platform/http/a.ts": 'import type { b } from "../work/b.ts";',
      "platform/work/b.ts": 'import type { a } from "../http/a.ts";',
    };
    expect(problemsWith(near)).toEqual([]);
    expect(problemsWith(far)).toEqual(["A circle of imports: platform/http/a.ts, platform/work/b.ts"]);
  });

  test("the law of imports ignores an import in a comment or a string", () => {
    const text = '// import { a } from "../server.ts";\nconst b = "import { a } from \\"../server.ts\\"";';
    expect(problemsWith({ "platform/a.ts": text })).toEqual([]);
  });
});
