// kill -9 during changes: there is never a change without its audit entry, nor an entry without its change.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type AssayProcess, startAssay } from "../../scripts/assay-process.ts";
import { withRestoreNote } from "../../src/features/audit-log/work/restore-note.ts";
import { issueToken } from "../../src/features/people/work/tokens.ts";
import { listChains } from "../../src/platform/audit/rows/log.ts";
import { verifyChain } from "../../src/platform/audit/rows/verify.ts";
import { serverChain } from "../../src/platform/audit/rules/entry.ts";
import { openStore, type StoreLocation } from "../../src/platform/database/open.ts";
import { storeOf } from "../../src/platform/database/scope.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { eachDialect } from "../platform/database/each-dialect.ts";
import { storeSystem } from "../platform/database/store-system.ts";
import { testProgram } from "../program.ts";
import { commandLine } from "./audited-actions.ts";

const program = await testProgram();
const rounds = 4;

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-audit-kills-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Robot = { readonly token: string; readonly workspace: string };

/** Null: the server was killed. */
async function ask({ http }: AssayProcess, { token, workspace }: Robot, path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
  const json = { "content-type": "application/json" };
  const given = body && { body: JSON.stringify(body), headers: { ...headers, ...json } };
  try {
    const answer = await fetch(http + path, { method: body ? "POST" : "DELETE", headers, ...given });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return null;
  }
}

/** Creates and deletes rules without a pause until the server is gone, and adds the IDs that it confirmed. */
async function change(server: AssayProcess, robot: Robot, name: string, { created, deleted }: Confirmed) {
  for (let number = 0; ; number += 1) {
    const path = "/api/stream-rules";
    const first = await ask(server, robot, path, { name: `${name}-${number}`, label: "x" });
    if (first === null) return;
    expect(first.status).toBe(201);
    const { id } = JSON.parse(first.text);
    created.add(id);
    if (number % 8 === 0) continue;
    const second = await ask(server, robot, `${path}/${id}`);
    if (second === null) return;
    expect(second.status).toBe(204);
    deleted.add(id);
  }
}

async function readRecorded({ read }: Store, action: string): Promise<string[]> {
  const rows = await read.selectFrom("audit_log").select("object_id").where("action", "=", action).execute();
  return rows.map(({ object_id }) => object_id ?? "");
}

/** With the folder's file, or the given database. */
async function withStoreAt<T>(location: StoreLocation, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(location, storeSystem());
  return await work(store).finally(store.close);
}

eachDialect("a server that is killed", (open) => {
  test("a server that is killed has an audit entry for each change, and a change for each entry", async () => {
    const dataDir = openFolder();
    const given = await open.location();
    const onPostgres = "databaseUrl" in given ? given : undefined;
    const location = onPostgres ?? { databaseFile: join(dataDir, "assay.db") };
    const environment = {
      ASSAY_SECRET_KEY: "k".repeat(32),
      ...(onPostgres && { ASSAY_DATABASE_URL: onPostgres.databaseUrl }),
    };
    const start = () => startAssay({ dataDir, command: program, environment });
    await (await start()).end("SIGTERM");
    const robot = await withStoreAt(location, addRobot);
    const confirmed: Confirmed = { created: new Set(), deleted: new Set() };
    for (let round = 0; round < rounds; round += 1) {
      const server = await start();
      const already = confirmed.created.size;
      const changing = Promise.all(["a", "b"].map((name) => change(server, robot, `${name}${round}`, confirmed)));
      await expect.poll(() => confirmed.created.size - already).toBeGreaterThan(3 + 4 * round);
      await server.end("SIGKILL");
      await changing;
    }
    await withStoreAt(location, (store) => expectRecorded(store, confirmed));
  });
});

async function addRobot(store: Store): Promise<Robot> {
  const { id } = await store.read.selectFrom("workspaces").select("id").executeTakeFirstOrThrow();
  const rights = { createdBy: null, expiresAt: null, scope: "admin", label: null } as const;
  const { token } = await issueToken(storeOf(store, id), storeSystem(), { name: "robot", ...rights });
  return { token, workspace: id };
}

type Confirmed = { readonly created: Set<string>; readonly deleted: Set<string> };

async function expectRecorded(store: Store, confirmed: Confirmed): Promise<void> {
  const created = await readRecorded(store, "stream-rule.create");
  const deleted = await readRecorded(store, "stream-rule.delete");
  const rows = await store.read.selectFrom("stream_rules").select("id").execute();
  expect(new Set(created).size).toBe(created.length);
  expect(new Set(deleted).size).toBe(deleted.length);
  const remaining = created.filter((id) => !deleted.includes(id)).sort();
  expect(rows.map(({ id }) => id).sort()).toEqual(remaining);
  expect([...confirmed.created].filter((id) => !created.includes(id))).toEqual([]);
  expect([...confirmed.deleted].filter((id) => !deleted.includes(id))).toEqual([]);
  for (const chain of await listChains(store.read))
    expect((await verifyChain({ db: store.read, chain })).broken).toBeNull();
}

test("a restore that was killed before it took effect is recorded as failed, once", async () => {
  const dataDir = openFolder();
  const assay = commandLine({ ASSAY_DATA_DIR: dataDir });
  await assay("workspace", "list");
  const note = { id: "one", at: 1, by: "root@mail", file: "x.db", tests: 5 };
  // The process ends in between.
  void withRestoreNote(dataDir, note, () => new Promise(() => {}));
  await expect.poll(async () => await assay("audit", "export", "--server")).toContain("backup.restore");
  const restores = async () =>
    (await assay("audit", "export", "--server"))
      .split("\n")
      .filter((line) => line.includes("backup.restore"))
      .map((line) => JSON.parse(line));
  expect(await restores()).toMatchObject([
    { outcome: "failed", actor: { name: "root@mail" }, details: { error: "interrupted" } },
  ]);
  await withRestoreNote(dataDir, { ...note, id: "two" }, async () => {
    throw new Error("A bug.");
  }).catch(() => {});
  await withStoreAt({ databaseFile: join(dataDir, "assay.db") }, async ({ read }) => {
    expect(await read.selectFrom("audit_log").select("chain").execute()).toContainEqual({ chain: serverChain });
  });
  expect(await restores()).toMatchObject([
    { outcome: "failed" },
    { outcome: "failed", details: { error: "internal" } },
  ]);
});

test("a restore is recorded in the restored database as done, and a rejected one isn't", async () => {
  const dataDir = openFolder();
  const assay = commandLine({ ASSAY_DATA_DIR: dataDir });
  const copy = join(openFolder(), "copy.db");
  await assay("backup", copy);
  await expect(assay("restore", join(dataDir, "missing.db"))).rejects.toThrow();
  await assay("restore", copy);
  const entries = (await assay("audit", "export", "--server"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const seen = entries.map(({ action, outcome }) => `${action} ${outcome}`);
  // What came after the copy was made is in the database that was kept.
  expect(seen).toEqual([
    expect.stringMatching(/^audit|^backup.create started/),
    "backup.restore done",
    "export.audit started",
  ]);
});
