// The documents for contributors match the code: they name existing files, comments name existing sections, and no
// rule is kept outside the repository.

import { existsSync, globSync, readFileSync } from "node:fs";
import { join, matchesGlob, posix } from "node:path";
import { expect, test } from "vitest";
import { readSources } from "../../scripts/imports.ts";
import { onlyAtNight, onlyInRest } from "../lanes.ts";

const top = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(top, file), "utf8");
const documents = [
  ".github/CONTRIBUTING.md",
  ".github/SECURITY.md",
  "README.md",
  "scripts/README.md",
  "test/README.md",
  ...globSync("src/**/*.md", { cwd: top }),
];
const sources = ["src", "test", "scripts"].flatMap((folder) =>
  readSources(join(top, folder)).map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
);

test.each(documents)("the document %s links to existing files", (file) => {
  const links = [...read(file).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
  const targets = links.map((link) => posix.join(posix.dirname(file), link));
  expect(targets.filter((target) => !existsSync(join(top, target)))).toEqual([]);
});

test.each(documents)("the document %s names existing paths", (file) => {
  const paths = [...read(file).matchAll(/`((?:src|test|scripts|\.ci|\.github)\/[\w./-]+)`/g)];
  expect(paths.map(([, path = ""]) => path).filter((path) => !existsSync(join(top, path)))).toEqual([]);
});

test.each(documents)("the document %s names existing files and functions", (file) => {
  const quoted = [
    ...read(file)
      .replace(/```(?!mermaid)[\s\S]*?```/g, "")
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, name = ""]) => name);
  const files = quoted.filter((name) => /^\w[\w./-]*\.tsx?$/.test(name));
  expect(files.filter((name) => !sources.some(({ path }) => `/${path}`.endsWith(`/${name}`)))).toEqual([]);
  // The handbook also names settings of other programs.
  const functions =
    file.startsWith("src/") && !file.startsWith("src/handbook/")
      ? quoted.filter((name) => /^[a-z]+[A-Z]\w*$/.test(name))
      : [];
  expect(functions.filter((name) => !sources.some(({ text }) => text.includes(name)))).toEqual([]);
});

test("a comment that cites a decision names an existing section", () => {
  const sections = [...read("src/decisions.md").matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  const cited = sources.flatMap(({ text }) =>
    [...text.matchAll(/src\/decisions\.md,((?: (?:and )?"[^"]+")+)/g)].flatMap(([, names = ""]) =>
      [...names.matchAll(/"([^"]+)"/g)].map(([, name]) => name),
    ),
  );
  expect(cited.length).toBeGreaterThan(40);
  expect(cited.filter((name) => !sections.includes(name))).toEqual([]);
  expect(sections.filter((name) => !cited.includes(name))).toEqual([]);
});

test("only the public test suites and the interface specification are read from outside the repository", () => {
  const outside = /(?:\.\.\/)+shared\/(?!data\/|spec\/interface\.md)[\w/.-]*|\bdecisions §/;
  const elsewhere = sources.filter(({ path }) => path !== "test/laws/documents.test.ts");
  expect(elsewhere.filter(({ text }) => outside.test(text)).map(({ path }) => path)).toEqual([]);
});

test("documents, comments, and workflows run only existing npm scripts and programs", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const texts = [
    ...[...documents, ".ci/run", ...globSync(".github/workflows/*", { cwd: top })].map(read),
    ...sources.map(({ text }) => text),
  ];
  const runs = texts.flatMap((text) => [
    ...text.matchAll(/npm run (?:-s )?(\w[\w-]*(?::[\w-]+)*)(?: -- (scripts\/[\w./-]+\w))?/g),
  ]);
  expect(runs.length).toBeGreaterThan(100);
  const isThere = (script = "", program = "") => Object.hasOwn(scripts, script) && existsSync(join(top, program));
  expect(runs.filter(([, script, program]) => !isThere(script, program)).map(([run]) => run)).toEqual([]);
});

test("scripts/README.md names every script", () => {
  const text = read("scripts/README.md");
  const names = globSync("*", { cwd: join(top, "scripts") }).filter((name) => name !== "README.md");
  expect(names.filter((name) => !text.includes(`\`${name}\``) && !text.includes(`\`${name}/`))).toEqual([]);
});

test("test/README.md names every law", () => {
  const laws = globSync("test/laws/*.test.ts", { cwd: top });
  expect(laws.filter((law) => !read("test/README.md").includes(`\`${law}\``))).toEqual([]);
});

test.each([onlyInRest, onlyAtNight])("test/README.md names each file that npm test leaves out: %#", (expensive) => {
  const rows = Object.entries(expensive).map(
    ([why, globs]) => `| ${why} | ${globs.map((glob) => `\`${glob}\``).join(", ")} |`,
  );
  expect(read("test/README.md")).toContain(rows.join("\n"));
  const files = globSync("test/**/*.test.ts", { cwd: top });
  const stale = Object.values(expensive)
    .flat()
    .flatMap((glob) => namesIn(glob))
    .filter((glob) => !files.some((file) => matchesGlob(file, glob)));
  expect(stale).toEqual([]);
});

/** Each name in braces by itself. */
function namesIn(glob: string): string[] {
  const [, before = "", names, after = ""] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(glob) ?? [];
  return names === undefined ? [glob] : names.split(",").flatMap((name) => namesIn(before + name + after));
}
