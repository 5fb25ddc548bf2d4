import { randomBytes } from "node:crypto";
import {
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { run } from "../../../../src/commands.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { openDatabase } from "../../../../src/platform/database/engine/sqlite-database.ts";
import { migrations } from "../../../../src/platform/database/migrations/list.ts";
import { lockDataDirectory } from "../../../../src/platform/database/open.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { createIdentity, encryptChunks } from "../../../../src/platform/system/age.ts";
import { writeChunks } from "../../../../src/platform/system/file-chunks.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";
import { message } from "../../../platform/database/nouns.ts";
import { openSqliteStore, temporaryFolder } from "../../../platform/database/temporary.ts";
import { startS3Server, toS3Url } from "../../../s3-server.ts";

let dataDir: string;
let backup: string;
let key: string;

async function assay(folder: string, ...argv: string[]) {
  const terminal = testTerminal({ ASSAY_DATA_DIR: folder, ASSAY_SEED_DOMAINS: "seed.example" });
  const exitCode = await run(argv, terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

async function receive(count: number): Promise<void> {
  const store = await openSqliteStore(join(dataDir, "assay.db"));
  const { id: workspaceId } = await store.read.selectFrom("workspaces").select("id").executeTakeFirstOrThrow();
  for (let index = 0; index < count; index += 1)
    await createIntake(store).insert([
      message(createId("test", Date.now(), randomBytes(16)), { workspaceId, bytes: randomBytes(20_000) }),
    ]);
  await store.close();
}

async function countTests(folder: string): Promise<number> {
  const store = await openSqliteStore(join(folder, "assay.db"));
  const rows = await store.read.selectFrom("tests").select("id").execute();
  await store.close();
  return rows.length;
}

beforeEach(async () => {
  dataDir = temporaryFolder();
  expect((await assay(dataDir, "workspace", "list")).exitCode).toBe(0);
  await receive(5);
  const folder = temporaryFolder();
  backup = join(folder, "assay.db");
  key = join(folder, "secret.key");
  const saved = await assay(dataDir, "backup", backup);
  expect(saved.output).toContain("and verified: 5 tests.");
  copyFileSync(join(dataDir, "secret.key"), key);
});

test("a backup restores messages, people, and key on an empty machine", async () => {
  const empty = temporaryFolder();
  rmSync(empty, { recursive: true });
  const restored = await assay(empty, "restore", backup, "--secret-key", key);
  expect(restored).toMatchObject({ exitCode: 0, complaints: "" });
  expect(restored.output).toContain("Restored 5 tests in 1 workspace");
  expect(await countTests(empty)).toBe(5);
  expect(readFileSync(join(empty, "secret.key"), "utf8")).toBe(readFileSync(key, "utf8"));
  expect(statSync(join(empty, "assay.db")).mode & 0o777).toBe(0o600);
  expect((await assay(empty, "workspace", "list")).exitCode).toBe(0);
});

test("the key of an interrupted change is kept, because the replaced database needs it", async () => {
  const other = temporaryFolder();
  expect((await assay(other, "workspace", "list")).exitCode).toBe(0);
  expect((await assay(other, "secret-key", "rotate")).exitCode).toBe(0);
  // As a kill leaves it after the database was written.
  const current = join(other, "secret.key");
  const used = readFileSync(current, "utf8");
  renameSync(current, `${current}.next`);
  renameSync(`${current}.old-1`, current);
  const restored = await assay(other, "restore", backup, "--secret-key", key);
  expect(restored.exitCode).toBe(0);
  expect(readFileSync(current, "utf8")).toBe(readFileSync(key, "utf8"));
  const kept = readdirSync(other).filter((name) => name.startsWith("secret.key.old-"));
  expect(kept.map((name) => readFileSync(join(other, name), "utf8"))).toContain(used);
});

test("a restore that is repeated after a kill keeps each database and each key once", async () => {
  const other = temporaryFolder();
  expect((await assay(other, "workspace", "list")).exitCode).toBe(0);
  // As a kill leaves them just before the database is replaced.
  linkSync(join(other, "assay.db"), join(other, "assay.db.before-restore-1"));
  copyFileSync(key, join(other, "secret.key.next"));
  expect((await assay(other, "restore", backup, "--secret-key", key)).exitCode).toBe(0);
  const kept = readdirSync(other).filter((name) => /before-restore|secret\.key/.test(name));
  expect(kept.sort()).toEqual(["assay.db.before-restore-1", "secret.key", "secret.key.old-1"]);
  expect(await countTests(other)).toBe(5);
});

test("messages outside the database are counted as missing from the backup", async () => {
  const s3 = await startS3Server();
  onTestFinished(() => s3.close());
  const assayWithS3 = async (...argv: string[]) => {
    const settings = { ASSAY_DATA_DIR: dataDir, ASSAY_SEED_DOMAINS: "seed.example" };
    const terminal = testTerminal({ ...settings, ASSAY_MESSAGES: "s3", ASSAY_S3_URL: toS3Url(s3.endpoint) });
    return { exitCode: await run(argv, terminal), output: terminal.output() };
  };
  expect((await assayWithS3("messages", "move", "--to", "s3")).exitCode).toBe(0);
  const outside = `${backup}.outside`;
  expect((await assay(dataDir, "backup", outside, "--without-messages")).exitCode).toBe(0);
  const checked = await assay(dataDir, "restore", outside, "--check");
  expect(checked.output).toContain("The backup is good.");
  expect(checked.output).toContain("5 raw messages are not in the backup");
  const restored = await assay(dataDir, "restore", outside);
  expect(restored.output).toContain("5 raw messages are not in the backup");
  // The original may be running elsewhere, so the copy deletes nothing until an operator decides.
  const sweep = () => assayWithS3("messages", "sweep", "--older-than-minutes", "0");
  expect(await sweep()).toMatchObject({ exitCode: 1, output: expect.stringContaining("delete sweep-token") });
  for (const key of [...s3.objects.keys()].filter((each) => each.endsWith("/sweep-token"))) s3.objects.delete(key);
  expect(await sweep()).toMatchObject({ exitCode: 0, output: "Deleted 0 of 5 objects.\n" });
  expect((await assay(dataDir, "restore", backup, "--check")).output).not.toContain("raw message");
});

test("a byte that changed anywhere in a backup that a person made is noticed, also after it was renamed", async () => {
  const bytes = readFileSync(backup);
  const moved = join(temporaryFolder(), "moved.db");
  const spread = Array.from({ length: 6 }, (_, index) => Math.floor((bytes.length * index) / 6) + 500);
  for (const at of [0, ...spread, ...[86, 60, 1].map((fromEnd) => bytes.length - fromEnd)]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(moved, changed);
    for (const options of [["--check"], []]) {
      const { exitCode, complaints } = await assay(dataDir, "restore", moved, "--secret-key", key, ...options);
      expect(exitCode).not.toBe(0);
      expect({ at, complaints }).toEqual({ at, complaints: expect.stringContaining("damaged") });
    }
  }
  writeFileSync(moved, bytes);
  expect((await assay(dataDir, "restore", moved, "--secret-key", key)).exitCode).toBe(0);
  expect(statSync(join(dataDir, "assay.db")).size % 4_096).toBe(0);
});

test("the replaced database is kept with its write-ahead log", async () => {
  await receive(3);
  const restored = await assay(dataDir, "restore", backup);
  expect(restored.exitCode).toBe(0);
  expect(await countTests(dataDir)).toBe(5);
  const kept = join(dataDir, "assay.db.before-restore-1");
  expect(restored.output).toContain(kept);
  const other = temporaryFolder();
  copyFileSync(kept, join(other, "assay.db"));
  expect(await countTests(other)).toBe(8);
  await assay(dataDir, "restore", backup);
  expect(existsSync(join(dataDir, "assay.db.before-restore-2"))).toBe(true);
});

test("a damaged database is replaced and kept", async () => {
  writeFileSync(join(dataDir, "assay.db"), randomBytes(9_000));
  expect((await assay(dataDir, "restore", backup)).exitCode).toBe(0);
  expect(await countTests(dataDir)).toBe(5);
  expect(statSync(join(dataDir, "assay.db.before-restore-1")).size).toBe(9_000);
});

function after(change: () => void, argv: string[]): string[] {
  change();
  return argv;
}

function makeForeign(file: string): void {
  writeFileSync(file, "");
  const database = openDatabase(file, { lockWaitMs: 0, addonFile: undefined });
  database.script("create table contacts (name text)");
  database.close();
}

const hashesOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !name.endsWith(".lock"))
      .map((name) => [name, readFileSync(join(folder, name)).toString("base64")]),
  );

test.each<[string, () => Promise<string[]> | string[], string]>([
  ["that is truncated", () => after(() => truncateSync(backup, 40_000), [backup]), "damaged"],
  ["that does not exist", () => [`${backup}.no`], "does not exist"],
  [
    "that is not a database",
    () => after(() => writeFileSync(backup, "x".repeat(9_000)), [backup]),
    "is not a backup of Assay, or its beginning is damaged. Use a file that assay backup wrote. Nothing was changed.",
  ],
  [
    "of another program",
    () => after(() => makeForeign(backup), [backup]),
    "is not a backup of Assay, or its beginning is damaged",
  ],
  [
    "that is truncated within its first page",
    () => after(() => truncateSync(backup, 50), [backup]),
    "is not a backup of Assay, or its beginning is damaged",
  ],
  ["that is a folder", () => [temporaryFolder()], "is not a file. Name the file of a backup."],
  ["with a key that is a folder", () => [backup, "--secret-key", temporaryFolder()], "it is a folder. Nothing"],
  [
    "with another key",
    () => after(() => writeFileSync(key, "another-key-another-key-another-key-1"), [backup, "--secret-key", key]),
    "is not the key of this backup",
  ],
  ["with a key that does not exist", () => [backup, "--secret-key", `${key}.no`], "cannot be read"],
  [
    "of a newer version",
    async () => {
      const later = { name: "9001-later", statements: () => [] };
      await (await openSqliteStore(backup, { migrations: [...migrations, later] })).close();
      return [backup];
    },
    "newer version",
  ],
  ["that a server uses", () => after(() => writeFileSync(`${backup}-wal`, "x"), [backup]), "database in use"],
])("a backup %s is rejected, and nothing is changed", async (_, prepare, words) => {
  const argv = await prepare();
  const before = hashesOf(dataDir);
  const refused = await assay(dataDir, "restore", ...argv);
  expect(refused.exitCode).not.toBe(0);
  expect(refused.complaints).toContain(words);
  expect(hashesOf(dataDir)).toEqual(before);
});

test("on an empty machine, a backup without its key is rejected or restored without secrets on request", async () => {
  const empty = temporaryFolder();
  const asked = (await assay(empty, "restore", backup)).complaints;
  expect(asked).toContain("This backup needs its secret.key. Give it with --secret-key.");
  expect(asked).toContain("--without-key");
  expect(existsSync(join(empty, "assay.db"))).toBe(false);
  const restored = await assay(empty, "restore", backup, "--without-key");
  expect(restored.output).toContain("assay secret-key forget");
  expect((await assay(empty, "secret-key", "forget", "--yes")).exitCode).toBe(0);
  expect((await assay(empty, "workspace", "list")).exitCode).toBe(0);
});

test("a running server blocks a restore, but not a check of the backup", async () => {
  const server = lockDataDirectory(dataDir);
  expect((await assay(dataDir, "restore", backup)).complaints).toContain("Another assay serve is running");
  const checked = await assay(dataDir, "restore", backup, "--check");
  expect(checked.output).toContain("The backup is good.");
  server.release();
  expect(readdirSync(dataDir).some((name) => name.includes("before-restore"))).toBe(false);
});

test("an encrypted file that is not a backup is named by the path that was given", async () => {
  const { identity, recipient } = await createIdentity();
  const folder = temporaryFolder();
  const [file, identityFile] = [join(folder, "photos.age"), join(folder, "identity.txt")];
  writeFileSync(identityFile, identity);
  async function* photos() {
    yield Buffer.alloc(9_000, 7);
  }
  await writeChunks(file, encryptChunks(photos(), { recipients: [recipient] }));
  const { complaints } = await assay(dataDir, "restore", file, "--identity", identityFile);
  expect(complaints).toContain(`${file} is not a backup of Assay`);
  expect(complaints).not.toContain("plain.db");
});

/** As a user who may read nothing of root's. */
async function asOther<T>(work: () => Promise<T>): Promise<T> {
  chownSync(dataDir, 65_534, 65_534);
  for (const name of readdirSync(dataDir)) chownSync(join(dataDir, name), 65_534, 65_534);
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

test.skipIf(process.getuid?.() !== 0)("a backup that only root can read is rejected with instructions", async () => {
  const { complaints } = await asOther(() => assay(dataDir, "restore", backup, "--check"));
  expect(complaints).toContain("permission is denied. Copy it to a folder");
});
