import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { bytesOf, keyOf } from "../../analyzer/domain-cases/verdict-world.ts";
import { toReportMail, zip } from "../../analyzer/mail/reports/report-mail.ts";
import { dmarcSamples, tlsSample } from "../../analyzer/mail/reports/samples.ts";
import { toKeyRecord } from "../../analyzer/mail/signing/sign.ts";
import { startHttpWorld } from "../../http/http-world.ts";
import { insertDomain } from "../../platform/database/nouns.ts";

async function openPlace() {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  await world.store.write((db) => insertDomain(db, { id: "dom_shop", workspaceId: workspace, domain: "shop.example" }));
  const receive = async (raw: Uint8Array) => {
    await world.receive(workspace, null, raw);
    await world.analyzeAll();
    world.clock.nowMs += 1_000;
  };
  const get = (path: string) => world.ask("GET", path, { token, workspace });
  return { ...world, receive, get };
}

const reports = dmarcSamples.filter(({ receiver }) => !receiver.includes("UTF"));
const tlsMail = toReportMail(gzipSync(JSON.stringify(tlsSample)), {
  type: "application/tlsrpt+gzip",
  head: "TLS-Report-Domain: shop.example\r\nSubject: Report Domain: shop.example Submitter: company-x.example Report-ID: <1>",
});

test("GET /api/domains/:id/sources lists who sends as the domain, from DMARC reports", async () => {
  const { receive, get } = await openPlace();
  for (const { content } of reports) await receive(toReportMail(gzipSync(content)));
  await receive(tlsMail);
  const { status, json } = await get("/api/domains/dom_shop/sources?days=7");
  expect(status).toBe(200);
  expect(json).toMatchObject({
    domain: "shop.example",
    from: "2026-11-15",
    to: "2026-11-21",
    reports: 8,
    messages: 165,
    passed: 138,
    others: { addresses: 0, messages: 0 },
    tls: { reports: 1, sessions: 5_639, failed: 303 },
  });
  expect(json.organizations.map(({ name }: { name: string }) => name)).toEqual([
    "Receiver <one>",
    "google.com",
    "Yahoo",
    "AMAZON-SES",
    "old.example",
    "Enterprise Outlook",
    "Mail.Ru \u0445",
    "Fastmail & friends",
  ]);
  expect(json.days.map(({ messages }: { messages: number }) => messages)).toEqual([0, 0, 0, 0, 165, 0, 0]);
  const of = (ip: string) => json.sources.find(({ sourceIp }: { sourceIp: string }) => sourceIp === ip);
  expect(of("192.0.2.44")).toMatchObject({ name: "Amazon SES", sender: "service:Amazon SES" });
  expect(of("203.0.113.5")).toMatchObject({ name: null, passed: 0, reject: 8 });
  expect((await get("/api/domains/dom_shop/sources/words?days=7&address=198.51.100.7")).json).toMatchObject({
    reasons: ["local_policy"],
    headerFroms: ["news.shop.example"],
  });
  expect(json.tls.failures[0]).toEqual({
    resultType: "starttls-not-supported",
    mxHost: "mx2.mail.shop.example",
    sessions: 200,
    organizations: ["Company-X"],
  });
});

test("an address seen in tests is known, unless it failed authentication", async () => {
  const { receive, get, internet } = await openPlace();
  internet.zone = {
    "shop.example": { A: ["192.0.2.1"], TXT: ["v=spf1 ip4:192.0.2.1 -all"] },
    "_dmarc.shop.example": { TXT: ["v=DMARC1; p=reject"] },
    "abc123._domainkey.shop.example": { TXT: [toKeyRecord(keyOf("rsa1024"))] },
  };
  for (const { content } of reports) await receive(toReportMail(gzipSync(content)));
  const known = async () => {
    const { sources } = (await get("/api/domains/dom_shop/sources")).json;
    const some = sources.filter(({ knownFromTests }: { knownFromTests: boolean }) => knownFromTests);
    return some.map(({ sourceIp }: { sourceIp: string }) => sourceIp);
  };
  expect(await known()).toEqual([]);
  await receive(
    bytesOf({ from: "ann@shop.example", sign: { domain: "shop.example", selector: "abc123", key: "rsa1024" } }),
  );
  expect(await known()).toEqual(await addressesSeen());

  async function addressesSeen(): Promise<string[]> {
    const { items } = (await get("/api/domains/dom_shop/senders")).json;
    const addresses = items.filter(({ kind }: { kind: string }) => kind === "address");
    return addresses.map(({ value }: { value: string }) => value);
  }
});

