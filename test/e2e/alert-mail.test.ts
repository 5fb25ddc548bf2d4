// Alerts by email as their recipient gets them: through a real Postfix into a mailbox of a real Dovecot, signed.
// Assay then judges the received messages.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { ImapFlow } from "imapflow";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { toBounceMail } from "../../scripts/bounce-mail.ts";
import { findFreePort } from "../../scripts/ports.ts";
import { sendMail } from "../../scripts/smtp-client.ts";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import { createAlertDeliverer } from "../../src/features/alerts/work/deliver.ts";
import { raiseAlert } from "../../src/features/alerts/work/raise.ts";
import { createRelayTransport } from "../../src/features/sending/work/transports.ts";
import { inWorkspace } from "../../src/platform/database/scope.ts";
import { createDns } from "../../src/platform/system/dns-client.ts";
import { startDnsServer, type TestDnsServer } from "../dns-server.ts";
import { type Dovecot, hasDovecot, startDovecot } from "../dovecot.ts";
import { aDrift } from "../features/alerts/rules/events.ts";
import { startRelay } from "../features/sending/work/relay-server.ts";
import { deliverText } from "../fixtures/messages/deliver.ts";
import { lists, ownHost, zone as senderZone } from "../fixtures/messages/sender.ts";
import { openHttpWorld } from "../http/http-world.ts";
import { hasPostfix, loginInUrl, makeCertificate, type Postfix, startPostfix } from "../postfix.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();
const patience = { timeout: 60_000, interval: 100 };
/** Where the test connects from as such. Postfix has another address. */
const proxy = "127.0.0.6";
const user = "ann";
const password = "s3cret";
const address = `${user}@team.example`;
const site = "https://assay.a.example";
const domain = "seed.a.example";

/** The company of the fixtures runs Assay at a subdomain, and lets its mail server send for it. */
const ownZone: Zone = {
  ...senderZone,
  "assay.a.example": { A: ["198.51.100.20"] },
  [domain]: {
    A: ["198.51.100.20"],
    MX: [{ preference: 10, exchange: "mx1.a.example" }],
    TXT: ["v=spf1 include:_spf.a.example -all"],
  },
  // It exists, because the DNS of a name for tests isn't judged otherwise.
  "team.example": { MX: [{ preference: 10, exchange: "mx.team.example" }] },
};

if (!hasPostfix || !hasDovecot) console.warn("Skipped: Postfix, Dovecot or the superuser's rights are missing.");

