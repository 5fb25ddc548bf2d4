import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { findFreePorts } from "../../../../scripts/ports.ts";
import { readConfig } from "../../../../src/platform/settings/config-reading.ts";
import { createSystem } from "../../../../src/platform/system/real.ts";
import { createApp } from "../../../../src/server.ts";
import { temporaryFolder } from "../../../platform/database/temporary.ts";
import { testProgram } from "../../../program.ts";
import { s3Bucket, startS3Server, toS3Url } from "../../../s3-server.ts";
import { newInstallation } from "./databases.ts";
import { assay, fillInstallation } from "./filled-installation.ts";

const workIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("backup-work-"));

const source = (path: string) => JSON.stringify(new URL(`../../../../src/${path}`, import.meta.url).href);

/** A process in the middle of a backup: its copy is half written. */
function backUpHalf(dataDir: string, before = "") {
  return workHalf(dataDir, 'writeFileSync(folder + "/copy.db.7.unfinished", "half"); await wait();', before);
}

/** A process in the middle of a restore, likewise. */
function restoreHalf(dataDir: string, backup: string) {
  const file = JSON.stringify(join(dataDir, "assay.db"));
  return workHalf(
    dataDir,
    `const { putInPlace } = await import(${source("platform/database/engine/restore.ts")});
     await putInPlace(${JSON.stringify(backup)}, { file: ${file}, folder }, wait);`,
  );
}

async function workHalf(dataDir: string, work: string, before = "") {
  const program = `
    import { writeFileSync } from "node:fs";
    import { inWorkFolder } from ${source("features/backups/work/make-copy.ts")};
    const wait = async () => {
      console.log("half");
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    };
    ${before}
    await inWorkFolder(${JSON.stringify(dataDir)}, async (folder) => { ${work} });`;
  const half = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void half.kill("SIGKILL"));
  await once(half.stdout, "data");
  return async () => {
    half.kill("SIGKILL");
    await once(half, "exit");
  };
}

test("the copies of backups that were killed are removed by the next backup, and those in progress stay", async () => {
  const own = await newInstallation("SQLite");
  await fillInstallation(own, 1);
  const dataDir = own.ASSAY_DATA_DIR ?? "";
  const killFirst = await backUpHalf(dataDir);
  await killFirst();
  const killSecond = await backUpHalf(dataDir);
  const going = workIn(dataDir);
  expect(going).toHaveLength(1);
  const to = temporaryFolder();
  const backUp = () => assay({ ...own, ASSAY_BACKUP_TO: to }, "backup", "--json");
  const { name } = JSON.parse((await backUp()).output);
  expect(workIn(dataDir)).toEqual(going);
  await killSecond();
  // As a kill leaves it while the copy is stored.
  writeFileSync(join(to, `.unfinished-${name}`), "half");
  const earlier = name.replace(/-\d{8}T/, "-20260101T");
  writeFileSync(join(to, earlier), "whole, but not verified");
  writeFileSync(join(to, `${earlier}.json`), JSON.stringify({ name: earlier, pending: true }));
  writeFileSync(join(to, ".unfinished-assay-00000000-20261129T031500Z.db"), "of another server");
  expect(await backUp()).toMatchObject({ exitCode: 0, complaints: "" });
  expect(workIn(dataDir)).toEqual([]);
  const left = readdirSync(to).filter((file) => file.startsWith(".unfinished") || file.startsWith(earlier));
  expect(left).toEqual([".unfinished-assay-00000000-20261129T031500Z.db"]);
});

async function startOnce(settings: Readonly<Record<string, string>>): Promise<void> {
  const [port = 0] = await findFreePorts(1);
  const reading = readConfig({ ...settings, ASSAY_HTTP_PORT: `${port}`, ASSAY_SMTP_LISTEN: "127.0.0.1:0" });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const system = createSystem(reading.config, { write() {}, format: "text", level: "error" });
  const app = createApp(reading.config, system);
  await app.start();
  await app.stop();
  await system.close();
}

test("a start removes the copy of a backup that was killed", async () => {
  const own = await newInstallation("SQLite");
  const dataDir = own.ASSAY_DATA_DIR ?? "";
  await (await backUpHalf(dataDir))();
  expect(workIn(dataDir)).toHaveLength(1);
  await startOnce(own);
  expect(workIn(dataDir)).toEqual([]);
});

