import { expect, test } from "vitest";
import {
  type MailReport,
  noRows,
  type ReportedSource,
  type TlsPolicy,
} from "../../../../src/analyzer/mail/reports/mail-class.ts";
import { builtIn } from "../../../../src/analyzer/senders/name-sender.ts";
import { listMailReports } from "../../../../src/features/feedback/rows/mail-reports.ts";
import { createSenderFacts } from "../../../../src/features/feedback/work/sender-facts.ts";
import { readDomainSources } from "../../../../src/features/feedback/work/sources.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { listOldTests, removeOldTests } from "../../../../src/features/tests/rows/removal.ts";
import { claimTests } from "../../../../src/features/tests/rows/tests.ts";
import { recordNonTest } from "../../../../src/features/tests/work/record-non-test.ts";
import { inWorkspace, storeOf } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";

const dayMs = 86_400_000;
const today = Date.UTC(2026, 10, 21);
const system = testSystem();

const read: MailReport = {
  type: "dmarc",
  organization: "Receiver",
  reportId: "1",
  domain: "shop.example",
  beginsAt: today - dayMs,
  endsAt: today - 1_000,
  total: 10,
  failed: 1,
  problem: null,
  ...noRows,
};

function source(changes: Partial<ReportedSource> = {}): ReportedSource {
  return {
    sourceIp: "192.0.2.1",
    messages: 10,
    disposition: "none",
    dkimAligned: true,
    spfAligned: true,
    headerFrom: "shop.example",
    dkim: [],
    spf: [],
    reasons: [],
    ...changes,
  };
}

function dmarc(changes: Partial<MailReport>, ...sources: ReportedSource[]): MailReport {
  return { ...read, sources, ...changes };
}

async function openWith(open: Open) {
  const store = await open();
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  let count = 0;
  const keep = async (report: MailReport, workspaceId = "wsp_a") => {
    const id = `tst_${++count}`;
    await createIntake(store).insert([message(id, { workspaceId, receivedAt: today + count })]);
    await keepIn(store, id, report);
    return id;
  };
  const ask = (domain: string, days = 30, workspaceId = "wsp_a") =>
    readDomainSources(
      storeOf(store, workspaceId),
      { id: "dom_a", domain },
      { now: today + 1_000, days },
      {
        senderTable: builtIn,
        findSenderFacts: createSenderFacts(store, { reverseDns: "on" }, () => ({ network: null, country: null })),
      },
    );
  return { store, keep, ask };
}

async function keepIn(store: Store, id: string, report: MailReport): Promise<void> {
  const envelope = { subject: null, from: null, messageId: null, authenticated: false, sendId: null };
  const found = { ...envelope, recognised: { kind: "report", report } } as const;
  await store.write(async (db) => {
    const lease = { now: today + dayMs, owner: "one", leaseMs: 1_000, limit: 1, only: [id] };
    const [claimed] = await claimTests(db, lease);
    if (!claimed) throw new Error("Nothing was due.");
    await recordNonTest(db, claimed, found, { features: [], system });
  });
}

