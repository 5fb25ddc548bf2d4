// npm run release -- <version> (--key <file> | --unsigned) [--dry-run]: checks that everything is in place for a release,
// builds the packages, signs their checksums, and prints the commands that tag it. It changes nothing in Git.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findKeyProblem } from "./signing.ts";

const top = join(import.meta.dirname, "..", "..");

export type State = {
  /** The version of package.json and of package-lock.json. */
  readonly version: string;
  readonly lockVersion: string;
  readonly changelog: string;
  /** What `git status --porcelain` prints. */
  readonly changes: string;
  /** Tags of other commits. */
  readonly tags: readonly string[];
  /** Whether test/fixtures/releases has its database. */
  readonly hasDatabase: boolean;
  /** What is wrong with the key that signs it. */
  readonly keyProblem: string | null;
};

/** Everything that is in the way of a release. */
export function findObstacles(
  wanted: string,
  { version, lockVersion, changelog, changes, tags, hasDatabase, keyProblem }: State,
): string[] {
  const heading = new RegExp(`^## ${wanted.replaceAll(".", "\\.")}( .*)?$`, "m").exec(changelog);
  const isDated = /^ \(\d{4}-\d{2}-\d{2}\)$/.test(heading?.[1] ?? "");
  const obstacles: readonly (readonly [boolean, string])[] = [
    [!/^\d+\.\d+\.\d+$/.test(wanted), `A version has the form 1.2.3, not ${JSON.stringify(wanted)}.`],
    [version !== wanted, `package.json has version ${version}. Run: npm version ${wanted} --no-git-tag-version`],
    [lockVersion !== version, `package-lock.json has version ${lockVersion}. Run: npm install`],
    [!heading, `src/handbook/changelog.md has no entry "## ${wanted}".`],
    [
      heading !== null && !isDated,
      `The entry of ${wanted} in src/handbook/changelog.md needs its date: "## ${wanted} (2026-11-26)".`,
    ],
    [changes !== "", `There are changes that are not committed:\n${changes.trimEnd()}`],
    [tags.includes(`v${wanted}`), `The tag v${wanted} is on another commit.`],
    [
      !hasDatabase,
      `test/fixtures/releases/${wanted} is missing, so later versions can't be tested with its database. Run: npm run script -- scripts/release-database.ts`,
    ],
    [keyProblem !== null, keyProblem ?? ""],
  ];
  return obstacles.filter(([isOne]) => isOne).map(([, sentence]) => sentence);
}

function readState(wanted: string, keyProblem: string | null): State {
  const read = (file: string) => readFileSync(join(top, file), "utf8");
  const tagsHere = git("tag", "--points-at", "HEAD").split("\n");
  return {
    version: JSON.parse(read("package.json")).version,
    lockVersion: JSON.parse(read("package-lock.json")).version,
    changelog: read("src/handbook/changelog.md"),
    changes: git("status", "--porcelain"),
    tags: git("tag", "--list")
      .split("\n")
      .filter((tag) => !tagsHere.includes(tag)),
    hasDatabase: existsSync(join(top, "test", "fixtures", "releases", wanted, "facts.json")),
    keyProblem,
  };
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: top, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")} failed. ${stderr}`);
  return stdout;
}

function release(): number {
  const options = {
    "dry-run": { type: "boolean", default: false },
    unsigned: { type: "boolean", default: false },
    key: { type: "string" },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [wanted = "", ...more] = positionals;
  const { key, unsigned } = values;
  if (wanted === "" || more.length > 0 || unsigned === (key !== undefined)) {
    console.error("Usage: npm run release -- <version> (--key <file> | --unsigned) [--dry-run]");
    return 2;
  }
  const keyProblem = key === undefined ? null : findKeyProblem(key, top);
  const obstacles = findObstacles(wanted, readState(wanted, keyProblem));
  for (const obstacle of obstacles) console.error(obstacle);
  if (obstacles.length > 0) return 1;
  if (values["dry-run"]) {
    console.log(`${wanted} can be released. Nothing was built, because this is a dry run.`);
    return 0;
  }
  const signing = key === undefined ? [] : ["--key", resolve(key)];
  const build = spawnSync(process.execPath, [join(import.meta.dirname, "build.ts"), ...signing], {
    cwd: top,
    stdio: "inherit",
  });
  if (build.status !== 0) return 1;
  console.log(`
The packages are in dist/packages. To publish, tag this commit; the release workflow builds and uploads them:

  git tag -a v${wanted} -m "Assay ${wanted}"
  git push origin v${wanted}`);
  return 0;
}

if (import.meta.main) process.exitCode = release();
