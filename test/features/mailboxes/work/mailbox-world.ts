// Seed mailboxes that show what they are told to, beside messages that are received and analysed.

import { createHash } from "node:crypto";
import { createZoneDns } from "../../../../src/analyzer/dns/zone.ts";
import { claimedSession } from "../../../../src/analyzer/mail/session/session.ts";
import type { Provider } from "../../../../src/analyzer/placement/provider.ts";
import type { Sighting } from "../../../../src/analyzer/reports/sighting.ts";
import { createSenderMemory } from "../../../../src/features/domains/work/seen-senders.ts";
import type { IntegrationStatus } from "../../../../src/features/events/contract.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { receiveMessage } from "../../../../src/features/intake/work/receive-message.ts";
import { createSightingRecorder } from "../../../../src/features/mailboxes/work/record-sightings.ts";
import { insertWorkspace } from "../../../../src/features/people/rows/workspaces.ts";
import { createAnalysisContext } from "../../../../src/features/tests/analysis/context.ts";
import { claimTests, readTest } from "../../../../src/features/tests/rows/tests.ts";
import { analyzeQueued } from "../../../../src/features/tests/work/analyze-claimed.ts";
import { withSettings } from "../../../../src/features/tests/work/path.ts";
import { createReanalyzer } from "../../../../src/features/tests/work/reanalyze.ts";
import type { Db } from "../../../../src/platform/database/schema.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { features } from "../../../../src/server.ts";
import { testSystem } from "../../../test-system.ts";
import { alertMailKeys } from "../../alerts/rules/events.ts";
import { createInProcessThread } from "../../tests/analysis/in-process-thread.ts";

type Mailbox = {
  readonly workspaceId?: string;
  readonly seedProvider?: Provider | null;
  readonly account?: string;
  readonly connectedAt?: number;
  readonly status?: IntegrationStatus;
  readonly statusSince?: number;
};

const server = { host: "imap.mailbox.example", port: 993, tls: "implicit" };

const startedAt = Date.parse("2026-11-21T06:00:00.000Z");

/** An integration of a mailbox; answers its id. */
export async function connectMailbox(store: Pick<Store, "write">, mailbox: Mailbox = {}): Promise<string> {
  const { workspaceId = "wsp_a", seedProvider = null, account = "ann@mailbox.example" } = mailbox;
  const { connectedAt = 1_000, status = "connected", statusSince = connectedAt } = mailbox;
  const id = createId(
    "integration",
    connectedAt,
    createHash("sha256")
      .update(workspaceId + account)
      .digest(),
  );
  const row = {
    provider: "google" as const,
    id,
    account,
    seed_provider: seedProvider,
    connected_at: connectedAt,
    connected_by: null,
    scopes: "[]",
    server: JSON.stringify(server),
    secret: "sealed",
    expires_at: null,
    alert_id: null,
    status,
    problem: null,
    status_since: statusSince,
    due_at: null,
    claimed_by: null,
    claimed_until: null,
    attempts: 0,
  } as const;
  await store.write((db) => inWorkspace(db, workspaceId).insertInto("integrations", row).execute());
  return id;
}

export function aSighting(changes: Partial<Sighting> = {}): Sighting {
  return {
    folder: "inbox",
    folderName: "INBOX",
    arrivedAt: startedAt + 2_000,
    assayIds: [],
    bodyTokens: [],
    messageId: null,
    from: null,
    subject: null,
    evidence: { authenticationResults: [], headers: [] },
    ...changes,
  };
}

export type Mail = {
  readonly workspaceId?: string;
  readonly messageId?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly assayId?: string;
  readonly body?: string;
};

export function toRaw({ messageId, subject = "News", from = "Ann <ann@sender.example>", assayId, body = "Hi." }: Mail) {
  const lines = [
    `From: ${from}`,
    `Subject: ${subject}`,
    ...(messageId ? [`Message-ID: <${messageId}>`] : []),
    ...(assayId ? [`X-Assay-Id: ${assayId}`] : []),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}\r\n`);
}

export async function createMailboxWorld(store: Store) {
  const clock = { nowMs: startedAt };
  const system = { ...testSystem(), now: () => clock.nowMs };
  for (const id of ["wsp_a", "wsp_b"])
    await store.write((db) => insertWorkspace(db, { id, name: id, plan: "free", created_at: 0 }));
  const receiving = { dnsClient: {}, dnsbls: [], rspamdUrl: null, spamdAddress: null, budgetMs: 1_000 };
  const analyst = createAnalysisContext(
    { ...receiving, receiver: "mx.seed.example" },
    system.now,
    createZoneDns({}, system.now),
  );
  const told: { readonly workspaceId: string; readonly type: string }[] = [];
  const publish = (workspaceId: string, event: { readonly type: string }) => void told.push({ workspaceId, ...event });
  const terms = {
    features,
    store,
    system,
    owner: "test",
    leaseMs: 10_000,
    alertMailKeys,
    sendKey: Buffer.alloc(32),
    publish,
    thread: createInProcessThread(analyst),
    senders: createSenderMemory(system.now),
    onAnalyzed() {},
  };
  const recorder = createSightingRecorder({ store, system, publish, recheckAfterMs: 10 });

  async function receive({ workspaceId = "wsp_a", ...mail }: Mail): Promise<string> {
    const address = "anyone@seed.example";
    const recipient = { workspaceId, seedInboxId: null, label: null, address };
    const claims = { clientAddress: "192.0.2.1", helo: "mail.sender.example", mailFrom: "ann@sender.example" };
    const session = {
      ...claimedSession({ ...claims, rcptTo: [address] }),
      ...({ door: { kind: "smtp" }, clientPort: 25_000, protocol: "ESMTP", dataStartedAt: 0, dataEndedAt: 1 } as const),
    };
    await receiveMessage({ raw: toRaw(mail), session, recipients: [recipient] }, createIntake(store), system);
    const newest = await store.read
      .selectFrom("tests")
      .select("id")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    return newest.id;
  }

  async function analyzeAll(): Promise<void> {
    const lease = { now: clock.nowMs, owner: "test", leaseMs: 10_000, limit: 100 };
    const claim = async (db: Db) => withSettings(terms.features, db, await claimTests(db, lease));
    for (const test of await store.write(claim)) await analyzeQueued(test, terms);
  }

  return {
    clock,
    system,
    store,
    told,
    recorder,
    receive,
    analyzeAll,
    reanalyze: createReanalyzer(terms).reanalyze,
    /** A message that is received and analysed. */
    test: async (mail: Mail): Promise<string> => {
      const id = await receive(mail);
      await analyzeAll();
      return id;
    },
    see: (mailbox: string, ...sightings: readonly Partial<Sighting>[]) =>
      recorder.keepSightings(mailbox, sightings.map(aSighting), []),
    observed: () => store.read.selectFrom("observations").selectAll().orderBy("id").execute(),
    row: async (id: string, workspaceId = "wsp_a") => {
      const row = await readTest(inWorkspace(store.read, workspaceId), id);
      if (!row) throw new Error("Test not found.");
      return row;
    },
  };
}
