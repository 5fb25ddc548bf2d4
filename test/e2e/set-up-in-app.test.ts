// A fresh server that only the app sets up, without a restart: a public seed domain, a mail server, and the web address. Mail
// comes in at the domain's MX, and alerts and invitations leave through a real Postfix into a Maildir.

import { Resolver } from "node:dns/promises";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { findFreePort } from "../../scripts/ports.ts";
import { sendMail } from "../../scripts/smtp-client.ts";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import { startDnsServer, type TestDnsServer } from "../dns-server.ts";
import { type Dovecot, hasDovecot, startDovecot } from "../dovecot.ts";
import { cookieOf, goodPassword } from "../http/people.ts";
import { hasPostfix, loginInUrl, makeCertificate, type Postfix, startPostfix } from "../postfix.ts";
import { testProgram } from "../program.ts";

const patience = { timeout: 60_000, interval: 100 };
const command = await testProgram();
const domain = "seed.acme.net";
const owner = { name: "Olga", email: "olga@team.example", password: goodPassword };
const colleague = "ben@team.example";
/** Where the zone says that the domain's mail server is. */
const publicAddress = "127.0.0.25";

if (!hasPostfix || !hasDovecot) console.warn("Skipped: Postfix, Dovecot or the superuser's rights are missing.");