test("a start removes what a restore left that was killed", async () => {
  const own = await newInstallation("SQLite");
  await fillInstallation(own, 1);
  const dataDir = own.ASSAY_DATA_DIR ?? "";
  const backup = join(temporaryFolder(), "backup.db");
  expect(await assay(own, "backup", backup)).toMatchObject({ exitCode: 0 });
  await (await restoreHalf(dataDir, backup))();
  // As a kill leaves it just before the database is replaced.
  linkSync(join(dataDir, "assay.db"), join(dataDir, "assay.db.before-restore-1"));
  await startOnce(own);
  expect(readdirSync(dataDir).filter((name) => /assay\.db|work/.test(name))).toEqual(["assay.db"]);
});

test("what another user's backup left prevents neither backups nor a start", async () => {
  const own = await newInstallation("SQLite");
  await fillInstallation(own, 1);
  const dataDir = own.ASSAY_DATA_DIR ?? "";
  // A folder can't be opened as a lock by root either, who could open another user's file.
  for (const name of ["backup-1.lock", "backup-work-1"]) mkdirSync(join(dataDir, name));
  const made = await assay({ ...own, ASSAY_BACKUP_TO: temporaryFolder() }, "backup");
  expect(made).toMatchObject({ exitCode: 0, complaints: "" });
  await startOnce(own);
  expect(workIn(dataDir)).toEqual(["backup-work-1"]);
});

test("backups of one user share no folder if another user's lock file can be read", async () => {
  const dataDir = temporaryFolder();
  chmodSync(dataDir, 0o777);
  writeFileSync(join(dataDir, "backup-1.lock"), "", { mode: 0o444 });
  // Root may write anywhere. Another user may not even read this checkout, so everything is loaded before.
  const load = `await inWorkFolder(${JSON.stringify(temporaryFolder())}, async () => {});`;
  const before = process.getuid?.() === 0 ? `${load} process.setuid(65_534);` : "";
  for (let backup = 0; backup < 2; backup++) await backUpHalf(dataDir, before);
  expect(workIn(dataDir).sort()).toEqual(["backup-work-2", "backup-work-3"]);
});

test("a server starts although what backups left cannot be removed", async () => {
  const own = await newInstallation("SQLite");
  await fillInstallation(own, 1);
  const dataDir = own.ASSAY_DATA_DIR ?? "";
  mkdirSync(join(dataDir, "backup-work-1"));
  symlinkSync("/nowhere/lock", join(dataDir, "backup-1.lock"));
  await startOnce(own);
  expect(workIn(dataDir)).toEqual(["backup-work-1"]);
});

test("a backup that is killed at any request to an S3 store leaves nothing there after the next one", async () => {
  const own = await newInstallation("SQLite");
  await fillInstallation(own, 1);
  const s3 = await startS3Server();
  onTestFinished(s3.close);
  const settings = { ...own, ASSAY_BACKUP_TO: `s3://${s3Bucket}/assay`, ASSAY_S3_URL: toS3Url(s3.endpoint, "") };
  const [program = "", ...args] = await testProgram();
  for (let request = 0; request < 14; request += 1) {
    s3.misbehave("hang", Number.POSITIVE_INFINITY, request);
    const expected = s3.asked.length + request + 1;
    const child = spawn(program, [...args, "backup"], { env: { ...process.env, ...settings }, stdio: "ignore" });
    const ended = once(child, "exit");
    const hangs = vi.waitUntil(() => s3.asked.length >= expected, { timeout: 60_000, interval: 5 });
    const isOver = await Promise.race([ended.then(() => true), hangs.then(() => false)]);
    hangs.catch(() => {});
    child.kill("SIGKILL");
    await ended;
    if (isOver) break;
  }
  s3.misbehave(null);
  const { output } = await assay(settings, "backup", "--json");
  const { name } = JSON.parse(output);
  expect([...s3.objects.keys()].sort()).toEqual([`assay/${name}`, `assay/${name}.json`]);
  expect(s3.openUploads()).toBe(0);
});
