// Requires linear time on hostile text for every regular expression in src/. There is no list of exceptions, because
// each one so far had a linear form. Literals are read from the source. Others are caught when they are created while
// every module is imported, so an expression created only inside a function is reported. Modifiers are refused too.

import { join } from "node:path";
import jsTokens from "js-tokens";
import { readSources, type SourceFile } from "./imports.ts";
import { weaknessOf } from "./regexes/judge.ts";

export type Found = { readonly place: string; readonly regex: RegExp };

/** They start working when imported. The web app does so only in a browser. */
const programs = [
  "main.ts",
  "features/tests/analysis/worker.ts",
  "features/tests/rows/reading-thread.ts",
  "platform/database/reading-thread.ts",
  "features/mailboxes/work/thread.ts",
];
const inBrowser = /^web\/|^features\/[^/]+\/(?:page[/.]|script\/)/;
const root = join(import.meta.dirname, "..", "src");

/** A file's literals, and the places where it creates others. */
export function readRegexes({ path, text }: SourceFile): { literals: Found[]; makings: string[] } {
  const literals: Found[] = [];
  const makings: string[] = [];
  let line = 1;
  let before = "";
  for (const { type, value } of jsTokens(text, { jsx: path.endsWith(".tsx") })) {
    if (type === "RegularExpressionLiteral") {
      const slash = value.lastIndexOf("/");
      const regex = new RegExp(value.slice(1, slash), value.slice(slash + 1));
      literals.push({ place: `${path}:${line}`, regex });
    }
    if (value === "(" && before === "RegExp") makings.push(`${path}:${line}`);
    line += value.split("\n").length - 1;
    before = value;
  }
  return { literals, makings };
}

async function recordMade(paths: readonly string[]): Promise<Found[]> {
  const made: Found[] = [];
  const record = (regex: RegExp): RegExp => {
    // The frames of this function and of its trap come first.
    const [, , , frame = ""] = new Error().stack?.split("\n") ?? [];
    const [, path, line] = /\/src\/([^:()]+):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (path && line) made.push({ place: `${path}:${line}`, regex });
    return regex;
  };
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct: (target, [pattern, flags]) => record(new target(pattern, flags)),
    apply: (target, _self, [pattern, flags]) => record(target(pattern, flags)),
  });
  for (const path of paths) if (!programs.includes(path) && !inBrowser.test(path)) await import(join(root, path));
  globalThis.RegExp = Native;
  return made;
}

/** V8 misses alternatives inside `(?i:…)` once it has compiled so many expressions that it stops optimizing. */
const modifier = /\(\?(?:[ims]+(?:-[ims]*)?|-[ims]+):/;

export function problemsOf(found: readonly Found[]): string[] {
  const distinct = new Map(found.map(({ place, regex }) => [String(regex), { place, regex }]));
  return [...distinct.values()].flatMap(({ place, regex }) => {
    if (modifier.test(regex.source)) return [`src/${place}: has a modifier, which V8 may misread: ${regex}`];
    const weakness = weaknessOf(regex);
    if (!weakness) return [];
    const { wayIn, pump, end } = weakness.attack;
    const quote = (text: string) => (text === "" ? [] : JSON.stringify(text));
    const text = [quote(wayIn), `${JSON.stringify(pump)} over and over`, quote(end)].flat().join(", then ");
    return [`src/${place}: ${weakness.problem} on ${text}: ${regex}`];
  });
}

if (import.meta.main) {
  const files = readSources(root).map((file) => ({ ...file, ...readRegexes(file) }));
  const literals = files.flatMap((file) => file.literals);
  const made = await recordMade(files.map(({ path }) => path));
  const seen = new Set(made.map(({ place }) => place));
  const unseen = files.flatMap(({ makings }) => makings).filter((place) => !seen.has(place));
  const problems = [
    ...unseen.map((place) => `src/${place}: creates a regular expression inside a function. Create it at module level`),
    ...problemsOf([...literals, ...made]),
  ];
  for (const problem of problems) console.error(problem);
  console.log(`${literals.length} literals and ${made.length} created at run time`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
