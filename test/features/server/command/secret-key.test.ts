import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { run } from "../../../../src/commands.ts";
import { alertSealing, openTarget, sealSecret, sealUrl } from "../../../../src/features/alerts/work/targets.ts";
import { openHook, passwordPlace, signingSecretPlace } from "../../../../src/features/hooks/work/hooks.ts";
import { integrationSealing } from "../../../../src/features/mailboxes/oauth/access-tokens.ts";
import { openPassword, sealPassword } from "../../../../src/features/mailboxes/work/logins.ts";
import { relaySealing, relayUrlPlace } from "../../../../src/features/monitors/work/relays.ts";
import { signingKeyPlace, signingSealing } from "../../../../src/features/sending/work/signing-keys.ts";
import { openInstallation } from "../../../../src/features/server/installation.ts";
import { resealSecrets } from "../../../../src/features/server/upkeep/secrets.ts";
import { features } from "../../../../src/server.ts";
import { ownWebhook } from "../../alerts/rules/events.ts";

const secrets = features.flatMap((feature) => feature.secrets ?? []);

import { settingSealing } from "../../../../src/features/server/work/server-settings.ts";
import { writeMeta } from "../../../../src/platform/database/engine/meta.ts";
import { lockDataDirectory } from "../../../../src/platform/database/open.ts";
import type { Db } from "../../../../src/platform/database/schema.ts";
import { readConfig } from "../../../../src/platform/settings/config-reading.ts";
import { createSealer, prepareNextKey, type SecretKey } from "../../../../src/platform/system/secret-key.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";
import { storeSystem } from "../../../platform/database/store-system.ts";
import { temporaryFolder } from "../../../platform/database/temporary.ts";

let dataDir: string;

beforeEach(async () => {
  dataDir = temporaryFolder();
  await withInstallation(fill);
});

