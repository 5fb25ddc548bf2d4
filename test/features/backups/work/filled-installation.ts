// An installation with a little of everything, made by the commands and the store.

import { randomBytes } from "node:crypto";
import { run } from "../../../../src/commands.ts";
import { alertSealing, sealUrl } from "../../../../src/features/alerts/work/targets.ts";
import { type Installation, openInstallation } from "../../../../src/features/server/installation.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { readConfig } from "../../../../src/platform/settings/config-reading.ts";
import { createSealer } from "../../../../src/platform/system/secret-key.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";
import { insertAnalysed } from "../../../platform/database/analysed.ts";
import { insertDomain } from "../../../platform/database/nouns.ts";
import { silentLog } from "../../../platform/database/store-system.ts";
import { ownWebhook } from "../../alerts/rules/events.ts";

export type Settings = Readonly<Record<string, string>>;

export async function assay(settings: Settings, ...argv: string[]) {
  const terminal = testTerminal({ ASSAY_SEED_DOMAINS: "seed.example", ...settings });
  const exitCode = await run(argv, terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

export const slackUrl = "https://hooks.slack.example/services/T0/B0/secret";
/** A webhook for what happens to the server. */
export const serverAlert = {
  ...ownWebhook,
  id: "alr_1",
  label: "On call",
  url: "sealed",
  url_shown: "https://hooks.example/…",
  events: '["server.backup"]',
  secret: "sealed",
} as const;

/** The clock of messages, not of the store. */
const now = Date.UTC(2026, 10, 21);

export async function withInstallation<T>(
  settings: Settings,
  work: (installation: Installation, workspaceId: string) => Promise<T>,
): Promise<T> {
  const reading = readConfig({ ASSAY_SEED_DOMAINS: "seed.example", ...settings });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const system = { now: () => now, random: randomBytes, log: silentLog } as unknown as Parameters<
    typeof openInstallation
  >[1];
  const installation = await openInstallation(reading.config, system, reading.given);
  const { id } = await installation.store.read
    .selectFrom("workspaces")
    .select("id")
    .orderBy("id")
    .executeTakeFirstOrThrow();
  return await work(installation, id).finally(installation.store.close);
}

/** Returns the ID of its first workspace. */
export async function fillInstallation(settings: Settings, tests = 6): Promise<string> {
  expectFine(await assay(settings, "workspace", "list"));
  return await withInstallation(settings, async ({ store, secretKey }, workspaceId) => {
    const subjects = Array.from({ length: tests }, (_, index) => ({
      subject: `Invoice ${index} for Ünïcode`,
      label: index % 2 === 0 ? "even" : null,
      workspaceId,
      composite: 70 + index,
      receivedAt: now + index,
    }));
    await insertAnalysed(store, subjects);
    await store.write(async (db) => {
      const domain = { id: createId("domain", now, randomBytes(16)), workspaceId, domain: "sender.example" };
      await insertDomain(db, domain);
      const id = createId("alert", now, randomBytes(16));
      const person = createId("user", now, randomBytes(16));
      const sealer = createSealer(secretKey.derive(alertSealing), randomBytes);
      await db
        .insertInto("alerts")
        .values({
          ...ownWebhook,
          id,
          workspace_id: workspaceId,
          label: "Ops",
          kind: "slack",
          events: "[]",
          created_at: now,
          ...sealUrl(sealer, id, slackUrl),
        })
        .execute();
      await db
        .insertInto("users")
        .values({ id: person, email: "ann@example.com", name: "Ann", password_hash: "x", created_at: 1 })
        .execute();
      await db
        .insertInto("memberships")
        .values({ workspace_id: workspaceId, user_id: person, role: "owner", created_at: 1 })
        .execute();
    });
    return workspaceId;
  });
}

function expectFine({ exitCode, complaints }: { exitCode: number; complaints: string }): void {
  if (exitCode !== 0) throw new Error(complaints);
}
