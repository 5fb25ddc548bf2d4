import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const read = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));
const groups = ["dependencies", "devDependencies", "optionalDependencies"] as const;

test("the lock file matches package.json, so that nothing is installed twice", () => {
  const manifest = read("package.json");
  const locked = read("package-lock.json").packages[""];
  for (const group of groups) expect(locked[group]).toEqual(manifest[group]);
});

test("every package is pinned to an exact version", () => {
  const manifest = read("package.json");
  const versions = groups.flatMap((group) => Object.values<string>(manifest[group]));
  for (const version of [...versions, ...Object.values<string>(manifest.overrides)])
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("the lock file contains no download URL, and a hash for every package", () => {
  const packages: Record<string, { resolved?: string; integrity?: string }> = read("package-lock.json").packages;
  for (const [path, { resolved, integrity }] of Object.entries(packages)) {
    expect(resolved, path).toBeUndefined();
    if (path !== "") expect(integrity, path).toMatch(/^sha512-/);
  }
});
