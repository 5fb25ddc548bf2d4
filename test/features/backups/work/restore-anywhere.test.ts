import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Encrypter } from "age-encryption";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createIdentity } from "../../../../src/platform/system/age.ts";
import { temporaryFolder } from "../../../platform/database/temporary.ts";
import { startS3Server, toS3Url } from "../../../s3-server.ts";
import { directions, keySetting, kinds, newInstallation, query, readAll } from "./databases.ts";
import { assay, fillInstallation, type Settings, withInstallation } from "./filled-installation.ts";

async function keys() {
  const folder = temporaryFolder();
  const { identity, recipient } = await createIdentity();
  const identityFile = join(folder, "identity.txt");
  writeFileSync(identityFile, `# created: today\n# public key: ${recipient}\n${identity}\n`);
  return { recipient, identityFile, folder };
}

describe.each(directions)("a backup moved from %s to %s", (from, to) => {
  test("a moved backup restores everything from one encrypted file and its identity", async () => {
    const { recipient, identityFile, folder } = await keys();
    const sharedKey: Settings = from === to ? {} : keySetting;
    const lost = { ...(await newInstallation(from)), ...sharedKey };
    await fillInstallation(lost);
    const before = await readAll(lost);
    const s3 = await startS3Server();
    onTestFinished(() => s3.close());
    const stored = { ...lost, ASSAY_MESSAGES: "s3", ASSAY_S3_URL: toS3Url(s3.endpoint) };
    expect((await assay(stored, "messages", "move", "--to", "s3")).output).toContain("Moved 6 messages");
    const file = join(folder, "assay.db.age");
    const saved = await assay(stored, "backup", file, "--recipient", recipient);
    expect(saved).toMatchObject({ exitCode: 0, complaints: "" });
    expect(saved.output).toContain("verified: 6 tests.\nIt is encrypted for 1 public key.");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes("Invoice")).toBe(false);
    const fresh = { ...(await newInstallation(to)), ...sharedKey };
    const restored = await assay(fresh, "restore", file, "--identity", identityFile);
    expect(restored).toMatchObject({ exitCode: 0, complaints: "" });
    expect(restored.output).toContain("Restored 6 tests in 1 workspace");
    const { object_removals: _, ...after } = await readAll(fresh);
    expect(after).toEqual(before);
    const found = await assay(fresh, "workspace", "list", "--json");
    expect(found.exitCode).toBe(0);
    await withInstallation(fresh, async ({ store }) => {
      const [row] = await store.read.selectFrom("test_words").select("words").limit(1).execute();
      expect(row?.words).toContain("invoice");
    });
    expect(readdirSync(fresh.ASSAY_DATA_DIR ?? "").filter((name) => name.includes("work"))).toEqual([]);
  });
});

test.runIf(kinds.includes("PostgreSQL"))(
  "with PostgreSQL, the old data is kept, and a running server blocks a restore",
  async () => {
    const settings = await newInstallation("PostgreSQL");
    const url = settings.ASSAY_DATABASE_URL ?? "";
    await fillInstallation(settings);
    const file = join(temporaryFolder(), "assay.db");
    expect((await assay(settings, "backup", file)).exitCode).toBe(0);
    await query(url, "update tests set subject = 'changed since'");
    const server = new pg.Client({ connectionString: url, application_name: "assay events" });
    await server.connect();
    const refused = await assay(settings, "restore", file);
    expect(refused.complaints).toContain("A server is running on this database.");
    // It would go on with the old key.
    const rotation = await assay(settings, "secret-key", "rotate", "--stopped");
    expect(rotation.complaints).toContain("A server is running on this database.");
    expect((await query<{ subject: string }>(url, "select distinct subject from tests"))[0]?.subject).toBe(
      "changed since",
    );
    await server.end();
    await expect
      .poll(() => query(url, "select 1 from pg_stat_activity where application_name = 'assay events'"))
      .toEqual([]);
    const restored = await assay(settings, "restore", file);
    expect(restored.output).toContain("schema before_restore_1");
    const [kept] = await query<{ subject: string }>(url, "select distinct subject from before_restore_1.tests");
    expect(kept?.subject).toBe("changed since");
    expect(await query(url, "select 1 from tests where subject = 'changed since'")).toEqual([]);
    // The restored one works: triggers, counters, references.
    await withInstallation(settings, async ({ store }, workspaceId) => {
      await store.write((db) => db.deleteFrom("tests").where("subject", "like", "Invoice 0%").execute());
      const { kept: left } = await store.read
        .selectFrom("test_counts")
        .select(({ fn }) => fn.sum<number>("kept").as("kept"))
        .where("workspace_id", "=", workspaceId)
        .executeTakeFirstOrThrow();
      expect(Number(left)).toBe(5);
    });
  },
);

test("a backup with a wrong or missing identity, or a damaged one, is rejected without changes", async () => {
  const { recipient, identityFile, folder } = await keys();
  const settings = await newInstallation("SQLite");
  await fillInstallation(settings);
  const file = join(folder, "assay.db.age");
  await assay(settings, "backup", file, "--recipient", recipient);
  const whole = readFileSync(file);
  const other = await keys();
  const before = snapshot(settings);
  const attempts: readonly (readonly [string, () => void, readonly string[]])[] = [
    ["not for this identity", () => {}, ["--identity", other.identityFile]],
    ["is encrypted. Name the identity", () => {}, []],
    ["is damaged or incomplete", () => truncateSync(file, whole.length - 70_000), ["--identity", identityFile]],
    ["is damaged or incomplete", () => truncateSync(file, 100), ["--identity", identityFile]],
    [
      "is damaged or incomplete",
      () => {
        const flipped = Buffer.from(whole);
        flipped[whole.length - 1_000] = (flipped[whole.length - 1_000] ?? 0) ^ 1;
        writeFileSync(file, flipped);
      },
      ["--identity", identityFile],
    ],
    ["has no identity of age", () => {}, ["--identity", file]],
    ["cannot be read", () => {}, ["--identity", `${file}.no`]],
  ];
  for (const [words, change, options] of attempts) {
    writeFileSync(file, whole);
    change();
    const { exitCode, complaints } = await assay(settings, "restore", file, ...options);
    expect(exitCode).not.toBe(0);
    expect(complaints).toContain(words);
    expect(snapshot(settings)).toEqual(before);
  }
});

test("a backup can be encrypted with a passphrase", async () => {
  const folder = temporaryFolder();
  const settings = await newInstallation("SQLite");
  await fillInstallation(settings, 2);
  const plain = join(folder, "assay.db");
  await assay(settings, "backup", plain);
  const encrypter = new Encrypter();
  encrypter.setPassphrase("four words nobody guesses");
  encrypter.setScryptWorkFactor(8); // the usual one takes seconds
  const file = `${plain}.age`;
  writeFileSync(file, await encrypter.encrypt(readFileSync(plain)));
  const words = join(folder, "passphrase.txt");
  writeFileSync(words, "four words nobody guesses\n");
  expect((await assay(settings, "restore", file, "--passphrase-file", words, "--check")).exitCode).toBe(0);
  writeFileSync(words, "another passphrase\n");
  const { complaints } = await assay(settings, "restore", file, "--passphrase-file", words, "--check");
  expect(complaints).toContain("not for this identity or passphrase");
});

/** The bytes of every file, with its name. */
function snapshot({ ASSAY_DATA_DIR: folder = "" }: Settings): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .filter(({ name }) => name !== "serve.lock")
      .map(({ name }) => [name, readFileSync(join(folder, name)).toString("base64")]),
  );
}
