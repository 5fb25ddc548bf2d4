// Password resets and invitations as their recipient gets them: through a real Postfix into a mailbox of a real
// Dovecot, signed. Assay then judges the received messages.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { ImapFlow } from "imapflow";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { findFreePort } from "../../scripts/ports.ts";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import { startDnsServer, type TestDnsServer } from "../dns-server.ts";
import { type Dovecot, hasDovecot, startDovecot } from "../dovecot.ts";
import { deliverText } from "../fixtures/messages/deliver.ts";
import { lists, ownHost, zone as senderZone } from "../fixtures/messages/sender.ts";
import { cookieOf, goodPassword } from "../http/people.ts";
import { hasPostfix, loginInUrl, makeCertificate, type Postfix, startPostfix } from "../postfix.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();
const patience = { timeout: 60_000, interval: 100 };
/** Where the test connects from as such. Postfix has another address. */
const proxy = "127.0.0.7";
const mailbox = { user: "ann", password: "s3cret", address: "ann@team.example" };
const site = "https://assay.a.example";
const domain = "seed.a.example";
const newPassword = "another lamp under tundra";

/** The company of the fixtures runs Assay at a subdomain, and lets its mail server send for it. */
const ownZone: Zone = {
  ...senderZone,
  "assay.a.example": { A: ["198.51.100.20"] },
  [domain]: {
    A: ["198.51.100.20"],
    MX: [{ preference: 10, exchange: "mx1.a.example" }],
    TXT: ["v=spf1 include:_spf.a.example -all"],
  },
  "team.example": { MX: [{ preference: 10, exchange: "mx.team.example" }] },
};

if (!hasPostfix || !hasDovecot) console.warn("Skipped: Postfix, Dovecot or the superuser's rights are missing.");