test("GET /api/reports/:id has the report's counts, and a duplicate has no rows", async () => {
  const { receive, get } = await openPlace();
  const [google] = reports;
  const mail = toReportMail(zip([{ name: "r.xml", content: google?.content ?? "" }]), {
    type: "application/zip",
    name: "google.com!shop.example!1795046400!1795132799.zip",
  });
  await receive(mail);
  await receive(mail);
  await receive(tlsMail);
  const { items } = (await get("/api/reports")).json;
  expect(items).toMatchObject([{ type: "tls", counted: true }, { counted: false }, { counted: true, total: 12 }]);
  const whole = async (index: number) => (await get(`/api/reports/${items[index].id}`)).json;
  expect(await whole(2)).toEqual({
    ...items[2],
    policy: google?.told.policy,
    sources: google?.told.sources,
    tlsPolicies: [],
  });
  expect(await whole(1)).toMatchObject({ total: 12, sources: [], policy: { p: "quarantine" } });
  expect((await whole(0)).tlsPolicies).toMatchObject([
    { type: "sts", failed: 303, failures: [{ sessions: 200 }, { sessions: 100 }, { sessions: 3 }] },
    { type: "tlsa", domain: "news.shop.example" },
  ]);
});

test("hostile reports are stored and counted within limits", async () => {
  const { receive, get } = await openPlace();
  const begin = `<feedback><report_metadata><org_name>\0\u202e<script>alert(1)</script></org_name></report_metadata><policy_published><domain>shop.example</domain></policy_published>`;
  const lie = `<record><row><source_ip>' or 1=1; --</source_ip><count>999999999</count></row><identifiers><header_from>%</header_from></identifiers></record>`;
  for (const xml of [
    `${begin}${lie}</feedback>`,
    `${begin}${"<record><row>".repeat(500_000)}`,
    `${begin}${"<record><row><count>1</count></row></record>".repeat(100_000)}</feedback>`,
    `<!DOCTYPE f [<!ENTITY a "${"a".repeat(1_000)}"><!ENTITY b "${"&a;".repeat(1_000)}">]>${begin.replace("shop", "&b;shop")}`,
  ])
    await receive(toReportMail(gzipSync(xml)));
  await receive(toReportMail(gzipSync(Buffer.alloc(40_000_000, "<record>"))));
  await receive(toReportMail(gzipSync("[".repeat(1_000_000)), { type: "application/tlsrpt+gzip" }));
  const told = (await get("/api/domains/dom_shop/sources")).json;
  expect(told).toMatchObject({
    messages: 1_000_099_999,
    passed: 0,
    sources: [],
    others: { addresses: 0, messages: 1_000_099_999 },
  });
  expect((await get("/api/reports")).json.total).toBe(6);
});

test("the number of days is 1 to 366, and another workspace's domain is not found", async () => {
  const { get } = await openPlace();
  for (const days of [1, 366]) {
    const { json } = await get(`/api/domains/dom_shop/sources?days=${days}`);
    expect([json.days.length, json.tls.days.length, json.reports]).toEqual([days, days, 0]);
  }
  for (const days of ["0", "367", "x", ""])
    expect(await get(`/api/domains/dom_shop/sources?days=${days}`)).toMatchObject({
      status: 400,
      json: { error: "invalid_request", field: "days" },
    });
  expect((await get("/api/domains/dom_other/sources")).status).toBe(404);
  expect((await get("/api/reports/rpt_other")).status).toBe(404);
});