eachDialect("a domain's DMARC reports", (open) => {
  test("a domain's DMARC reports are counted by IP, organization, and day", async () => {
    const { keep, ask } = await openWith(open);
    const spring = { domain: "shop.example", selector: "spring", result: "pass" };
    const service = { domain: "u7.wl.sendgrid.net", scope: "mfrom", result: "pass" };
    await keep(
      dmarc(
        {},
        source({ dkim: [spring], spf: [service], spfAligned: false }),
        source({ sourceIp: "203.0.113.9", messages: 4, disposition: "reject", dkimAligned: false, spfAligned: false }),
        source({ sourceIp: null, messages: 2, disposition: "quarantine", dkimAligned: false }),
      ),
    );
    await keep(
      dmarc(
        { organization: "Other", reportId: "x", beginsAt: today - 3 * dayMs, endsAt: today - 2 * dayMs - 1 },
        source({ messages: 5, headerFrom: "news.shop.example", reasons: [{ type: "forwarded", comment: null }] }),
      ),
    );
    const told = await ask("shop.example", 5);
    expect(told).toMatchObject({
      domain: "shop.example",
      from: "2026-11-17",
      to: "2026-11-21",
      reports: 2,
      messages: 21,
      passed: 17,
      organizations: [
        { name: "Receiver", reports: 1, messages: 16, passed: 12 },
        { name: "Other", reports: 1, messages: 5, passed: 5 },
      ],
      others: { addresses: 0, messages: 2, passed: 2, dkimAligned: 0, spfAligned: 2, quarantine: 2, none: 0 },
      days: [
        { day: "2026-11-17", messages: 0, passed: 0 },
        { day: "2026-11-18", messages: 5, passed: 5 },
        { day: "2026-11-19", messages: 0, passed: 0 },
        { day: "2026-11-20", messages: 16, passed: 12, none: 10, quarantine: 2, reject: 4 },
        { day: "2026-11-21", messages: 0, passed: 0 },
      ],
    });
    expect(told.sources).toEqual([
      {
        sourceIp: "192.0.2.1",
        sender: "service:SendGrid",
        name: "SendGrid",
        host: null,
        country: null,
        messages: 10,
        passed: 10,
        dkimAligned: 10,
        spfAligned: 0,
        none: 10,
        quarantine: 0,
        reject: 0,
        firstDay: "2026-11-20",
        lastDay: "2026-11-20",
        forwarded: 0,
        knownFromTests: false,
      },
      // What proves nothing isn't the service's.
      expect.objectContaining({ sourceIp: "192.0.2.1", sender: "network:192.0.2.0/24", messages: 5, passed: 5 }),
      expect.objectContaining({ sourceIp: "203.0.113.9", messages: 4, passed: 0, reject: 4, name: null }),
    ]);
  });

  test("a domain's DMARC reports count for parent domains, and for the subdomains in their From", async () => {
    const { keep, ask } = await openWith(open);
    await keep(dmarc({}, source({ headerFrom: "news.shop.example", messages: 3 }), source({ messages: 4 })));
    await keep(dmarc({ reportId: "2", domain: "pay.shop.example" }, source({ headerFrom: "pay.shop.example" })));
    await keep(dmarc({ reportId: "3", domain: "other.example" }, source({ messages: 100 })));
    await keep(dmarc({ reportId: "4", domain: "xshop.example" }, source({ messages: 1_000, headerFrom: null })));
    const messages = async (domain: string) => (await ask(domain)).messages;
    expect(await messages("shop.example")).toBe(17);
    expect(await messages("news.shop.example")).toBe(3);
    expect(await messages("pay.shop.example")).toBe(10);
    expect(await messages("s_op.example")).toBe(0);
    expect((await ask("shop.example", 30, "wsp_b")).messages).toBe(0);
  });

  test("a domain's DMARC reports that arrive twice are counted once per workspace and listed twice", async () => {
    const { store, keep, ask } = await openWith(open);
    for (const workspace of ["wsp_a", "wsp_a", "wsp_b"]) await keep(dmarc({}, source()), workspace);
    expect((await ask("shop.example")).messages).toBe(10);
    expect((await ask("shop.example", 30, "wsp_b")).messages).toBe(10);
    await keep(dmarc({ beginsAt: today - 3 * dayMs, endsAt: today - 2 * dayMs }, source()));
    expect(await ask("shop.example")).toMatchObject({ messages: 20, reports: 2 });
    const listed = await listMailReports(inWorkspace(store.read, "wsp_a"), { limit: 9 });
    expect(listed.map(({ counted_as }) => counted_as !== null)).toEqual([true, false, true]);
  });

  test("a domain's DMARC reports are deleted with their message, and their rows count in its size", async () => {
    const { store, keep, ask } = await openWith(open);
    const many = Array.from({ length: 501 }, (_, index) => source({ sourceIp: `10.0.${index >> 8}.${index & 255}` }));
    const id = await keep(dmarc({}, ...many));
    expect(await ask("shop.example")).toMatchObject({
      messages: 5_010,
      sources: expect.objectContaining({ length: 200 }),
      others: { addresses: 301, messages: 3_010 },
    });
    const [old] = await listOldTests(store.read, { after: "", before: null, limit: 9 });
    expect(old?.bytes).toBeGreaterThan(250_000);
    await store.write((db) => removeOldTests(db, [id]));
    expect(await ask("shop.example")).toMatchObject({ reports: 0, messages: 0, sources: [] });
    expect(await store.read.selectFrom("report_sources").selectAll().execute()).toEqual([]);
  });

  test("a domain's DMARC reports count on the middle day of their period, or on the day of arrival without one", async () => {
    const { keep, ask } = await openWith(open);
    const moscow = { beginsAt: today - dayMs - 3 * 3_600_000, endsAt: today - 3 * 3_600_000 - 1 };
    await keep(dmarc(moscow, source({ messages: 1 })));
    await keep(dmarc({ reportId: "2", beginsAt: null, endsAt: null }, source({ messages: 2 })));
    await keep(dmarc({ reportId: "3", beginsAt: 9e15, endsAt: -1 }, source({ messages: 4 })));
    await keep(dmarc({ reportId: "4", beginsAt: 0, endsAt: 1 }, source({ messages: 8 })));
    await keep(dmarc({ reportId: "5", beginsAt: today + 9 * dayMs, endsAt: null }, source({ messages: 16 })));
    expect((await ask("shop.example", 3)).days).toMatchObject([
      { day: "2026-11-19", messages: 0 },
      { day: "2026-11-20", messages: 1 },
      { day: "2026-11-21", messages: 6 },
    ]);
  });

  test("a domain's DMARC reports of TLS sessions are counted by day and by failure", async () => {
    const { keep, ask } = await openWith(open);
    const unsaid = { sendingIp: null, receivingIp: null, reasonCode: null };
    const expired = { ...unsaid, resultType: "certificate-expired", mxHost: "mx.shop.example" };
    const policy = (changes: Partial<TlsPolicy>): TlsPolicy => ({
      type: "sts",
      domain: "shop.example",
      successful: 90,
      failed: 10,
      failures: [],
      ...changes,
    });
    const tls = { ...read, type: "tls" } as const;
    await keep({ ...tls, tlsPolicies: [policy({ failures: [{ ...expired, sessions: 10 }] })] });
    const others = [
      policy({
        failures: [
          { ...expired, sessions: 5 },
          { ...expired, resultType: null, sessions: 6 },
        ],
      }),
      policy({ domain: "elsewhere.example" }),
      policy({ domain: "news.shop.example", successful: 1, failed: 0 }),
    ];
    await keep({ ...tls, organization: "Other", domain: "elsewhere.example", tlsPolicies: others });
    const { tls: told, reports } = await ask("shop.example", 2);
    expect(reports).toBe(0);
    expect(told).toEqual({
      reports: 2,
      sessions: 201,
      failed: 20,
      failures: [
        {
          resultType: "certificate-expired",
          mxHost: "mx.shop.example",
          sessions: 15,
          organizations: ["Receiver", "Other"],
        },
        { resultType: null, mxHost: "mx.shop.example", sessions: 6, organizations: ["Other"] },
      ],
      days: [
        { day: "2026-11-20", sessions: 201, failed: 20 },
        { day: "2026-11-21", sessions: 0, failed: 0 },
      ],
    });
  });

  test("a domain's DMARC reports are stored without characters that no database accepts", async () => {
    const { keep, ask } = await openWith(open);
    const wild = `\0\ud800'"\u202e${"x".repeat(5_000)}`;
    const signature = { domain: wild, selector: wild, result: wild };
    const hostile = source({
      headerFrom: wild,
      dkim: [signature],
      reasons: [{ type: wild, comment: wild }],
      messages: 100_000_000_000,
    });
    await keep(dmarc({ organization: wild, reportId: wild }, hostile));
    await keep({
      ...read,
      type: "tls",
      domain: wild,
      tlsPolicies: [{ type: wild, domain: wild, successful: 1, failed: 1, failures: [] }],
    });
    const { messages, ...told } = await ask("shop.example");
    expect(messages).toBe(100_000_000_000);
    expect(JSON.stringify(told)).not.toContain("\\u0000");
  });
});