describe.skipIf(!hasPostfix || !hasDovecot)("a server that only the app sets up", () => {
  let folder: string;
  let server: AssayProcess;
  let program: { dataDir: string; command: readonly string[]; environment: Record<string, string> };
  let postfix: Postfix;
  let dovecot: Dovecot;
  let dns: TestDnsServer;
  let relayPort: number;
  let cookie: string;
  let workspace: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
    const certificate = makeCertificate(folder);
    relayPort = await findFreePort();
    dns = await startDnsServer({ zone: {}, behave: () => ({ ttlSeconds: 0 }) });
    dovecot = await startDovecot({ users: { olga: "s3cret", ben: "s3cret" } });
    program = {
      dataDir: join(folder, "data"),
      command,
      environment: {
        // As on a new machine. The relay of this test is on it.
        ASSAY_SMTP_LISTEN: "",
        ASSAY_DNS_SERVERS: "",
        ASSAY_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
        NODE_EXTRA_CA_CERTS: certificate.file,
        ASSAY_HTTP_PORT: String(await findFreePort()),
      },
    };
    server = await startAssay(program);
    const mailboxes = { homes: dovecot.homes, users: { [owner.email]: "olga", [colleague]: "ben" } };
    const transports = "/@team.example$/ virtual:";
    postfix = await startPostfix({ next: server.smtp, port: relayPort, transports, mailboxes }, certificate);
    const { stdout } = await runProgram(program, ["setup-link", "--json"]);
    const setUp = await ask("POST", "/api/auth/setup", { token: JSON.parse(stdout).link.split("#")[1], ...owner });
    ({ cookie } = cookieOf(setUp.headers));
    workspace = (await read("GET", "/api/me")).workspaces[0].id;
  });

  afterAll(async () => {
    await postfix?.stop();
    await server?.end("SIGTERM");
    await dovecot?.stop();
    await dns?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (method: string, path: string, body?: object) =>
    fetch(server.http + path, {
      method,
      headers: {
        "content-type": "application/json",
        origin: server.http,
        ...(workspace && { cookie, "x-workspace-id": workspace }),
        ...(cookie && { cookie }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const read = async (method: string, path: string, body?: object) => (await ask(method, path, body)).json();
  const change = (name: string, value: string | null) => read("PATCH", `/api/server-settings/${name}`, { value });
  const look = () => read("GET", `/api/doctor/mx?domain=${domain}`);

  async function readListens(): Promise<string> {
    const { items } = await read("GET", "/api/server-settings");
    return items.find(({ name }: { name: string }) => name === "ASSAY_SMTP_LISTEN").value;
  }

  /** Oldest first. */
  function listMail(user: string): string[] {
    const place = join(dovecot.homes, user, "Maildir", "new");
    const names = (() => {
      try {
        return readdirSync(place).toSorted();
      } catch {
        return [];
      }
    })();
    return names.map((name) =>
      readFileSync(join(place, name), "latin1")
        .replace(/=\r?\n/g, "")
        .replaceAll("=3D", "="),
    );
  }

  async function untilMail(user: string, subject: RegExp): Promise<string> {
    const find = () => listMail(user).find((mail) => subject.test(mail));
    await expect.poll(find, patience).toBeDefined();
    return find() ?? "";
  }

  test("a public seed domain, alerts by email, and invitations work after changes in the app alone", async () => {
    const pid = server.child.pid;
    await change("ASSAY_DNS_SERVERS", `${dns.address}:${dns.port}`);

    // The seed domain: first its records, then Assay.
    const wanted = (await look()) as { records: { type: string; name: string; value: string | null }[] };
    expect(wanted.records[0]).toMatchObject({ type: "MX", name: domain });
    const [mx, address] = wanted.records;
    const zone: Zone = {
      [domain]: { MX: [{ preference: 10, exchange: String(mx?.value).replace(/^10 |\.$/g, "") }] },
      [address?.name ?? ""]: { A: [publicAddress] },
    };
    dns.setZone(zone);
    expect((await look()).rows.find(({ id }: { id: string }) => id === "mx").state).not.toBe("red");
    const refused = await sendMail(server.smtp, toMail(`someone@${domain}`, "Too early"));
    expect(refused).toMatch(/^550 /);
    for (const { name, value, inApp } of (await look()).settings)
      if (inApp && name === "ASSAY_SEED_DOMAINS")
        expect(await change(name, value)).toMatchObject({ value: `${domain},seed.localhost`, source: "saved" });
    const mxPort = await findFreePort();
    const listens = await readListens();
    const taken = `127.0.0.1:${relayPort}`;
    const none = await change("ASSAY_SMTP_LISTEN", `${listens},${taken}`);
    expect(none.message).toContain(`${taken}: it is in use`);
    const some = await change("ASSAY_SMTP_LISTEN", `${taken},${publicAddress}:${mxPort}`);
    expect(some.message).toMatch(/it is in use.* The other addresses were added, and none was removed\.$/);
    expect(await readListens()).toBe(`${listens},${publicAddress}:${mxPort}`);

    // Email.
    expect((await read("POST", "/api/server-email/test", {})).error).toBe("email_not_configured");
    expect((await change("ASSAY_BASE_URL", "https://typo.example")).error).toBe("invalid_url");
    expect(await change("ASSAY_BASE_URL", server.http)).toMatchObject({ source: "saved" });
    expect((await change("ASSAY_SEND_SMTP_URL", "smtp://user:password@10.0.0.1:587")).message).toContain("not public");
    await change("ASSAY_SEND_SMTP_URL", `smtp://${loginInUrl.replace(/:.*/, ":wrong")}@localhost:${relayPort}`);
    expect(await read("POST", "/api/server-email/test", {})).toMatchObject({
      delivered: false,
      problem: expect.stringContaining("rejected the login: 535"),
    });
    const saved = await change("ASSAY_SEND_SMTP_URL", `smtp://${loginInUrl}@localhost:${relayPort}`);
    expect(saved).toMatchObject({ value: `smtp://ann@localhost:${relayPort}`, source: "saved" });
    // What was read can be sent back.
    expect(await change("ASSAY_SEND_SMTP_URL", saved.value)).toEqual(saved);
    expect(await read("POST", "/api/server-email/test", {})).toMatchObject({
      delivered: true,
      to: owner.email,
      from: `alerts@${domain}`,
      reply: expect.stringMatching(/^250 .*queued as/),
    });
    await untilMail("olga", /^Subject: Test message from Assay\r?$/m);

    // A message to the domain's MX is reported, and raises an alert.
    const seed = await read("POST", "/api/seed-inboxes", {});
    expect(seed.domain).toBe(domain);
    const alert = { label: "Low", kind: "email", url: `mailto:${owner.email}`, events: ["test.low_score"] };
    await read("POST", "/api/alerts", { ...alert, thresholdScore: 100 });
    const confirmation = await untilMail("olga", /\/confirm\b|\/alerts\/confirm/);
    const [, link = ""] = new RegExp(`${server.http}(/\\S*confirm\\S*?)[">\\s]`).exec(confirmation) ?? [];
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect((await fetch(server.http + link, { method: "POST", body: "", headers: form })).status).toBe(200);
    const resolver = new Resolver();
    resolver.setServers([`${dns.address}:${dns.port}`]);
    const [exchanger] = await resolver.resolveMx(domain);
    const [host = ""] = await resolver.resolve4(exchanger?.exchange ?? "");
    expect(await sendMail({ host, port: mxPort }, toMail(seed.address, "From the internet"))).toMatch(/^250 /);
    const arrived = async () => (await read("GET", "/api/tests")).items[0];
    await expect.poll(arrived, patience).toMatchObject({ status: "analyzed", subject: "From the internet" });
    expect(await untilMail("olga", /^Subject: A test scored \d+ of 100/m)).toContain("From the internet");
    // Never a relay.
    expect(await sendMail({ host, port: mxPort }, toMail(colleague, "Relay"))).toMatch(/^550 /);

    // An invitation.
    const invited = await read("POST", "/api/members", { email: colleague, role: "member", sendEmail: true });
    expect(invited.mail).toMatchObject({ state: "sent", problem: null });
    expect(await untilMail("ben", /\/invite#/)).toContain(`${server.http}/invite#`);
    expect([server.child.pid, server.child.exitCode]).toEqual([pid, null]);

    const shown = await runProgram(program, ["config"]);
    expect(shown.stdout).toMatch(/ASSAY_SEED_DOMAINS +seed\.acme\.net,seed\.localhost +changed in the app/);
    for (const text of [shown.stdout, JSON.stringify(await read("GET", "/api/audit?limit=100"))])
      expect(text).not.toContain("s3cret");

    // The next start has all of it.
    await server.end("SIGTERM");
    server = await startAssay(program);
    expect(await sendMail({ host, port: mxPort }, toMail(seed.address, "Again"))).toMatch(/^250 /);
    expect((await read("POST", "/api/server-email/test", {})).delivered).toBe(true);
  });
});

function toMail(to: string, subject: string) {
  const from = "ann@sender.example";
  return { from, to: [to], body: `From: Ann <${from}>\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\nHello.\r\n` };
}
