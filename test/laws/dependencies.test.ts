// What packages may contain: no script that runs when it is installed, no license that restricts distribution, and
// no version that was not reviewed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toLicenses } from "../../scripts/package/inventory.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const manifest = JSON.parse(read("package.json"));
type Locked = {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
};
const locked = Object.entries(JSON.parse(read("package-lock.json")).packages as Record<string, Locked>)
  .filter(([path]) => path !== "")
  .map(([path, entry]) => ({ name: path.split("node_modules/").at(-1) ?? path, ...entry }));

test("no package runs a script when it is installed", () => {
  expect(read(".npmrc").split("\n")).toContain("ignore-scripts=true");
  expect(read("scripts/bootstrap.mjs")).toContain('"--ignore-scripts"');
  expect(Object.values(manifest.allowScripts)).not.toContain(true);
  const wanting = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  for (const name of wanting) expect(manifest.allowScripts, `Look at what ${name} does.`).toHaveProperty(name);
});

/** They ask for nothing but their own text, which is in THIRD-PARTY-LICENSES. */
const free = new Set(["MIT", "MIT-0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Apache-2.0", "Unlicense"]);

/** Why another license is no trouble. Packages with the same license and the same reason share a beginning. */
const notes: Readonly<Record<string, string>> = {
  "@zone-eu/mailsplit": "(MIT OR EUPL-1.1+): used under MIT",
  "@biomejs/": "MIT OR Apache-2.0: both are free, and it is a tool",
  "axe-core": "MPL-2.0: a tool of the tests, unchanged and not shipped",
  lightningcss: "MPL-2.0: a tool of the tests, unchanged and not shipped",
};

test("every license is known and permits distribution", () => {
  const others = locked.filter(({ license = "none" }) => !free.has(license));
  const noteOf = (name: string) => Object.keys(notes).find((beginning) => name.startsWith(beginning));
  expect(others.filter(({ name }) => noteOf(name) === undefined)).toEqual([]);
  for (const { name, license = "none", dev } of others) {
    const note = notes[noteOf(name) ?? ""] ?? "";
    expect(note.startsWith(`${license}: `), `${name} has the license ${license}`).toBe(true);
    if (/\b(?:GPL|LGPL|AGPL|MPL|EUPL|CC-BY|SSPL)/.test(license) && !license.includes(" OR ")) expect(dev).toBe(true);
  }
  const idle = Object.keys(notes).filter((beginning) => !others.some(({ name }) => name.startsWith(beginning)));
  expect(idle).toEqual([]);
});

test("the license file names every package inside, with Node and SQLite", () => {
  const text = toLicenses();
  const inside = locked.filter(({ dev, optional }) => !dev && !optional);
  expect(inside.length).toBeGreaterThan(100);
  for (const { name, version, license } of inside) expect(text).toContain(`${name} ${version} (${license})`);
  expect(text).toContain("SQLite is in the public domain");
  expect(text).toContain(`Node ${process.versions.node}`);
});

test("every version of a direct dependency was reviewed", () => {
  const reviewed = new Set(
    [...read(".github/DEPENDENCIES.md").matchAll(/^\| (\S+) \| (\S+) \|/gm)].map(
      ([, name, version]) => `${name} ${version}`,
    ),
  );
  const groups = ["dependencies", "devDependencies", "optionalDependencies", "overrides"];
  const ours = groups.flatMap((group) => Object.entries<string>(manifest[group]));
  const missing = ours.filter(([name, version]) => !reviewed.has(`${name} ${version}`));
  expect(missing.map(([name, version]) => `${name} ${version} has no row in .github/DEPENDENCIES.md`)).toEqual([]);
});
