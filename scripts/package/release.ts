// npm run release -- <version> [--dry-run]: checks that everything is in place for a release, builds the packages, and
// prints the commands that tag it. It changes nothing in Git.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

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
};

/** Everything that is in the way of a release. */
export function findObstacles(
  wanted: string,
  { version, lockVersion, changelog, changes, tags }: State,
): string[] {
  const heading = new RegExp(`^## ${wanted.replaceAll(".", "\\.")}( .*)?$`, "m").exec(changelog);
  const isDated = /^ \(\d{4}-\d{2}-\d{2}\)$/.test(heading?.[1] ?? "");
  const obstacles: readonly (readonly [boolean, string])[] = [
    [!/^\d+\.\d+\.\d+$/.test(wanted), `A version has the form 1.2.3, not ${JSON.stringify(wanted)}.`],
    [
      version !== wanted,
      `package.json has version ${version}. Run: npm version ${wanted} --no-git-tag-version`,
    ],
    [lockVersion !== version, `package-lock.json has version ${lockVersion}. Run: npm install`],
    [!heading, `src/handbook/changelog.md has no entry "## ${wanted}".`],
    [
      heading !== null && !isDated,
      `The entry of ${wanted} in src/handbook/changelog.md needs its date: "## ${wanted} (2026-11-26)".`,
    ],
    [changes !== "", `There are changes that are not committed:\n${changes.trimEnd()}`],
    [tags.includes(`v${wanted}`), `The tag v${wanted} is on another commit.`],
  ];
  return obstacles.filter(([isOne]) => isOne).map(([, sentence]) => sentence);
}

function readState(): State {
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
  };
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: top, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")} failed. ${stderr}`);
  return stdout;
}

function release(): number {
  const options = { "dry-run": { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [wanted = "", ...more] = positionals;
  if (wanted === "" || more.length > 0) {
    console.error("Usage: npm run release -- <version> [--dry-run]");
    return 2;
  }
  const obstacles = findObstacles(wanted, readState());
  for (const obstacle of obstacles) console.error(obstacle);
  if (obstacles.length > 0) return 1;
  if (values["dry-run"]) {
    console.log(`${wanted} can be released. Nothing was built, because this is a dry run.`);
    return 0;
  }
  const build = spawnSync(process.execPath, [join(import.meta.dirname, "build.ts")], {
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
