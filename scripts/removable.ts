// Whether an optional feature can be deleted: its folder, its lines in the lists and in the report, and the rest still
// has sound types. In a copy of the sources.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { readSources } from "./imports.ts";

/** Where a feature may be named outside its folder: lists with a line for each, and the report. */
const lists =
  /^(?:server|commands)\.ts$|^web\/(?:pages|later-pages|settings\/page)\.tsx$|^web\/client\/endpoints\.ts$|^features\/tests\/analysis\/worker\.ts$|^web\/report\//;

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

/** Deletes it, and returns what no longer fits, then puts it back. */
export function problemsWithout(feature: string, copy: string): string[] {
  const source = join(copy, "src");
  const kept = readSources(source);
  rmSync(join(source, "features", feature), { recursive: true });
  for (const { path, text } of kept)
    if (lists.test(path)) writeFileSync(join(source, path), withoutFeature(path, text, feature));
  const { stdout } = spawnSync(join(copy, "node_modules/.bin/tsc"), ["--noEmit", "--project", copy], {
    encoding: "utf8",
  });
  for (const { path, text } of kept)
    if (lists.test(path) || path.startsWith(`features/${feature}/`)) {
      mkdirSync(join(source, posix.dirname(path)), { recursive: true });
      writeFileSync(join(source, path), text);
    }
  return stdout.split("\n").filter((line) => line.includes("error TS"));
}

/** Without its imports, and without each line that names what they brought. */
function withoutFeature(path: string, text: string, feature: string): string {
  const names: string[] = [];
  const isOf = (target: string) => posix.join(posix.dirname(path), target).startsWith(`features/${feature}/`);
  const rest = text.replace(
    /^import (?:type )?\{([^}]*)\} from "([^"]+)";\n/gm,
    (whole, imported: string, target: string) => {
      if (!isOf(target)) return whole;
      names.push(
        ...imported.split(",").map(
          (name) =>
            name
              .trim()
              .replace(/^type /, "")
              .split(" as ")
              .at(-1) ?? "",
        ),
      );
      return "";
    },
  );
  const named = names.filter((name) => name !== "");
  const isNamed = new RegExp(`\\b(?:${named.join("|") || "(?!)"})\\b`);
  return rest
    .split("\n")
    .filter((line) => !isNamed.test(line))
    .filter((line) => !isOf(/import\("([^"]+)"\)/.exec(line)?.[1] ?? "."))
    .join("\n");
}