describe.skipIf(!hasPostfix || !hasDovecot)("emails about accounts", () => {
  let folder: string;
  let server: AssayProcess;
  let postfix: Postfix;
  let dovecot: Dovecot;
  let dns: TestDnsServer;
  let http: string;
  let workspace: string;
  let token: string;
  /** Of the owner's browser. */
  let cookie: string;
  const trusted = getCACertificates("default");

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
    const certificate = makeCertificate(folder);
    const port = await findFreePort();
    setDefaultCACertificates([...trusted, certificate.cert]);
    const httpPort = await findFreePort();
    http = `http://127.0.0.1:${httpPort}`;
    dns = await startDnsServer({ zone: ownZone, behave: () => ({ ttlSeconds: 0 }) });
    dovecot = await startDovecot({ users: { [mailbox.user]: mailbox.password } });
    const dataDir = join(folder, "data");
    const environment = {
      ASSAY_SEND_SMTP_URL: `smtp://${loginInUrl}@localhost:${port}`,
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
    const mailboxes = { homes: dovecot.homes, users: { [mailbox.address]: mailbox.user } };
    const transports = `/^${mailbox.address}$/ virtual:`;
    postfix = await startPostfix({ next: server.smtp, port, transports, mailboxes }, certificate);
    const run = async (...args: string[]) => JSON.parse((await runProgram({ dataDir, command }, args)).stdout);
    const [{ id }] = await run("workspace", "list", "--json");
    workspace = id;
    ({ token } = await run("token", "create", "--workspace", id, "--name", "e2e", "--json"));
    const { link } = await run("setup-link", "--json");
    const owner = { name: "Olga", email: "olga@team.example", password: goodPassword };
    const setUp = await ask("POST", "/api/auth/setup", { token: link.split("#")[1], ...owner });
    ({ cookie } = cookieOf(setUp.headers));
    const { items } = await (await asToken("POST", "/api/signing-keys", { domain })).json();
    const zone: Record<string, Zone[string]> = { ...ownZone };
    for (const { record } of items) zone[record.name] = { TXT: [record.value] };
    dns.setZone(zone);
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

  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(http + path, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const asToken = (method: string, path: string, body?: object) =>
    ask(method, path, body, { authorization: `Bearer ${token}`, "x-workspace-id": workspace });
  const asOwner = (method: string, path: string, body?: object) =>
    ask(method, path, body, { cookie, origin: http, "x-workspace-id": workspace });

  /** What Dovecot hands out, oldest first. */
  async function readMailbox(): Promise<string[]> {
    const client = new ImapFlow({
      host: dovecot.host,
      port: dovecot.ports.implicit,
      secure: true,
      logger: false,
      auth: { user: mailbox.user, pass: mailbox.password },
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
  async function expectHealthy(mail: string): Promise<void> {
    const [, mailFrom = ""] = /^Return-Path: <(.*)>/m.exec(mail) ?? [];
    const text = mail.slice(mail.search(/^DKIM-Signature:/m));
    const list = async () => (await (await asToken("GET", "/api/tests?limit=100")).json()).items;
    const before = new Set((await list()).map(({ id }: { id: string }) => id));
    const door = { port: server.smtp.port, seed: server.seedAddress, from: proxy };
    expect(await deliverText(text, { ...ownHost, mailFrom }, door)).toMatch(/^250 /);
    const arrived = async () => (await list()).find(({ id }: { id: string }) => !before.has(id));
    await expect.poll(arrived, patience).toMatchObject({ status: "analyzed" });
    const judged = await (await asToken("GET", `/api/tests/${(await arrived()).id}`)).json();
    const toFix = judged.findings.filter(({ severity }: { severity: string }) => !/^(?:info|good)$/.test(severity));
    expect(toFix).toEqual([]);
    expect(judged).toMatchObject({ kind: "transactional", dkim: "pass", dmarc: "pass" });
    expect(judged.composite).toBeGreaterThanOrEqual(95);
  }

  test("emails about accounts let a user join and choose another password, with nothing to fix in any message", async () => {
    const invited = await asOwner("POST", "/api/members", { email: mailbox.address, role: "member", sendEmail: true });
    expect((await invited.json()).mail).toMatchObject({ state: "sent", problem: null });
    const invitation = await untilMail(1);
    const accepted = await ask("POST", "/api/auth/invite/accept", {
      token: secretIn(invitation, "invite"),
      name: "Ann",
      password: goodPassword,
    });
    expect(accepted.status).toBe(201);
    await expectHealthy(invitation);

    expect((await ask("POST", "/api/auth/reset/request", { email: mailbox.address })).status).toBe(204);
    const reset = await untilMail(2);
    const secret = secretIn(reset, "reset");
    const choose = () => ask("POST", "/api/auth/reset", { token: secret, password: newPassword });
    expect((await choose()).status).toBe(200);
    expect((await choose()).status).toBe(400);
    await expectHealthy(reset);

    const notice = await untilMail(3);
    expect(notice).toMatch(/^Subject: Your Assay password was changed\r?$/m);
    await expectHealthy(notice);
    const logIn = (password: string) => ask("POST", "/api/auth/login", { email: mailbox.address, password });
    expect((await logIn(goodPassword)).status).toBe(401);
    expect((await logIn(newPassword)).status).toBe(200);
  });

  test("emails about accounts that can't be sent while the relay is down are shown to the inviter, in the log, and by the server check", async () => {
    await postfix.stop();
    const invited = await asOwner("POST", "/api/members", {
      email: "ben@team.example",
      role: "member",
      sendEmail: true,
    });
    const { mail, link } = await invited.json();
    expect(mail).toMatchObject({ state: "failed", problem: expect.stringContaining("relay") });
    expect(link).toContain(`${site}/invite#`);
    expect((await ask("POST", "/api/auth/reset/request", { email: mailbox.address })).status).toBe(204);
    await expect
      .poll(() => server.log.filter(({ what }) => what === "password reset"), patience)
      .toMatchObject([{ to: mailbox.address, problem: expect.stringContaining("relay") }]);
    const row = async () =>
      (await (await asOwner("GET", "/api/doctor")).json()).items.find(
        ({ id }: { id: string }) => id === "account-mail",
      );
    expect(await row()).toMatchObject({ state: "red" });
  });
});

function secretIn(mail: string, what: "invite" | "reset"): string {
  const text = mail.replace(/=\r?\n/g, "").replaceAll("=3D", "=");
  return new RegExp(`/${what}#([\\w-]{43})`).exec(text)?.[1] ?? "";
}
