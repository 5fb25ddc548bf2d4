import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/commands.ts";
import { trimChain } from "../../../src/platform/audit/rows/trim.ts";
import { openStore } from "../../../src/platform/database/open.ts";
import { testTerminal } from "../../platform/cli/terminal.ts";
import { placeMigratedFile } from "../../platform/database/migrated-file.ts";
import { storeSystem } from "../../platform/database/store-system.ts";

async function openDataDir() {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-cli-audit-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  await placeMigratedFile(join(dataDir, "assay.db"));
  const assay = async (...argv: string[]) => {
    const terminal = testTerminal({ ASSAY_DATA_DIR: dataDir });
    const exitCode = await run(argv, terminal);
    return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
  };
  return { dataDir, assay };
}

test("each command is recorded once, and verify finds changes in the database", async () => {
  const { dataDir, assay } = await openDataDir();
  await assay("setup-link");
  const created = JSON.parse((await assay("token", "create", "--name", "ci\u001b[2J", "--json")).output);
  await assay("token", "revoke", created.id);
  await assay("workspace", "create", "Marketing");
  await assay("backup", join(dataDir, "copy.db"));
  const { output } = await assay("audit", "export");
  const entries = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const done = entries.filter(({ outcome }) => outcome === "done");
  const actions = done.map(({ log, action }) => `${log.slice(0, 6)} ${action}`);
  expect(actions.filter((action) => !/export|audit\.start/.test(action)).sort()).toEqual([
    "server backup.create",
    "server setup.link",
    "server workspace.create",
    `wsp_${actions.find((action) => action.endsWith("token.create"))?.slice(4)}`,
    `wsp_${actions.find((action) => action.endsWith("token.revoke"))?.slice(4)}`,
    `wsp_${actions.find((action) => /^wsp.*workspace\.create/.test(action))?.slice(4)}`,
  ]);
  expect(entries.find(({ action }) => action === "token.revoke")).toMatchObject({
    actor: { type: "command", name: expect.stringContaining("@") },
    object: { kind: "token", id: created.id, name: expect.stringContaining("ci") },
  });
  expect(output).not.toContain("\u001b");
  expect(output).not.toContain(created.token);

  const file = join(dataDir, "export.jsonl");
  writeFileSync(file, output);
  const sound = await assay("audit", "verify", "--against", file);
  expect(sound).toMatchObject({ exitCode: 0, output: expect.stringContaining("there unchanged") });
  const store = await openStore({ databaseFile: join(dataDir, "assay.db") }, storeSystem());
  await store.write((db) =>
    db.updateTable("audit_log").set({ actor_name: "mallory" }).where("action", "=", "token.revoke").execute(),
  );
  await store.close();
  const broken = await assay("audit", "verify");
  expect(broken.exitCode).toBe(1);
  expect(broken.output).toMatch(/Workspace wsp_\w+: entry 2 is broken: it was changed/);
  expect((await assay("audit", "verify", "--server")).exitCode).toBe(0);
});

test("an entry that was removed early differs from a copy of the log", async () => {
  const { dataDir, assay } = await openDataDir();
  const { id } = JSON.parse((await assay("token", "create", "--name", "ci", "--json")).output);
  await assay("token", "revoke", id);
  const { output } = await assay("audit", "export");
  const log = /"log":"(wsp_\w+)"/.exec(output)?.[1] ?? "";
  const file = join(dataDir, "copy.jsonl");
  writeFileSync(file, output);
  const store = await openStore({ databaseFile: join(dataDir, "assay.db") }, storeSystem());
  const now = Date.now();
  await store.write((db) => trimChain(db, log, { before: now + 1, now }));
  await store.close();
  expect((await assay("audit", "verify")).exitCode).toBe(0);
  expect(await assay("audit", "verify", "--against", file)).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining(`Entry 1 of the log ${log} is in ${file}, but not here. It was not removed by age`),
  });
  const ofOneLog = output.split("\n").filter((line) => line.includes(log));
  writeFileSync(file, ofOneLog.join("\n").replace(/"at":"20\d\d-/g, '"at":"2020-'));
  expect((await assay("audit", "verify", "--against", file)).exitCode).toBe(0);
});
