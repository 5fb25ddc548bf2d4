// npm run check: all gates except the tests, each with its result.

import { spawnSync } from "node:child_process";

const node = process.execPath;
const gates: Readonly<Record<string, readonly string[]>> = {
  // A second checker would read most of the sources again: on two cores both need longer than one.
  types: ["node_modules/.bin/tsc", "--checkers", "1"],
  "lint and format": ["node_modules/.bin/biome", "check", "--error-on-warnings", "."],
  imports: [node, "scripts/imports.ts"],
  form: [node, "scripts/form.ts"],
  "unused code": [node, "scripts/exports.ts"],
  docs: [node, "scripts/docs.ts", "--check"],
  "linear regular expressions": [node, "scripts/regexes.ts"],
};

let failures = 0;
for (const [name, [file = "", ...args]] of Object.entries(gates)) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: "utf8" });
  console.log(`${status === 0 ? "pass" : "FAIL"}  ${name}`);
  if (status === 0) continue;
  failures += 1;
  console.log(`${stdout}${stderr}${error?.message ?? ""}`);
}
process.exitCode = failures === 0 ? 0 : 1;
