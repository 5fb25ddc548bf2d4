// Writes test/fixtures/schemas/<last migration>.sql: a small database of the current schema as text, which the tests
// open with all later versions of the code. Adds the migrations that are new to test/laws/migrations.txt, with the
// checksums that databases keep. Run it once for each new migration: node scripts/schema-fixture.ts

import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { noRows } from "../src/analyzer/mail/reports/mail-class.ts";
import { createIntake } from "../src/features/intake/rows/intake.ts";
import { insertReleasedAddress } from "../src/features/intake/rows/released-addresses.ts";
import { insertSeedInbox } from "../src/features/intake/rows/seed-inboxes.ts";
import { insertToken } from "../src/features/people/rows/tokens.ts";
import { insertWorkspace } from "../src/features/people/rows/workspaces.ts";
import { encodeReport } from "../src/features/tests/rows/reports.ts";
import { claimTests, markAnalyzed } from "../src/features/tests/rows/tests.ts";
import { recordNonTest } from "../src/features/tests/work/record-non-test.ts";
import { writeMeta } from "../src/platform/database/engine/meta.ts";
import { checksumOf } from "../src/platform/database/migrate.ts";
import { migrations } from "../src/platform/database/migrations/list.ts";
import { openStore } from "../src/platform/database/open.ts";
import type { Db } from "../src/platform/database/schema.ts";
import { inWorkspace } from "../src/platform/database/scope.ts";
import type { Store } from "../src/platform/database/store.ts";
import type { Log } from "../src/platform/system/log.ts";

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
writeChecksums();
const version = migrations.at(-1)?.name;
const target = new URL(`../test/fixtures/schemas/${version}.sql`, import.meta.url);
if (existsSync(target)) {
  console.error(`${target.pathname} already exists, and a released schema never changes.`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "assay-fixture-"));
const createdAt = 1_700_000_000_000;
const system = { now: () => createdAt, random: randomBytes, log: silent };
const store = await openStore({ databaseFile: join(folder, "assay.db") }, system);
await fill(store);
await fillNoTests(store);
writeFileSync(target, await dump(store.read));
await store.close();
rmSync(folder, { recursive: true });

function writeChecksums(): void {
  const file = new URL("../test/laws/migrations.txt", import.meta.url);
  const known = readFileSync(file, "utf8");
  for (const migration of migrations.filter(({ name }) => !known.includes(`${name} `)))
    appendFileSync(file, `${migration.name} ${checksumOf(migration, "sqlite")} ${checksumOf(migration, "postgres")}\n`);
}

async function fill(store: Store): Promise<void> {
  await store.write(async (db) => {
    await writeMeta(db, "installation_id", "fixture");
    await insertWorkspace(db, { id: "wsp_1", name: "Ünïcode's", plan: "free", created_at: createdAt });
    const scope = inWorkspace(db, "wsp_1");
    const address = { local_part: "w7k3qz2m9p", domain: "seed.example" };
    await insertSeedInbox(scope, { id: "sdi_1", ...address, label: null, active: 1, created_at: createdAt });
    const unused = {
      created_by: null,
      created_with: null,
      last_used_at: null,
      last_used_address: null,
      expires_at: null,
    };
    const unlimited = { scope: "admin", label: null, noticed_days: null } as const;
    await insertToken(scope, {
      id: "tok_1",
      name: "ci",
      hash: "ab".repeat(32),
      created_at: createdAt,
      ...unused,
      ...unlimited,
    });
  });
  const test = {
    workspaceId: "wsp_1",
    seedInboxId: "sdi_1",
    label: "welcome",
    recipients: ["x@seed.example"],
    session: "{}",
  };
  const message = { receivedAt: createdAt, sender: "ada@sender.example", subject: "Hello" };
  const small = Buffer.from("Subject: Hello\r\n\r\nHi\r\n");
  const large = Buffer.from(`Subject: Large\r\n\r\n${"Line\r\n".repeat(4_000)}`);
  await createIntake(store).insert([
    { ...message, bytes: small, tests: [{ id: "tst_1", ...test }] },
    { ...message, bytes: large, tests: [{ id: "tst_2", ...test }] },
    { ...message, bytes: small, receivedAt: createdAt + 10, tests: [{ id: "tst_3", ...test }] },
    { ...message, bytes: small, receivedAt: createdAt + 10, tests: [{ id: "tst_4", ...test }] },
  ]);
  await store.write(async (db) => {
    const [claimed] = await claimTests(db, { now: createdAt, owner: "fixture", leaseMs: 1_000, limit: 1 });
    if (!claimed) throw new Error("Nothing to claim.");
    const results = {
      header_from: "Ada <ada@sender.example>",
      from_domain: "sender.example",
      subject: "Hello",
      message_id: "1@sender.example",
      spf: "pass",
      dkim: "pass",
      dmarc: "pass",
      composite: 91.5,
      coverage: 0.75,
      inbox_rate: 0.6,
      spam_rate: 0.2,
      promo_rate: 0.2,
      kind: "transactional" as const,
      body_key: "aGFzaCBvZiB0aGUgYm9keQ",
      attachments: 1,
      malware: "none" as const,
      door: "smtp" as const,
      traits: null,
    };
    await markAnalyzed(db, claimed, {
      ...results,
      analyzedAt: createdAt + 5,
      report: encodeReport('{"composite":91.5}'),
      contribution: JSON.stringify({
        kind: "test",
        score: 915,
        folders: { gmail: "inbox" },
        issues: { "dmarc-record.missing": 1800 },
      }),
    });
  });
}

