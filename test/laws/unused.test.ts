// The rule of scripts/exports.ts: every export is used, and comments and import permissions name what exists.

import { join } from "node:path";
import { expect, test } from "vitest";
import { findStaleDoors, findStaleMentions, findUnused } from "../../scripts/exports.ts";
import { readSources } from "../../scripts/imports.ts";

const top = join(import.meta.dirname, "..", "..");
const files = ["src", "test", "scripts"].flatMap((folder) =>
  readSources(join(top, folder)).map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
);

test("our own sources have no unused exports", () => {
  expect([...findUnused(files), ...findStaleMentions(files)]).toEqual([]);
  expect(findStaleDoors(readSources(join(top, "src")))).toEqual([]);
});

test("an export that no file imports is found in any form", () => {
  const written = (path: string, text: string) => ({ path, text });
  const exporting = written(
    "src/a.ts",
    "export const one = 1;\nexport async function two() {}\nexport type Three = 3;\nexport const { four, five } = six;",
  );
  const importing = written(
    "src/b/c.ts",
    'import { one as first, type Three } from "../a.ts";\nimport {\n  four,\n} from "../a.ts";',
  );
  expect(findUnused([exporting, importing])).toEqual([
    "src/a.ts: exports two, which no file imports",
    "src/a.ts: exports five, which no file imports",
  ]);
  expect(findUnused([exporting, written("test/a.test.ts", 'const all = await import("../src/a.ts");')])).toEqual([]);
});

test("a comment about a missing file is found, and a string is not", () => {
  const text = '// See mail/gone.ts.\nconst path = "mail/also-gone.ts"; /* and src/analyzer/mail/there.ts */';
  expect(
    findStaleMentions([
      { path: "src/a.ts", text },
      { path: "src/analyzer/mail/there.ts", text: "" },
    ]),
  ).toEqual(["src/a.ts: a comment mentions mail/gone.ts, which does not exist"]);
});

test("an unused import permission is found", () => {
  expect(findStaleDoors([])).toContain("scripts/imports.ts: nothing in features/intake/smtp/ imports smtp-server");
});
