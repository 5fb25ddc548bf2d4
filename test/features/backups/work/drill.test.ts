import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createIdentity } from "../../../../src/platform/system/age.ts";
import { insertAnalysed } from "../../../platform/database/analysed.ts";
import { temporaryFolder } from "../../../platform/database/temporary.ts";
import { kinds, newInstallation } from "./databases.ts";
import { assay, fillInstallation, type Settings, withInstallation } from "./filled-installation.ts";

const monthOf = (month: number) => Date.UTC(2026, month, 15);

/** Tests of three months. The only report of the second one is none, and its place is not one of the copy's sample. */
async function withUnreadableMonth(settings: Settings): Promise<void> {
  const workspaceId = await fillInstallation(settings, 50);
  await withInstallation(settings, async ({ store }) => {
    await insertAnalysed(store, [{ subject: "Lost", workspaceId, receivedAt: monthOf(7) }]);
    const report = Buffer.from("nonsense");
    const lost = store.read.selectFrom("tests").select("id").where("subject", "=", "Lost");
    const { id } = await lost.executeTakeFirstOrThrow();
    await store.write((db) => db.updateTable("reports").set({ report }).where("test_id", "=", id).execute());
    // One before it, so that it is at an odd place.
    await insertAnalysed(store, [{ subject: "First", workspaceId, receivedAt: monthOf(6) }]);
  });
}

const backupRow = async (settings: Settings) =>
  JSON.parse((await assay(settings, "doctor", "--json")).output).items.find(
    ({ id }: { id: string }) => id === "backups",
  );

test.each(kinds)("a backup of %s is restored in a drill, which the server check reports", async (kind) => {
  const own = await newInstallation(kind);
  await fillInstallation(own);
  const { recipient } = await createIdentity();
  const to = temporaryFolder();
  const settings = { ...own, ASSAY_BACKUP_TO: to, ASSAY_BACKUP_RECIPIENTS: recipient };
  expect(JSON.parse((await assay(settings, "backup", "--json")).output)).toMatchObject({ drill: "restored" });
  const row = await backupRow(settings);
  expect(row).toMatchObject({ state: "green", says: expect.stringContaining("Its restore succeeded in a drill.") });
  const [note = ""] = readdirSync(to).filter((name) => name.endsWith(".json"));
  const text = readFileSync(join(to, note), "utf8");
  writeFileSync(join(to, note), text.replace('"restored"', '"no room"'));
  const says = expect.stringContaining("It was not restored in a drill, because the disk has no room for that.");
  expect(await backupRow(settings)).toMatchObject({ state: "grey", says });
});

test("a backup whose reports of one month cannot be read is kept, and the drill says so", async () => {
  const own = await newInstallation("SQLite");
  await withUnreadableMonth(own);
  const settings = { ...own, ASSAY_BACKUP_TO: temporaryFolder() };
  const made = await assay(settings, "backup");
  expect(made).toMatchObject({ exitCode: 1 });
  expect(made.output + made.complaints).toContain("A report or a message of 2026-08 cannot be opened.");
  expect(await backupRow(settings)).toMatchObject({
    state: "red",
    says: expect.stringContaining("Its restore failed in a drill."),
  });
  expect((await assay(settings, "backup", "--list")).output).toContain("52 tests");
});