/** One row of each kind that a message can become. */
async function fillNoTests(store: Store): Promise<void> {
  const unread = { organization: null, reportId: null, domain: null, beginsAt: null, endsAt: null };
  const report = { type: "tls", ...unread, total: null, failed: null, problem: "Not JSON.", ...noRows } as const;
  const unsaid = { reportingMta: null, feedbackType: null, sourceIp: null, originalAssayId: null };
  const notice = { ...unsaid, recipients: [], originalMessageId: "1@sender.example" };
  const envelope = { subject: null, from: null, messageId: null, authenticated: false, sendId: null };
  await store.write(async (db) => {
    const lease = { now: createdAt + 10, owner: "fixture", leaseMs: 1_000, limit: 2 };
    const [first, second] = await claimTests(db, { ...lease, only: ["tst_3", "tst_4"] });
    if (!first || !second) throw new Error("Nothing to claim.");
    await recordNonTest(db, first, { ...envelope, recognised: { kind: "bounce", notice } }, system);
    await recordNonTest(db, second, { ...envelope, recognised: { kind: "report", report } }, system);
    const address = { local_part: "gone", domain: "seed.example" };
    await insertReleasedAddress(inWorkspace(db, "wsp_1"), { ...address, released_at: createdAt });
  });
}

async function dump(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string; sql: string; kind: "table" | "virtual" | "shadow" | "other" }>`
    select name, sql,
      case when type = 'table' then (select type from pragma_table_list where name = sqlite_master.name) else 'other' end as kind
    from sqlite_master where sql is not null order by rowid`.execute(db);
  const { table = [], virtual = [], shadow = [], other = [] } = Object.groupBy(rows, ({ kind }) => kind);
  const lines = ["pragma foreign_keys = off;", "begin;"];
  for (const row of [...table, ...virtual]) lines.push(`${row.sql};`);
  // A virtual table stores its content in shadow tables, which it creates with initial rows.
  for (const { name } of shadow) lines.push(`delete from ${name};`);
  for (const { name } of [...table, ...shadow]) lines.push(...(await dumpRows(db, name)));
  // After the rows, because triggers would repeat what they already did.
  for (const row of other) lines.push(`${row.sql};`);
  for (const name of ["application_id", "user_version"]) {
    const { rows } = await sql<Record<string, number>>`pragma ${sql.raw(name)}`.execute(db);
    lines.push(`pragma ${name} = ${rows[0]?.[name]};`);
  }
  return [...lines, "commit;", ""].join("\n");
}

async function dumpRows(db: Db, table: string): Promise<string[]> {
  const columns = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
  const quoted = sql.join(
    columns.rows.map(({ name }) => sql`quote(${sql.ref(name)})`),
    sql` || ', ' || `,
  );
  const rows = await sql<{ row: string }>`select ${quoted} as row from ${sql.table(table)}`.execute(db);
  return rows.rows.map(({ row }) => `insert into ${table} values (${row});`);
}
