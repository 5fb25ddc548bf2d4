// A PostgreSQL of the tests' own, for the whole run: in a temporary folder, on a Unix socket only, as an unprivileged
// user. Where none is installed its tests are skipped aloud; with CI=true that is a failure.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { isWhole } from "./lanes.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where a test may create databases; null where no PostgreSQL is installed. */
    postgresUrl: string | null;
  }
}

/** The databases end with the run, so nothing in them has to survive a crash. Queries are too short for the compiler to pay off. */
const settings = {
  listen_addresses: "",
  max_connections: 300,
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: 0,
  jit: "off",
} as const;

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!isWhole) {
    console.warn("Not in this lane: PostgreSQL, and the files that test/README.md names (npm run test:all).");
    project.provide("postgresUrl", null);
    return undefined;
  }
  const programs = findPrograms();
  if (programs === undefined) {
    if (process.env.CI === "true") throw new Error("CI runs the PostgreSQL tests: install Debian's postgresql.");
    console.warn("SKIPPED: all tests on PostgreSQL, because none is installed (Debian: apt install postgresql).");
    project.provide("postgresUrl", null);
    return undefined;
  }
  const server = await startPostgres(programs);
  project.provide("postgresUrl", server.url);
  return server.stop;
}

type TestPostgres = {
  readonly url: string;
  /** Ends it, with its data. */
  readonly stop: () => Promise<void>;
  /** Ends it as an operator would, and keeps its data. */
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
};

/** `changed`: settings that differ from those of the tests, for scripts that need a durable database. */
export async function startPostgres(
  programs: string,
  changed: Readonly<Record<string, string | number>> = {},
): Promise<TestPostgres> {
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), "assay-pg-"));
  if (user) chownSync(folder, user.uid, user.gid);
  const cluster = join(folder, "cluster");
  execFileSync(
    join(programs, "initdb"),
    ["-D", cluster, "-U", "assay", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"],
    { ...user, stdio: "ignore", cwd: folder, env: { ...process.env, HOME: folder } },
  );
  const launch = () =>
    spawn(
      join(programs, "postgres"),
      [
        "-D",
        cluster,
        "-k",
        folder,
        ...Object.entries({ ...settings, ...changed }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      { ...user, stdio: "ignore", cwd: folder },
    );
  let server = launch();
  const endWithUs = () => server.kill("SIGINT");
  process.once("exit", endWithUs);
  const end = async () => {
    server.kill("SIGINT"); // a fast shutdown
    if (server.exitCode === null) await once(server, "exit");
  };
  const stop = async () => {
    process.off("exit", endWithUs);
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `postgres://assay@localhost/postgres?host=${encodeURIComponent(folder)}`;
  await untilReady(url, () => server.exitCode !== null).catch(async (error) => {
    await stop();
    throw error;
  });
  const resume = async () => {
    server = launch();
    await untilReady(url, () => server.exitCode !== null);
  };
  return { url, stop, pause: end, resume };
}

export function findPrograms(): string | undefined {
  const inPath = (process.env.PATH ?? "").split(delimiter);
  return [...inPath, ...installed()].find(
    (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
  );
}

/** The newest first. */
function installed(): string[] {
  return globSync("/usr/lib/postgresql/*/bin").sort().reverse();
}

/** psql and pg_dump come in a package of their own. */
export function findClient(name: "psql" | "pg_dump"): string {
  const folder = [findPrograms() ?? "", ...installed()].find((one) => existsSync(join(one, name)));
  return folder === undefined ? name : join(folder, name);
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const number = (flag: string, name: string) => Number(execFileSync("id", [flag, name], { stdio: "pipe" }));
  return { uid: number("-u", "nobody"), gid: number("-g", "nobody") };
}

async function untilReady(url: string, hasEnded: () => boolean): Promise<void> {
  for (let tries = 0; tries < 300 && !hasEnded(); tries++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await pause(50);
    }
  }
  throw new Error("The PostgreSQL of the tests did not start.");
}
