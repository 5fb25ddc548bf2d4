// The test files that `npm test` runs no less than `npm run test:all` does, so that `npm run test:rest` need not run them.

import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isExpensive } from "./lanes.ts";

/** What differs between the two runs: samples, PostgreSQL, and what lies beside the checkout. */
const differs = /lanes\.ts"|"postgresUrl"|shared\/(?:data|spec)\//;

export function filesThatRanWhole(root: string): readonly string[] {
  const known = new Map<string, boolean>();
  const reaches = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, false);
    const text = readFileSync(join(root, file), "utf8");
    const imported = Array.from(text.matchAll(/(?:from|import) "(\.[^"]+\.ts)"/g), ([, path]) =>
      join(dirname(file), path ?? ""),
    );
    const result =
      differs.test(text) ||
      imported.some((path) => path.startsWith("test/") && existsSync(join(root, path)) && reaches(path));
    known.set(file, result);
    return result;
  };
  return globSync("test/**/*.test.ts", { cwd: root }).filter(
    (file) => !isExpensive(join(root, file)) && !reaches(file),
  );
}
