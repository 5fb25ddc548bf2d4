import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { storeCopy } from "../../../../src/features/backups/work/make-backup.ts";
import { Refusal } from "../../../../src/platform/errors.ts";
import { type Chunks, createIdentity } from "../../../../src/platform/system/age.ts";
import { digestOf } from "../../../../src/platform/system/file-chunks.ts";
import { temporaryFolder } from "../../../platform/database/temporary.ts";
import { s3Bucket, startS3Server, toS3Url } from "../../../s3-server.ts";
import { newInstallation, readAll } from "./databases.ts";
import { assay, fillInstallation } from "./filled-installation.ts";

async function identityIn(folder: string) {
  const { identity, recipient } = await createIdentity();
  const file = join(folder, "identity.txt");
  writeFileSync(file, `${identity}\n`);
  return { recipient, file };
}

const notes = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".json"));

test("a backup is written to a folder with a note, and restored by its name", async () => {
  const folder = temporaryFolder();
  const to = join(folder, "to");
  mkdirSync(to);
  const { recipient, file } = await identityIn(folder);
  const own = await newInstallation("SQLite");
  await fillInstallation(own);
  const settings = { ...own, ASSAY_BACKUP_TO: to, ASSAY_BACKUP_RECIPIENTS: recipient };
  const made = await assay(settings, "backup", "--json");
  expect(made).toMatchObject({ exitCode: 0, complaints: "" });
  const { name, bytes, sha256 } = JSON.parse(made.output);
  expect(statSync(join(to, name))).toMatchObject({ size: bytes });
  expect(JSON.parse(readFileSync(join(to, `${name}.json`), "utf8"))).toMatchObject({ name, sha256, tests: 6 });
  expect((await assay(settings, "backup", "--list")).output).toContain(`${name}  6 tests`);
  const fresh = { ...settings, ...(await newInstallation("SQLite")) };
  for (const asked of [name, "latest"]) {
    const restored = await assay(fresh, "restore", asked, "--identity", file);
    expect(restored).toMatchObject({ exitCode: 0, complaints: "" });
  }
  expect(await readAll(fresh)).toEqual(await readAll(own));
});

test("an incomplete backup never counts and is never restored", async () => {
  const to = temporaryFolder();
  const own = await newInstallation("SQLite");
  await fillInstallation(own, 1);
  const settings = { ...own, ASSAY_BACKUP_TO: to };
  const { name } = JSON.parse((await assay(settings, "backup", "--json")).output);
  writeFileSync(join(to, name), readFileSync(join(to, name)).subarray(0, 9_000));
  expect((await assay(settings, "backup", "--list")).output).toContain("No backup in");
  expect((await assay(settings, "restore", "latest")).complaints).toContain("has no complete backup");
  expect((await assay(settings, "doctor", "--json")).output).toContain("There is no verified backup");
});

test("a missing or unwritable folder stores nothing, and the error says why", async () => {
  const own = await newInstallation("SQLite");
  await fillInstallation(own, 1);
  const missing = await assay({ ...own, ASSAY_BACKUP_TO: "/nowhere/backup" }, "backup");
  expect(missing.complaints).toContain("it does not exist. Create it, or mount its disk");
  expect(readdirSync(own.ASSAY_DATA_DIR ?? "").filter((name) => name.includes("work"))).toEqual([]);
  const low = { ...own, ASSAY_BACKUP_TO: temporaryFolder(), ASSAY_MIN_FREE_BYTES: String(2 ** 49) };
  for (const argv of [[], [join(temporaryFolder(), "x.age"), "--recipient", (await createIdentity()).recipient]]) {
    const { complaints } = await assay(low, "backup", ...argv);
    expect(complaints).toContain("mail is deferred when less than");
    expect(complaints).toContain(`in ${own.ASSAY_DATA_DIR}, because`);
  }
  if (process.getuid?.() === 0) return; // root may write anywhere
  const locked = temporaryFolder();
  chmodSync(locked, 0o500);
  expect((await assay({ ...own, ASSAY_BACKUP_TO: locked }, "backup")).complaints).toContain("permission is denied");
});

test("other files in the folder do not prevent backups", async () => {
  const to = temporaryFolder();
  const own = await newInstallation("SQLite");
  await fillInstallation(own, 1);
  const nameOf = (year: number) => join(to, `assay-00000000-${year}0101T000000Z.db`);
  for (const ending of ["", ".json"]) {
    symlinkSync("/nowhere", nameOf(2001) + ending);
    mkdirSync(nameOf(2002) + ending);
    symlinkSync(nameOf(2003) + ending, nameOf(2003) + ending);
  }
  mkdirSync(join(to, ".unfinished-holiday"));
  const settings = { ...own, ASSAY_BACKUP_TO: to };
  expect(await assay(settings, "backup")).toMatchObject({ exitCode: 0, complaints: "" });
  expect((await assay(settings, "backup", "--list")).output.trim().split("\n")).toHaveLength(1);
  expect(readdirSync(to)).toHaveLength(9);
});

test.each([
  ["a file", (path: string) => writeFileSync(path, ""), "it is not a folder"],
  ["a link to itself", (path: string) => symlinkSync(path, path), "the system reports ELOOP"],
])("%s instead of the folder is rejected with a message", async (_, make, words) => {
  const own = await newInstallation("SQLite");
  const to = join(temporaryFolder(), "to");
  make(to);
  const { complaints } = await assay({ ...own, ASSAY_BACKUP_TO: to }, "backup");
  expect(complaints).toBe(`The backup folder ${to} cannot be used: ${words}.\n`);
  const below = await assay(own, "backup", join(to, "x.db"));
  expect(below.complaints).not.toContain("Internal error");
});

