// Whether optional features can be deleted: their folders, their lines in the lists and in the report, and the rest still
// has sound types. In a copy of the sources.

import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { importsOf, readSources } from "./imports.ts";

/** Where a feature may be named outside its folder: lists with a line for each, and the report. */
const lists =
  /^(?:server|commands)\.ts$|^web\/(?:app|pages|later-pages|settings\/page)\.tsx$|^web\/client\/endpoints\.ts$|^features\/tests\/analysis\/worker\.ts$|^web\/report\//;

/** A copy of the sources in `to`, to take features out of. */
export function copySources(root: string, to: string): void {
  for (const name of ["src", "package.json", "tsconfig.json"])
    cpSync(join(root, name), join(to, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(to, "node_modules"));
  const config = JSON.parse(readFileSync(join(to, "tsconfig.json"), "utf8"));
  // What is left unused is for the linter.
  Object.assign(config.compilerOptions, { noUnusedLocals: false, noUnusedParameters: false });
  writeFileSync(join(to, "tsconfig.json"), JSON.stringify({ ...config, include: ["src"] }));
}

/** The imports of a feature that stay when it goes. */
export function strayImports(feature: string, root: string): string[] {
  return readSources(join(root, "src"))
    .filter(({ path }) => !lists.test(path) && !path.startsWith(`features/${feature}/`))
    .flatMap(({ path, text }) =>
      importsOf(text).flatMap((target) => (isOf(path, target, feature) ? `${path} imports ${target}` : [])),
    );
}

/** Deletes them, and returns what no longer fits, then puts them back. */
export function problemsWithout(features: readonly string[], copy: string): string[] {
  const source = join(copy, "src");
  const away = (feature: string) => join(copy, feature);
  const at = (feature: string) => join(source, "features", feature);
  for (const feature of features) renameSync(at(feature), away(feature));
  const listing = readSources(source).filter(({ path }) => lists.test(path));
  for (const { path, text } of features.reduce(withoutFeature, listing)) writeFileSync(join(source, path), text);
  // A second checker would read most of the sources again.
  const args = ["--noEmit", "--project", copy, "--checkers", "1"];
  const { stdout } = spawnSync(join(copy, "node_modules/.bin/tsc"), args, { encoding: "utf8" });
  for (const feature of features) renameSync(away(feature), at(feature));
  for (const { path, text } of listing) writeFileSync(join(source, path), text);
  return stdout.split("\n").filter((line) => line.includes("error TS"));
}

function withoutFeature(listing: readonly Source[], feature: string): readonly Source[] {
  const components = listing.flatMap((one) => importedNames(one, feature)).filter((name) => /^[A-Z]/.test(name));
  return listing.map((one) => ({ ...one, text: textWithout(one, feature, components) }));
}

/**
 * Without its imports, and without each attribute that hands in what they brought, each line that names it, or in quotes a
 * component of another list.
 */
function textWithout({ path, text }: Source, feature: string, components: readonly string[]): string {
  const named = importedNames({ path, text }, feature);
  const isNamed = new RegExp(`\\b(?:${named.join("|") || "(?!)"})\\b|"(?:${components.join("|") || "(?!)"})"`);
  return text
    .replace(imports, (whole, _, target: string) => (isOf(path, target, feature) ? "" : whole))
    .replace(new RegExp(` \\w+=\\{(?:${named.join("|") || "(?!)"})\\}`, "g"), "")
    .split("\n")
    .filter((line) => !isNamed.test(line))
    .filter((line) => !isOf(path, /import\("([^"]+)"\)/.exec(line)?.[1] ?? ".", feature))
    .join("\n");
}

type Source = ReturnType<typeof readSources>[number];

const imports = /^import (?:type )?\{([^}]*)\} from "([^"]+)";\n/gm;

function isOf(path: string, target: string, feature: string): boolean {
  return posix.join(posix.dirname(path), target).startsWith(`features/${feature}/`);
}

function importedNames({ path, text }: Source, feature: string): string[] {
  return [...text.matchAll(imports)]
    .filter(([, , target = ""]) => isOf(path, target, feature))
    .flatMap(([, names = ""]) => names.split(","))
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type /, "")
          .split(" as ")
          .at(-1) ?? "",
    )
    .filter((name) => name !== "");
}
