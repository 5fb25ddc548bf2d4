// The database of each release, as its server left it, opened by this version: everything in it works. On both
// databases, directly and through the releases in between.

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AssayProcess, startAssay } from "../../scripts/assay-process.ts";
import type { ReleaseFacts } from "../../scripts/release-database.ts";
import { sendMail } from "../../scripts/smtp-client.ts";
import { lastUnreleased } from "../../src/platform/database/engine/schema-version.ts";
import { migrations } from "../../src/platform/database/migrations/list.ts";
import { openStore, type StoreLocation } from "../../src/platform/database/open.ts";
import { kinds, newFolder, placeRelease, releases } from "../platform/database/release-databases.ts";
import { storeSystem } from "../platform/database/store-system.ts";
import { testProgram } from "../program.ts";

const newest = migrations.at(-1)?.name;
const program = await testProgram();

test("at least one release has a stored database", () => expect(releases.length).toBeGreaterThan(0));

describe.each(releases)("a database of release $name", ({ name, facts }) => {
  describe.each(kinds)("the database on %s", (kind) => {
    test("the database of a release opens with working reports, tokens, and login, and receives mail", async () => {
      const server = await startOn(await placeRelease(name, kind), facts.secretKey);
      try {
        const upgrades = server.log.filter(({ message }) => message === "upgrading the database");
        const from = migrationOf(facts[kind]);
        expect(upgrades).toMatchObject(from === newest ? [] : [{ from, to: newest }]);
        await expectWhole(server, facts[kind]);
      } finally {
        await server.end("SIGTERM");
      }
    });

    test("the database has the same content after all upgrades in between", async () => {
      const location = await placeRelease(name, kind);
      const counts = releases.map((release) => countOf(release.facts[kind])).sort((a, b) => a - b);
      for (const count of counts.filter((one) => one > countOf(facts[kind])))
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
    });
  });
});

/** Its last one. The first release's has the schema of the last one before it. */
function migrationOf({ migration }: ReleaseFacts): string | undefined {
  return migration === lastUnreleased ? migrations[0]?.name : migration;
}

function countOf(facts: ReleaseFacts): number {
  return migrations.findIndex(({ name }) => name === migrationOf(facts)) + 1;
}

function startOn(location: StoreLocation, secretKey: string): Promise<AssayProcess> {
  const dataDir = "databaseFile" in location ? join(location.databaseFile, "..") : newFolder();
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
  for (const [path, ids] of Object.entries(facts.others)) {
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
