// The database of each release, as its server left it, opened by this version: everything in it works. On both databases,
// at once and by way of the releases between.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type AssayProcess, startAssay } from "../../scripts/assay-process.ts";
import type { ReleaseFacts } from "../../scripts/release-database.ts";
import { sendMail } from "../../scripts/smtp-client.ts";
import { migrations } from "../../src/platform/database/migrations/list.ts";
import { openStore, type StoreLocation } from "../../src/platform/database/open.ts";
import { storeSystem } from "../platform/database/store-system.ts";
import { findClient } from "../postgres.ts";
import { testProgram } from "../program.ts";

type Kind = "sqlite" | "postgres";
type Facts = Readonly<Record<Kind, ReleaseFacts>> & { readonly secretKey: string };

const folder = new URL("../fixtures/releases/", import.meta.url);
/** Oldest first. */
const releases = readdirSync(folder)
  .map((name) => ({ name, facts: JSON.parse(readFileSync(new URL(`${name}/facts.json`, folder), "utf8")) as Facts }))
  .sort((a, b) => a.facts.sqlite.migration.localeCompare(b.facts.sqlite.migration));
const kinds = ["sqlite", "postgres"] as const;
const newest = migrations.at(-1)?.name;
const postgresUrl = inject("postgresUrl");
const program = await testProgram();

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "assay-releases-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("there is at least one", () => expect(releases.length).toBeGreaterThan(0));

describe.each(releases)("a database of $name", ({ name, facts }) => {
  describe.each(kinds)("on %s", (kind) => {
    test.skipIf(kind === "postgres" && postgresUrl === null)(
      "opens: reports, tokens, and the login work, and mail comes in",
      async () => {
        const server = await startOn(await place(name, kind), facts.secretKey);
        try {
          const upgrades = server.log.filter(({ message }) => message === "upgrading the database");
          const { migration: from } = facts[kind];
          expect(upgrades).toMatchObject(from === newest ? [] : [{ from, to: newest }]);
          await expectWhole(server, facts[kind]);
        } finally {
          await server.end("SIGTERM");
        }
      },
    );

    test.skipIf(kind === "postgres" && postgresUrl === null)(
      "becomes the same by way of the releases between",
      async () => {
        const location = await place(name, kind);
        const later = releases.map((release) => countOf(release.facts)).filter((count) => count > countOf(facts));
        for (const count of later)
          await (await openStore(location, storeSystem(), { migrations: migrations.slice(0, count) })).close();
        const store = await openStore(location, storeSystem());
        const rows = await store.read
          .selectFrom("tests")
          .select("id")
          .where("became", "=", "test")
          .orderBy("id")
          .execute();
        await store.close();
        expect(rows.map(({ id }) => id)).toEqual(facts[kind].tests.map(({ id }) => id).sort());
      },
    );
  });
});

/** How many migrations it had. */
function countOf({ sqlite }: Facts): number {
  return migrations.findIndex(({ name }) => name === sqlite.migration) + 1;
}

/** A copy of it, which is removed with the run. */
async function place(name: string, kind: Kind): Promise<StoreLocation> {
  const read = (file: string) => gunzipSync(readFileSync(new URL(`${name}/${file}`, folder)));
  if (kind === "sqlite") {
    const dataDir = mkdtempSync(join(home, "data-"));
    writeFileSync(join(dataDir, "assay.db"), read("sqlite.db.gz"), { mode: 0o600 });
    return { databaseFile: join(dataDir, "assay.db") };
  }
  const database = `release_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const client = new pg.Client({ connectionString: postgresUrl ?? "" });
  await client.connect();
  await client.query(`create database ${database}`);
  await client.end();
  const url = new URL(postgresUrl ?? "");
  url.pathname = `/${database}`;
  const args = ["--quiet", "--set=ON_ERROR_STOP=1", "--dbname", url.href];
  const { status, stderr } = spawnSync(findClient("psql"), args, { input: read("postgres.sql.gz") });
  expect(status, String(stderr)).toBe(0);
  return { databaseUrl: url.href };
}

function startOn(location: StoreLocation, secretKey: string): Promise<AssayProcess> {
  const dataDir = "databaseFile" in location ? join(location.databaseFile, "..") : mkdtempSync(join(home, "data-"));
  mkdirSync(dataDir, { recursive: true });
  const environment = {
    // What a release left is older than any retention some day.
    ASSAY_SECRET_KEY: secretKey,
    ASSAY_RETENTION_DAYS: "0",
    ...("databaseUrl" in location && { ASSAY_DATABASE_URL: location.databaseUrl }),
  };
  return startAssay({ dataDir, command: program, environment });
}

async function expectWhole(server: AssayProcess, facts: ReleaseFacts): Promise<void> {
  const headers = { authorization: `Bearer ${facts.token}`, "x-workspace-id": facts.workspaceId };
  const get = async (path: string) => (await fetch(server.http + path, { headers })).json();
  const { items } = (await get("/api/tests")) as { items: { id: string; subject: string; composite: number }[] };
  expect(items.map(({ id, subject, composite: score }) => ({ id, subject, score }))).toEqual(facts.tests);
  for (const { id, score } of facts.tests)
    expect(await get(`/api/tests/${id}`)).toMatchObject({ id, composite: score });
  for (const [path, ids] of Object.entries(facts.others ?? {})) {
    const listed = (await get(path)) as { items: { id: string }[] };
    expect([path, listed.items.map(({ id }) => id)]).toEqual([path, ids]);
  }
  const login = await fetch(`${server.http}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: server.http },
    body: JSON.stringify(facts.person),
  });
  expect([login.status, await login.json()]).toMatchObject([200, { user: { email: facts.person.email } }]);
  expect(server.seedAddress).toBe(facts.seedAddress);
  const mail = { from: "a@sender.example", to: [server.seedAddress], body: "Subject: new\n\nHi.\n" };
  expect(await sendMail(server.smtp, mail)).toMatch(/^250 /);
}