test("a changed byte in a stored backup is detected, under any name", async () => {
  const to = temporaryFolder();
  const own = await newInstallation("SQLite");
  await fillInstallation(own, 1);
  const settings = { ...own, ASSAY_BACKUP_TO: to };
  const { name } = JSON.parse((await assay(settings, "backup", "--json")).output);
  const bytes = readFileSync(join(to, name));
  const at = bytes.indexOf("Invoice");
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(join(to, name), bytes);
  for (const asked of ["latest", name, join(to, name)]) {
    const { complaints } = await assay(settings, "restore", asked);
    expect(complaints).toMatch(/is damaged: it is not as its (?:note|digest) says\. Use another backup/);
  }
});

test("the server check counts only this server's backups", async () => {
  const to = temporaryFolder();
  const [one, other] = [await newInstallation("SQLite"), await newInstallation("SQLite")];
  for (const each of [one, other]) await fillInstallation(each, 1);
  const backupRow = async (settings: Readonly<Record<string, string>>) =>
    JSON.parse((await assay(settings, "doctor", "--json")).output).items.find(
      ({ id }: { id: string }) => id === "backups",
    );
  await assay({ ...other, ASSAY_BACKUP_TO: to }, "backup");
  expect(await backupRow({ ...other, ASSAY_BACKUP_TO: to })).toMatchObject({ state: "green" });
  expect(await backupRow({ ...one, ASSAY_BACKUP_TO: to })).toMatchObject({
    state: "red",
    says: `There is no verified backup in ${to} yet.`,
  });
});

test("a copy that cannot be read back is deleted", async () => {
  const file = join(temporaryFolder(), "copy.db");
  writeFileSync(file, "x");
  const removed: string[] = [];
  const place = {
    where: "there",
    put: async (_: string, chunks: Chunks) => void (await digestOf(chunks)),
    read: async function* (): Chunks {
      yield Buffer.from("x");
      throw new Refusal("overloaded", "The disk is gone.");
    },
    remove: async (name: string) => void removed.push(name),
  };
  const storing = storeCopy(place, { name: "one", file, lock: null, copyBytes: 1 });
  await expect(storing).rejects.toThrow("The disk is gone.");
  expect(removed).toEqual(["one"]);
});

test("a drill that cannot write removes no good copy, and a changed one is still noticed", async () => {
  const file = join(temporaryFolder(), "copy.db");
  writeFileSync(file, "one two");
  const removed: string[] = [];
  const store = (chunks: readonly string[], lost: string[]) =>
    storeCopy(
      {
        where: "there",
        put: async (_, sealed) => void (await digestOf(sealed)),
        read: async function* () {
          for (const chunk of chunks) yield Buffer.from(chunk);
        },
        remove: async (name) => void removed.push(name),
      },
      {
        name: "one",
        file,
        lock: null,
        copyBytes: 7,
        findRoom: async () => "/nowhere/restored.db",
        loseRoom: async (error) => void lost.push(String(error)),
      },
    );
  const lost: string[] = [];
  expect(await store(["one ", "two"], lost)).toMatchObject({ bytes: 7 });
  expect(lost).toEqual([expect.stringContaining("ENOENT")]);
  expect(removed).toEqual([]);
  await expect(store(["one ", "too"], [])).rejects.toThrow("has changed there");
  expect(removed).toEqual(["one"]);
});

test("a bucket works like a folder, and an interrupted upload leaves no backup", async () => {
  const server = await startS3Server();
  onTestFinished(server.close);
  const own = await newInstallation("SQLite");
  await fillInstallation(own);
  const settings = { ...own, ASSAY_BACKUP_TO: `s3://${s3Bucket}/nightly`, ASSAY_S3_URL: toS3Url(server.endpoint, "") };
  server.misbehave("refuse");
  expect((await assay(settings, "backup")).complaints).toContain("403 AccessDenied");
  server.misbehave(null);
  const { name } = JSON.parse((await assay(settings, "backup", "--json")).output);
  expect([...server.objects.keys()].sort()).toEqual([`nightly/${name}`, `nightly/${name}.json`]);
  const { ASSAY_DATA_DIR } = await newInstallation("SQLite");
  const key = join(own.ASSAY_DATA_DIR ?? "", "secret.key");
  const restored = await assay(
    { ...settings, ASSAY_DATA_DIR: ASSAY_DATA_DIR ?? "" },
    "restore",
    "latest",
    "--secret-key",
    key,
  );
  expect(restored).toMatchObject({ exitCode: 0, complaints: "" });
  expect(await readAll({ ASSAY_DATA_DIR: ASSAY_DATA_DIR ?? "" })).toEqual(await readAll(own));
});

test("old backups are deleted, but none of another installation and no other file", async () => {
  const to = temporaryFolder();
  const one = await newInstallation("SQLite");
  const other = await newInstallation("SQLite");
  for (const each of [one, other]) await fillInstallation(each, 1);
  const settings = { ASSAY_BACKUP_TO: to };
  writeFileSync(join(to, "holiday.jpg"), "x");
  await assay({ ...other, ...settings }, "backup");
  const first = JSON.parse((await assay({ ...one, ...settings }, "backup", "--json")).output);
  await expect.poll(() => new Date().getMilliseconds()).toBeLessThan(1_000);
  // Names have whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 1_001 - new Date().getMilliseconds()));
  const second = JSON.parse((await assay({ ...one, ...settings }, "backup", "--json")).output);
  expect(second.removed).toBe(1);
  expect(notes(to)).toHaveLength(2);
  expect(existsSync(join(to, first.name))).toBe(false);
  expect(existsSync(join(to, second.name))).toBe(true);
  expect(existsSync(join(to, "holiday.jpg"))).toBe(true);
});