describe.skipIf(!hasPostfix || !hasDovecot)("alerts by email", () => {
  let folder: string;
  let server: AssayProcess;
  let postfix: Postfix;
  let dovecot: Dovecot;
  let dns: TestDnsServer;
  let headers: Record<string, string>;
  /** Behind the address that is in links. */
  let http: string;
  let relay: string;
  /** Of a mail server that knows no one. */
  let farPort: number;
  const zone: Record<string, Zone[string]> = { ...ownZone };

  const trusted = getCACertificates("default");

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
    const certificate = makeCertificate(folder);
    const port = await findFreePort();
    relay = `smtp://${loginInUrl}@localhost:${port}`;
    setDefaultCACertificates([...trusted, certificate.cert]);
    const httpPort = await findFreePort();
    http = `http://127.0.0.1:${httpPort}`;
    dns = await startDnsServer({ zone: ownZone, behave: () => ({ ttlSeconds: 0 }) });
    dovecot = await startDovecot({ users: { [user]: password } });
    const dataDir = join(folder, "data");
    const environment = {
      ASSAY_SEND_SMTP_URL: relay,
      NODE_EXTRA_CA_CERTS: certificate.file,
      ASSAY_BASE_URL: site,
      ASSAY_HTTP_PORT: String(httpPort),
      ASSAY_SEED_DOMAINS: domain,
      ASSAY_SMTP_HOSTNAME: "mx1.a.example",
      ...dns.settings,
      ASSAY_DNSBLS: lists.join(","),
      // The test stands where a load balancer would, and may so come from any address.
      ASSAY_SMTP_PROXY_FROM: proxy,
    };
    server = await startAssay({ dataDir, command, environment });
    farPort = await findFreePort();
    const transports = `/^${address}$/ virtual:\n/@gone\\.example$/ smtp:[127.0.0.1]:${farPort}`;
    const mailboxes = { homes: dovecot.homes, users: { [address]: user } };
    postfix = await startPostfix({ next: server.smtp, port, transports, mailboxes }, certificate);
    const run = async (...args: string[]) => JSON.parse((await runProgram({ dataDir, command }, args)).stdout);
    const [{ id: workspace }] = await run("workspace", "list", "--json");
    const { token } = await run("token", "create", "--workspace", workspace, "--name", "e2e", "--json");
    headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
    await publishKeys();
  });

  afterAll(async () => {
    // Other files of this worker have certificates of the same name.
    setDefaultCACertificates(trusted);
    await postfix?.stop();
    await server?.end("SIGTERM");
    await dovecot?.stop();
    await dns?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function ask(method: string, path: string, body?: object) {
    const answer = await fetch(http + path, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.json();
  }

  async function publishKeys(): Promise<void> {
    publish((await ask("POST", "/api/signing-keys", { domain })).items);
  }

  function publish(items: readonly { readonly record: { readonly name: string; readonly value: string } }[]) {
    for (const { record } of items) zone[record.name] = { TXT: [record.value] };
    dns.setZone(zone);
  }

  const post = (path: string, body: string) => fetch(http + path, form(body));

  /** What Dovecot hands out, oldest first. */
  async function readMailbox(): Promise<string[]> {
    const client = new ImapFlow({
      host: dovecot.host,
      port: dovecot.ports.implicit,
      secure: true,
      logger: false,
      auth: { user, pass: password },
      tls: { ca: dovecot.ca },
    });
    await client.connect();
    try {
      await client.mailboxOpen("INBOX");
      const found = await client.fetchAll("1:*", { source: true }).catch(() => []);
      return found.map(({ source }) => (source ?? Buffer.alloc(0)).toString("latin1"));
    } finally {
      await client.logout();
    }
  }

  async function untilMail(count: number): Promise<string> {
    await expect.poll(async () => (await readMailbox()).length, patience).toBe(count);
    return (await readMailbox()).at(-1) ?? "";
  }

  /** As if the recipient's server were ours: without what Postfix wrote on top. */
  async function judge(mail: string) {
    const [, mailFrom = ""] = /^Return-Path: <(.*)>/m.exec(mail) ?? [];
    const text = mail.slice(mail.search(/^DKIM-Signature:/m));
    const before = new Set(((await ask("GET", "/api/tests?limit=100")).items as { id: string }[]).map(({ id }) => id));
    const seen = { ...ownHost, mailFrom };
    expect(await deliverText(text, seen, { port: server.smtp.port, seed: server.seedAddress, from: proxy })).toMatch(
      /^250 /,
    );
    const arrived = async () =>
      (await ask("GET", "/api/tests?limit=100")).items.find(({ id }: { id: string }) => !before.has(id));
    await expect.poll(arrived, patience).toMatchObject({ status: "analyzed" });
    return await ask("GET", `/api/tests/${(await arrived()).id}`);
  }

  const addAlert = (event: string, to = address) =>
    ask("POST", "/api/alerts", {
      label: event,
      kind: "email",
      url: `mailto:${to}`,
      events: [event],
      thresholdScore: 90,
    });
  const stateOf = async (id: string) => (await ask("GET", `/api/alerts/${id}`)).email;

  test("alerts by email arrive only after the recipient clicked the button on the confirmation page", async () => {
    const alert = await addAlert("test.low_score");
    expect(alert.email).toMatchObject({ state: "pending", problem: null });
    const mail = await untilMail(1);
    expect(mail).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    const path = linkIn(mail, "confirm");
    expect(await (await fetch(http + path)).text()).toContain("Yes, send me alerts");
    expect((await stateOf(alert.id)).state).toBe("pending");
    expect((await post(path, "")).status).toBe(200);
    expect((await stateOf(alert.id)).state).toBe("confirmed");
    expect((await post(path, "")).status).toBe(400);
    expectHealthy(await judge(mail));
  });

  test("alerts by email about a low score and a bounce arrive signed and have nothing to fix", async () => {
    const { id } = await addAlert("email.bounce_complaint");
    expect((await stateOf(id)).state).toBe("confirmed");
    const bad = {
      from: "x@nowhere.example",
      to: [server.seedAddress],
      body: "From: x@nowhere.example\nSubject: Hello <b>you</b>\n\nBuy.",
    };
    expect(await sendMail(server.smtp, bad)).toMatch(/^250/);
    const low = await untilMail(2);
    expect(await sendMail(server.smtp, toBounceMail("1@sender.example", server.seedAddress))).toMatch(/^250/);
    const bounced = await untilMail(3);
    expect(low).toMatch(/^Subject: A test scored \d+ of 100, below 90: Hello <b>you<\/b>\r?$/m);
    expect(low).toContain("Hello &lt;b&gt;you");
    expect(bounced).toMatch(/^Subject: Hard bounce: mailbox does not exist\r?$/m);
    for (const mail of [low, bounced]) expectHealthy(await judge(mail));
    const [delivery] = (await ask("GET", `/api/alerts/${id}/deliveries`)).items;
    expect(delivery).toMatchObject({ status: "delivered", smtpReply: expect.stringMatching(/^250 .*queued as/) });
  });

  test("alerts by email about a DNS change arrive signed and have nothing to fix", async () => {
    const world = await openHttpWorld({
      road: createRelayTransport(relay, "mx1.a.example"),
      machine: { settings: { ASSAY_BASE_URL: site, ASSAY_SEED_DOMAINS: domain } },
      dns: createDns({ servers: [{ host: dns.address, port: dns.port }], timeoutMs: 2_000, now: Date.now }),
    });
    onTestFinished(world.close);
    const { id } = await world.createWorkspace("Ours");
    const asked = { workspace: id, token: (await world.issueToken(id)).token };
    world.clock.nowMs = Date.now();
    publish((await world.ask("POST", "/api/signing-keys", { ...asked, body: { domain } })).json.items);
    const body = { label: "DNS", kind: "email", url: `mailto:${address}`, events: ["domain.drift"] };
    expect((await world.ask("POST", "/api/alerts", { ...asked, body })).status).toBe(201);
    await fetch(world.base + linkIn(await untilMail(4), "confirm"), form(""));
    await world.store.write((db) => raiseAlert(inWorkspace(db, id), aDrift(), world.system));
    const deliverer = createAlertDeliverer({ ...world, baseUrl: () => site });
    deliverer.start();
    onTestFinished(() => deliverer.stop(1_000));
    const mail = await untilMail(5);
    expect(mail).toMatch(/^Subject: shop\.example: DMARC got worse\r?$/m);
    expectHealthy(await judge(mail));
  });

  test("alerts by email stop after one click or a bounce, without an alert about the bounce", async () => {
    const nobody = Object.assign(new Error("5.1.1 No such user"), { responseCode: 550 });
    await startRelay({ onRcptTo: (_address, _session, done) => done(nobody) }, farPort);
    const gone = await addAlert("domain.drift", "nobody@gone.example");
    await expect
      .poll(() => stateOf(gone.id), patience)
      .toMatchObject({ state: "bounced", problem: expect.stringContaining("No such user") });
    const path = linkIn((await readMailbox())[2] ?? "", "unsubscribe");
    expect((await post(path, "List-Unsubscribe=One-Click")).status).toBe(200);
    const { items } = await ask("GET", "/api/alerts");
    const states = items.map(({ email, enabled }: { email: { state: string }; enabled: boolean }) => [
      email.state,
      enabled,
    ]);
    expect(states).toEqual([
      ["unsubscribed", false],
      ["unsubscribed", false],
      ["bounced", false],
    ]);
    expect(await readMailbox()).toHaveLength(5);
  });
});

function form(body: string) {
  return { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body };
}

/** The path of a link in the text part. */
function linkIn(mail: string, what: "confirm" | "unsubscribe"): string {
  const text = mail.replace(/=\r?\n/g, "");
  return new RegExp(`/alert-email/${what}/[\\w-]+`).exec(text)?.[0] ?? "";
}

type Judged = {
  readonly subject: string;
  readonly kind: string;
  readonly composite: number;
  readonly dkim: string;
  readonly dmarc: string;
  readonly findings: readonly { readonly id: string; readonly severity: string }[];
};

function expectHealthy({ subject, kind, composite, dkim, dmarc, findings }: Judged): void {
  expect(findings.filter(({ severity }) => !/^(?:info|good)$/.test(severity))).toEqual([]);
  expect({ subject, kind, dkim, dmarc }).toEqual({ subject, kind: "transactional", dkim: "pass", dmarc: "pass" });
  expect(composite).toBeGreaterThanOrEqual(95);
}
