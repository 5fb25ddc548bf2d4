// Finds unused code: exported names that no other file imports, comments that name a missing file, and doors of
// scripts/imports.ts that no file uses. Reads text, like scripts/imports.ts.

import { join, posix } from "node:path";
import { doors, importsOf, readSources, type SourceFile } from "./imports.ts";

const declaration =
  /^export (?:declare )?(?:async )?(?:function\*?|const|let|class|type|interface) (\w+)|^export const \{ ([^}]+) \}/gm;
const importing = /^(?:import|export)\s+(?:type\s+)?([^"'`;]*?)\s*from\s+"(\.[^"]+)"/gm;
const importingWhole = /\bimport\(\s*"(\.[^"]+)"|^(?:import|export)\s+(?:type\s+)?\* (?:as \w+ )?from "(\.[^"]+)"/gm;
/** A path or file name in a comment. */
const mention =
  /(?<![\w./-])((?:[a-z][\w-]*\/)*[a-z][\w-]*(?:\.test)?\.(?:tsx?|mjs)|(?:[a-z][\w-]*\/)+[\w-]+\.css)(?![\w-])/g;

/** The server calls them in the bundle that scripts/build-web.ts creates. */
const bundled: ReadonlySet<string> = new Set(["src/web/report/static.tsx"]);

/** Paths relative to the repository's root. */
export function findUnused(files: readonly SourceFile[]): string[] {
  const imported = new Set(files.flatMap(importedNames));
  const whole = new Set(files.flatMap(importedWhole));
  return files
    .filter(({ path }) => path.startsWith("src/") && !whole.has(path) && !bundled.has(path))
    .flatMap(({ path, text }) =>
      exportedNames(text)
        .filter((name) => !imported.has(`${path} ${name}`))
        .map((name) => `${path}: exports ${name}, which no file imports`),
    );
}

export function findStaleMentions(files: readonly SourceFile[]): string[] {
  const known = files.map(({ path }) => `/${path}`);
  const isThere = (named: string) => known.some((path) => path.endsWith(`/${named}`));
  return files.flatMap(({ path, text }) =>
    commentsIn(text).flatMap((comment) =>
      [...comment.matchAll(mention)]
        .map(([, named = ""]) => named)
        .filter((named) => !isThere(named))
        .map((named) => `${path}: a comment mentions ${named}, which does not exist`),
    ),
  );
}

/** `files` are those of src, with paths relative to it. */
export function findStaleDoors(files: readonly SourceFile[]): string[] {
  return Object.entries(doors).flatMap(([name, places]) => {
    const users = files.filter(({ text }) =>
      importsOf(text).some((target) => target === name || target.startsWith(`${name}/`)),
    );
    return places
      .filter((place) => !users.some(({ path }) => path.startsWith(place)))
      .map((place) => `scripts/imports.ts: nothing in ${place} imports ${name}`);
  });
}

function exportedNames(text: string): string[] {
  return [...text.matchAll(declaration)].flatMap(([, name, several]) =>
    name === undefined ? (several ?? "").split(",").map((one) => one.trim()) : [name],
  );
}

function importedNames({ path, text }: SourceFile): string[] {
  // A feature adds to an interface of the platform.
  const extended = [...text.matchAll(/^declare module "(\.[^"]+)" \{([\s\S]*?)^\}/gm)].flatMap(
    ([, target = "", body = ""]) =>
      [...body.matchAll(/interface (\w+)/g)].map(([, name]) => `${posix.join(posix.dirname(path), target)} ${name}`),
  );
  const imported = [...text.matchAll(importing)].flatMap(([, names = "", target = ""]) => {
    const from = posix.join(posix.dirname(path), target);
    const inBraces = /\{([^}]*)\}/.exec(names)?.[1] ?? "";
    return inBraces
      .split(",")
      .map(
        (one) =>
          one
            .trim()
            .replace(/^type /, "")
            .split(" as ", 1)[0] ?? "",
      )
      .map((name) => `${from} ${name.trim()}`);
  });
  return [...imported, ...extended];
}

function importedWhole({ path, text }: SourceFile): string[] {
  return [...text.matchAll(importingWhole)].map(([, dynamic, star]) =>
    posix.join(posix.dirname(path), dynamic ?? star ?? ""),
  );
}

/** Strings are matched first, so that the slashes of a URL don't begin a comment. */
function commentsIn(text: string): string[] {
  const parts = text.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g);
  return [...parts].flatMap(([, comment]) => (comment === undefined ? [] : [comment]));
}

if (import.meta.main) {
  const top = join(import.meta.dirname, "..");
  const read = (folder: string) =>
    readSources(join(top, folder)).map(({ path, text }) => ({ path: `${folder}/${path}`, text }));
  const files = ["src", "test", "scripts"].flatMap(read);
  const problems = [
    ...findUnused(files),
    ...findStaleMentions(files),
    ...findStaleDoors(readSources(join(top, "src"))),
  ];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