async function assay(...argv: string[]) {
  const terminal = testTerminal({ ASSAY_DATA_DIR: dataDir, ASSAY_SEED_DOMAINS: "seed.example" });
  const exitCode = await run(argv, terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

async function withInstallation<T>(work: (db: Db, key: SecretKey) => Promise<T>): Promise<T> {
  const reading = readConfig({ ASSAY_DATA_DIR: dataDir, ASSAY_SEED_DOMAINS: "seed.example" });
  if (!reading.ok) throw new Error("settings");
  const system = { ...storeSystem(), random: randomBytes } as unknown as Parameters<typeof openInstallation>[1];
  const { store, secretKey } = await openInstallation(reading.config, system, reading.given);
  return await store.write((db) => work(db, secretKey)).finally(store.close);
}

const claim = { due_at: null, claimed_by: null, claimed_until: null, attempts: 0 };
const slack = "https://hooks.slack.example/services/T0/B0/secret";

/** One row of each kind that holds a secret. */
async function fill(db: Db, key: SecretKey): Promise<void> {
  const sealer = (purpose: string) => createSealer(key.derive(purpose), randomBytes);
  const { id: workspace_id } = await db.selectFrom("workspaces").select("id").executeTakeFirstOrThrow();
  const alert = { ...ownWebhook, workspace_id, events: "[]", digest: null };
  const alerts = sealer(alertSealing);
  await db
    .insertInto("alerts")
    .values([
      {
        ...alert,
        id: "alr_1",
        label: "Ops \u001b[31m",
        kind: "slack",
        secret: null,
        ...sealUrl(alerts, "alr_1", slack),
      },
      {
        ...alert,
        id: "alr_2",
        label: "CI",
        kind: "json",
        ...sealSecret(alerts, "alr_2", "whsec_1"),
        ...sealUrl(alerts, "alr_2", "https://ci.example/hook"),
      },
      {
        ...alert,
        id: "alr_3",
        label: "Ann",
        kind: "email",
        secret: null,
        ...sealUrl(alerts, "alr_3", "mailto:ann@example.com"),
      },
    ])
    .execute();
  const mailbox = sealPassword(sealer(integrationSealing), "int_1", { user: "seed@example.com", password: "pa55word" });
  await db
    .insertInto("integrations")
    .values({
      ...claim,
      id: "int_1",
      workspace_id,
      provider: "imap",
      account: "seed@example.com",
      seed_provider: null,
      connected_at: 1,
      connected_by: null,
      scopes: "[]",
      server: null,
      secret: mailbox,
      expires_at: null,
      alert_id: null,
      status: "connected",
      problem: null,
      status_since: 1,
    })
    .execute();
  const private_key = sealer(signingSealing).seal("pkcs8", signingKeyPlace("key_1"));
  await db
    .insertInto("signing_keys")
    .values({
      id: "key_1",
      workspace_id,
      domain: "example.com",
      selector: "a1",
      algorithm: "rsa",
      public_key: "p",
      private_key,
      created_at: 1,
    })
    .execute();
  const url = sealer(relaySealing).seal("smtp://u:p@relay.example", relayUrlPlace("rly_1"));
  await db
    .insertInto("relays")
    .values({
      id: "rly_1",
      workspace_id,
      name: "Relay",
      url,
      url_shown: "smtp://u@relay.example",
      mail_from: "a@shop.example",
      return_path: "assay",
      created_at: 1,
    })
    .execute();
  const hooks = sealer(integrationSealing);
  await db
    .insertInto("incoming_hooks")
    .values({
      id: "hok_1",
      workspace_id,
      provider: "sendgrid",
      purpose: "mail",
      label: "Inbound",
      key_hash: "h",
      topic_arn: null,
      domain: null,
      created_at: 1,
      last_received_at: null,
      received: 0,
      repeated: 0,
      refused: 0,
      last_problem: null,
      last_problem_at: null,
      signing_key: hooks.seal("public", signingSecretPlace("hok_1")),
      password: hooks.seal("pass", passwordPlace("hok_1")),
    })
    .execute();
  await writeMeta(db, "setting:ASSAY_DNSBLS", sealer(settingSealing).seal("k1.list.example", "ASSAY_DNSBLS"));
}

async function readAll(db: Db, key: SecretKey) {
  const sealer = (purpose: string) => createSealer(key.derive(purpose), randomBytes);
  const alerts = await db.selectFrom("alerts").selectAll().orderBy("id").execute();
  const mailbox = await db.selectFrom("integrations").selectAll().executeTakeFirstOrThrow();
  const signing = await db.selectFrom("signing_keys").selectAll().executeTakeFirstOrThrow();
  const relay = await db.selectFrom("relays").selectAll().executeTakeFirstOrThrow();
  const hook = await db.selectFrom("incoming_hooks").selectAll().executeTakeFirstOrThrow();
  const setting = await db
    .selectFrom("meta")
    .select("value")
    .where("key", "=", "setting:ASSAY_DNSBLS")
    .executeTakeFirstOrThrow();
  return {
    alerts: alerts.map((row) => openTarget(sealer(alertSealing), row)),
    password: openPassword(sealer(integrationSealing), mailbox).password,
    signing: sealer(signingSealing).open(signing.private_key, signingKeyPlace("key_1")),
    relay: sealer(relaySealing).open(relay.url, relayUrlPlace("rly_1")),
    hook: openHook(sealer(integrationSealing), hook),
    setting: sealer(settingSealing).open(setting.value, "ASSAY_DNSBLS"),
  };
}

const keyFile = () => join(dataDir, "secret.key");

test("a new key encrypts every secret again, and the old one is kept for old backups", async () => {
  const before = await withInstallation(readAll);
  expect(before).toMatchObject({ relay: "smtp://u:p@relay.example", hook: { isLost: false } });
  const old = readFileSync(keyFile(), "utf8");
  const { exitCode, output } = await assay("secret-key", "rotate");
  expect(exitCode).toBe(0);
  expect(output).toContain("10 secrets are encrypted under the new key.");
  expect(readFileSync(keyFile(), "utf8")).not.toBe(old);
  expect(readFileSync(`${keyFile()}.old-1`, "utf8")).toBe(old);
  expect(await withInstallation(readAll)).toEqual(before);
});

test("a rotation that was killed after its commit is completed at the next start", async () => {
  const before = await withInstallation(readAll);
  const next = await prepareNextKey(dataDir, randomBytes);
  await withInstallation(async (db, old) => {
    await resealSecrets({ store: { write: (work) => work(db) }, system: { random: randomBytes } }, secrets, {
      old,
      next,
    });
  });
  expect(await withInstallation(readAll)).toEqual(before);
  expect(existsSync(`${keyFile()}.next`)).toBe(false);
});

test("a rotation that was killed before its commit changes nothing", async () => {
  const before = await withInstallation(readAll);
  await prepareNextKey(dataDir, randomBytes);
  expect(await withInstallation(readAll)).toEqual(before);
  expect((await assay("secret-key", "rotate")).exitCode).toBe(0);
  expect(await withInstallation(readAll)).toEqual(before);
});

test.each(["lost", "damaged", "another"])(
  "without its key (%s), the server suggests secret-key forget, which works",
  async (how) => {
    if (how === "lost") rmSync(keyFile());
    else writeFileSync(keyFile(), how === "damaged" ? "short" : "another-key-another-key-another-key-1");
    await expect(withInstallation(readAll)).rejects.toThrow("run assay secret-key forget");

    const asked = await assay("secret-key", "forget");
    expect(asked.output).toContain("would be removed");
    expect(asked.output).not.toContain("\u001b");
    await expect(withInstallation(readAll)).rejects.toThrow("assay secret-key forget");

    const done = await assay("secret-key", "forget", "--yes");
    expect(done.exitCode).toBe(0);
    for (const words of [
      "Alert “CI” (json",
      "imap seed@example.com",
      "DKIM key a1 of example.com",
      "Relay “Relay” (smtp://u@relay.example)",
      "Incoming webhook “Inbound” (sendgrid)",
      "ASSAY_DNSBLS",
    ])
      expect(done.output).toContain(words);
    expect(done.output).not.toContain("ann@example.com");

    await withInstallation(async (db, key) => {
      const hook = await db.selectFrom("incoming_hooks").selectAll().executeTakeFirstOrThrow();
      // Without secrets it would take everyone's mail.
      expect(openHook(createSealer(key.derive(integrationSealing), randomBytes), hook).isLost).toBe(true);
      expect(hook.last_problem).toBe("lost");
      expect(await db.selectFrom("relays").select("url").execute()).toEqual([{ url: "" }]);
      const alerts = await db.selectFrom("alerts").select(["kind", "enabled"]).orderBy("id").execute();
      expect(alerts.map(({ kind, enabled }) => [kind, enabled])).toEqual([
        ["slack", 0],
        ["json", 0],
        ["email", 1],
      ]);
      const { status } = await db.selectFrom("integrations").select("status").executeTakeFirstOrThrow();
      expect(status).toBe("reconnect");
      expect(await db.selectFrom("signing_keys").select("id").execute()).toEqual([]);
    });
    expect(readdirSync(dataDir).includes("secret.key.old-1")).toBe(how !== "lost");
  },
);

test("secret-key forget is rejected while the key is valid, and rotate and forget while a server runs", async () => {
  expect((await assay("secret-key", "forget", "--yes")).complaints).toContain("so nothing is lost");
  const server = lockDataDirectory(dataDir);
  expect((await assay("secret-key", "rotate")).complaints).toContain("Another assay serve is running");
  expect((await assay("secret-key", "forget")).complaints).toContain("Another assay serve is running");
  server.release();
});

test("a key with wrong permissions is not lost, so forget keeps what it encrypts", async () => {
  chmodSync(keyFile(), 0o644);
  const { exitCode, complaints } = await assay("secret-key", "forget", "--yes");
  expect(exitCode).toBe(1);
  expect(complaints).toContain("The key may not be lost. Nothing was changed. Other users can read");
  chmodSync(keyFile(), 0o600);
  expect((await withInstallation(readAll)).setting).toBe("k1.list.example");
});

test("rotation with a wrong key says where to find the right one", async () => {
  writeFileSync(keyFile(), "another-key-another-key-another-key-1");
  const { complaints } = await assay("secret-key", "rotate");
  expect(complaints).toContain("Restore it from your backup. If it is lost, run assay secret-key forget");
  expect(complaints).toContain("Nothing was changed.");
});

test("every encrypted column is in the list", () => {
  const tables = globSync("src/{features,platform}/**/tables.ts", { cwd: join(import.meta.dirname, "../../../..") });
  const described = tables.flatMap((name) => {
    const source = readFileSync(name, "utf8");
    return [...source.matchAll(/\/\*\* Sealed[^\n]*\*\/\n {2}(\w+):/g)].map(([, column]) => column);
  });
  // A pending OAuth consent is not kept.
  const listed = [...secrets.flatMap(({ tables }) => tables.flatMap(({ columns }) => Object.keys(columns))), "secret"];
  expect(described.sort()).toEqual(listed.sort());
});
