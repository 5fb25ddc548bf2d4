import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { findFreePorts } from "../../../../scripts/ports.ts";
import { sendMail } from "../../../../scripts/smtp-client.ts";
import { insertAlert } from "../../../../src/features/alerts/rows/alerts.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { readConfig } from "../../../../src/platform/settings/config-reading.ts";
import { createSystem } from "../../../../src/platform/system/real.ts";
import { createApp } from "../../../../src/server.ts";
import { newInstallation } from "../../backups/work/databases.ts";
import {
  fillInstallation,
  type Settings,
  serverAlert,
  withInstallation,
} from "../../backups/work/filled-installation.ts";

/** Overwrites the table's first page, as a failing disk does. */
function damage(dataDir: string, table: string): void {
  const file = join(dataDir, "assay.db");
  const database = new Database(file);
  database.pragma("wal_checkpoint(truncate)");
  const root = database.prepare("select rootpage from sqlite_schema where name = ?").pluck().get(table) as number;
  const pageSize = Number(database.pragma("page_size", { simple: true }));
  database.close();
  writeSync(openSync(file, "r+"), Buffer.alloc(64, 0xa5), 0, 64, (root - 1) * pageSize);
}

async function start(settings: Settings) {
  const [web = 0, mail = 0] = await findFreePorts(2);
  const ports = { ASSAY_HTTP_PORT: `${web}`, ASSAY_SMTP_LISTEN: `127.0.0.1:${mail}` };
  const reading = readConfig({ ASSAY_SEED_DOMAINS: "seed.example", ...settings, ...ports });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const system = createSystem(reading.config, { write, format: "json", level: "debug" });
  const app = createApp(reading.config, system);
  await app.start();
  const stop = async () => {
    await app.stop();
    await system.close();
  };
  onTestFinished(stop);
  const readReady = async () => {
    const answer = await fetch(`http://127.0.0.1:${web}/readyz`);
    return { status: answer.status, body: await answer.text() };
  };
  return { mail, lines, readReady, stop };
}

test("damage that no request has met makes the server not ready, is alerted once, and mail is still stored", async () => {
  const settings = await newInstallation("SQLite");
  const workspaceId = await fillInstallation(settings, 1);
  const address = await withInstallation(settings, async ({ store }) => {
    await store.write((db) => insertAlert(inWorkspace(db, workspaceId), serverAlert));
    const inboxes = store.read.selectFrom("seed_inboxes").select(["local_part", "domain"]);
    const { local_part, domain } = await inboxes.executeTakeFirstOrThrow();
    return `${local_part}@${domain}`;
  });
  damage(settings.ASSAY_DATA_DIR ?? "", "tls_failures");
  for (const time of ["first", "second"]) {
    const { mail, lines, readReady, stop } = await start(settings);
    await expect
      .poll(readReady, { timeout: 20_000 })
      .toMatchObject({ status: 503, body: expect.stringContaining("the database is damaged") });
    const reply = await sendMail(
      { host: "127.0.0.1", port: mail },
      { from: "a@sender.example", to: [address], body: `Subject: ${time}\n\nHello.\n` },
    );
    expect(reply).toMatch(/^250 /);
    await expect.poll(() => lines.join("")).toContain("tls_failures");
    await stop();
  }
  await withInstallation(settings, async ({ store }) => {
    const events = await store.read.selectFrom("alert_events").select("payload").execute();
    const problem = expect.stringContaining("tls_failures");
    expect(events.map(({ payload }) => JSON.parse(payload))).toMatchObject([{ state: "damaged", problem }]);
  });
});

test("an intact database stays ready after it was checked", async () => {
  const settings = await newInstallation("SQLite");
  await fillInstallation(settings, 1);
  const { lines, readReady } = await start(settings);
  await expect.poll(() => lines.join(""), { timeout: 20_000 }).toContain("the database was checked");
  expect(await readReady()).toMatchObject({ status: 200 });
});
