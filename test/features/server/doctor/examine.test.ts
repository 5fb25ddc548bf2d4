import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createZoneDns, type Zone } from "../../../../src/analyzer/dns/zone.ts";
import { runDoctor } from "../../../../src/features/server/doctor/examine.ts";
import type { Probes } from "../../../../src/features/server/doctor/row.ts";
import type { Config } from "../../../../src/platform/settings/config.ts";
import { readConfig } from "../../../../src/platform/settings/config-reading.ts";
import { createFetchOperator } from "../../../../src/platform/system/fetch-doors.ts";
import { createLog } from "../../../../src/platform/system/log.ts";
import { createSecretKey } from "../../../../src/platform/system/secret-key.ts";
import { createSelfSigned } from "../../../../src/platform/system/self-signed.ts";
import type { System } from "../../../../src/platform/system/system.ts";
import { features } from "../../../../src/server.ts";
import { placeMigratedFile } from "../../../platform/database/migrated-file.ts";
import { startRelay } from "../../sending/work/relay-server.ts";

const now = Date.UTC(2026, 10, 21, 6);
const home = mkdtempSync(join(tmpdir(), "assay-doctor-"));
afterAll(() => rmSync(home, { recursive: true }));

type World = {
  readonly settings?: Readonly<Record<string, string>>;
  readonly zone?: Zone;
  readonly probes?: Partial<Probes>;
  readonly now?: () => number;
};

function configFrom(settings: Readonly<Record<string, string>> = {}): Config {
  const reading = readConfig({ ASSAY_DATA_DIR: mkdtempSync(join(home, "d-")), ...settings });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.config;
}

async function examine({ settings, zone = {}, probes = {}, now: clock = () => now }: World = {}) {
  const fetch = createFetchOperator();
  const log = createLog({ level: "error", format: "text", write: () => {}, now: clock });
  const dns = createZoneDns(zone);
  const system: System = {
    now: clock,
    random: () => new Uint8Array(),
    dns,
    fetchStranger: fetch,
    fetchOperator: fetch,
    log,
  };
  const rows = await runDoctor(
    {
      config: configFrom(settings),
      system,
      probes: {
        hostName: "mx.seed.example.com",
        ownAddresses: ["10.0.0.2"],
        dnsServers: [{ address: "192.0.2.53", dns }],
        knock: async () => ({ state: "closed" }),
        tryBind: async () => null,
        monotonicMs: () => 0,
        isClockSynchronised: async () => null,
        ...probes,
      },
    },
    features,
  );
  return (id: string) => {
    const row = rows.find((each) => each.id === id);
    return row ? `${row.state}: ${row.says}${row.fix ? ` → ${row.fix}` : ""}` : "no row";
  };
}

describe("the server check of the relay", () => {
  it("the server check of the relay is skipped without a relay, and reports an unreachable one without its password", async () => {
    expect((await examine())("relay")).toMatch(/^grey: Not used\. .*ASSAY_SEND_SMTP_URL/);
    const settings = { ASSAY_SEND_SMTP_URL: "smtp://ann:secret@127.0.0.1:9" };
    const says = (await examine({ settings }))("relay");
    expect(says).toMatch(/^red: The relay could not be reached: .*ECONNREFUSED.* → Fix ASSAY_SEND_SMTP_URL/);
    expect(says).not.toContain("secret");
  });

  it("the server check of the relay passes for a relay that answers", async () => {
    const { port } = await startRelay();
    const settings = { ASSAY_SEND_SMTP_URL: `smtp://127.0.0.1:${port}` };
    expect((await examine({ settings }))("relay")).toMatch(/^green: The relay responds/);
  });
});

describe("the server check of files", () => {
  it("the server check of files passes for a new data directory whose key is not created yet", async () => {
    const says = await examine();
    expect(says("data-directory")).toMatch(/^green: .* is writable/);
    expect(says("disk")).toMatch(/^green: [\d.]+ [MG]B free\. New mail is deferred below 512 MB\./);
    expect(says("secret-key")).toMatch(/^grey: .* does not exist\. Assay creates it/);
  });

  it("the server check of files distinguishes a directory that can be created from one that cannot", async () => {
    const ask = async (path: string) => (await examine({ settings: { ASSAY_DATA_DIR: path } }))("data-directory");
    expect(await ask(join(home, "a/b"))).toMatch(/^grey: .* does not exist yet\. Assay creates it at first start/);
    writeFileSync(join(home, "file"), "");
    expect(await ask(join(home, "file/data"))).toMatch(/^red: .*is below a file/);
  });

  it("the server check of files finds a disk that is nearly full", async () => {
    expect((await examine({ settings: { ASSAY_MIN_FREE_BYTES: "999999999999999" } }))("disk")).toMatch(
      /^red: .* → Free up space/,
    );
  });

  it("the server check of files finds a key that other users can read", async () => {
    const directory = mkdtempSync(join(home, "key-"));
    writeFileSync(join(directory, "secret.key"), "k".repeat(43));
    chmodSync(join(directory, "secret.key"), 0o644);
    expect((await examine({ settings: { ASSAY_DATA_DIR: directory } }))("secret-key")).toMatch(/^red: .*Run chmod 600/);
  });

  it("the server check of files finds a key that is lost or does not match the database", async () => {
    const directory = await directoryWithKeyOf("k".repeat(43));
    const ask = async (more = {}) =>
      (await examine({ settings: { ASSAY_DATA_DIR: directory, ...more } }))("secret-key");
    const file = join(directory, "secret.key");
    expect(await ask()).toMatch(/^red: .*secret\.key is missing.* assay secret-key forget.* will not start/);
    writeFileSync(file, "o".repeat(43), { mode: 0o600 });
    expect(await ask()).toMatch(/^red: The file secret\.key .* is not the secret key .* forget/);
    expect(await ask({ ASSAY_SECRET_KEY: "x".repeat(40) })).toMatch(/^red: ASSAY_SECRET_KEY is not the/);
    writeFileSync(`${file}.next`, "k".repeat(43), { mode: 0o600 });
    expect(await ask()).toMatch(/^green: /);
    rmSync(`${file}.next`);
    writeFileSync(file, "k".repeat(43));
    expect(await ask()).toMatch(/^green: /);
  });

  it("the server check of files needs no key file if the key is in the settings, and never shows the key", async () => {
    expect((await examine({ settings: { ASSAY_SECRET_KEY: "x".repeat(40) } }))("secret-key")).toBe(
      "green: Set in ASSAY_SECRET_KEY.",
    );
  });
});

async function directoryWithKeyOf(text: string): Promise<string> {
  const directory = mkdtempSync(join(home, "lost-"));
  const database = new Database(await placeMigratedFile(join(directory, "assay.db")));
  const { fingerprint } = createSecretKey(text);
  database.prepare("insert into meta (key, value) values ('secret_key_fingerprint', ?)").run(fingerprint);
  database.close();
  return directory;
}

describe("the server check of ports", () => {
  const taken = { tryBind: async () => "EADDRINUSE" };
  const answering = (firstLine: string): Partial<Probes> => ({
    ...taken,
    knock: async () => ({ state: "answered", firstLine }),
  });

  it("the server check of ports finds our SMTP listener", async () => {
    expect((await examine({ probes: answering("220 mx.example ESMTP Assay") }))("smtp-port")).toMatch(
      /^green: .* responds at 127\.0\.0\.1:2525/,
    );
    expect((await examine({ probes: answering("HTTP/1.1 200 OK") }))("http-port")).toMatch(/^green/);
  });

  it.each(["220 mx.example ESMTP Postfix", "SSH-2.0-OpenSSH_9.2", "HTTP/1.1 404 Not Found"])(
    "the server check of ports finds another program that says %s",
    async (line) => {
      const says = await examine({ probes: answering(line) });
      expect(says("smtp-port")).toBe(
        `red: Another program uses 127.0.0.1:2525. It responded: ${line} → Stop it, or set ASSAY_SMTP_LISTEN to another port.`,
      );
      expect(says("http-port")).toMatch(/^red: Another program/);
    },
  );

  it("the server check of ports treats a silent port as another program's, and shows no control characters", async () => {
    expect((await examine({ probes: { ...taken, knock: async () => ({ state: "silent" }) } }))("smtp-port")).toMatch(
      /^red: .*It did not respond\./,
    );
    expect((await examine({ probes: answering("220 \x1b[2J") }))("smtp-port")).toContain("\\u001b[2J");
  });

  it.each([
    [null, /^grey: Assay is not running\. 127\.0\.0\.1:2525 is free/],
    ["EACCES", /^red: .*CAP_NET_BIND_SERVICE/],
    ["EADDRNOTAVAIL", /^red: This machine does not have the address/],
    ["EADDRINUSE", /^red: .*EADDRINUSE/],
  ])("the server check of ports predicts the result of listening (%s)", async (code, expected) => {
    expect((await examine({ probes: { tryBind: async () => code } }))("smtp-port")).toMatch(expected);
  });

  it("the server check of ports connects to loopback if the listener is on all addresses", async () => {
    const knocked: string[] = [];
    const probes: Partial<Probes> = {
      ...taken,
      knock: async ({ host }) => {
        knocked.push(host);
        return { state: "closed" };
      },
    };
    await examine({ settings: { ASSAY_SMTP_LISTEN: "0.0.0.0:25,[::]:25", ASSAY_HTTP_HOST: "::" }, probes });
    expect([...new Set(knocked)].toSorted()).toEqual(["127.0.0.1", "::1"]);
  });
});

describe("the server check of DNS", () => {
  it("the server check of DNS counts silence or a refusal as no answer, and finds a resolver without public names", async () => {
    const server = (zone: Zone) => ({ probes: { dnsServers: [{ address: "192.0.2.53", dns: createZoneDns(zone) }] } });
    const isPublic: Zone = { "example.com": { A: ["192.0.2.1"] } };
    expect((await examine(server(isPublic)))("dns")).toMatch(/^green: 192\.0\.2\.53 responded in \d+ ms/);
    expect((await examine(server({})))("dns")).toMatch(/^red: .*does not resolve public names/);
    expect((await examine(server({ "example.com": "fail" })))("dns")).toMatch(
      /^red: .*timeout.* → Set the DNS resolvers/,
    );
    expect((await examine(server({ "example.com": "refused" })))("dns")).toMatch(/^red: .*refused/);
    expect((await examine({ probes: { dnsServers: [] } }))("dns")).toMatch(/^red: No DNS server configured/);
  });

  it("the server check of DNS accepts a resolver without public names for a private network if another one has them", async () => {
    const settings = { ASSAY_DNS_TRUSTED: "corp.example" };
    const hidden = { address: "192.0.2.53", dns: createZoneDns({}) };
    const open = { address: "192.0.2.54", dns: createZoneDns({ "example.com": { A: ["192.0.2.1"] } }) };
    const down = { address: "192.0.2.55", dns: createZoneDns({ "example.com": "fail" }) };
    const ask = async (dnsServers: Probes["dnsServers"]) =>
      (await examine({ settings, probes: { dnsServers } }))("dns");
    expect(await ask([hidden])).toMatch(/^green: .*ASSAY_DNS_TRUSTED/);
    expect(await ask([hidden, down])).toMatch(/^green: 192\.0\.2\.53 .*ASSAY_DNS_TRUSTED/);
    expect(await ask([down, hidden])).toMatch(/^red: 192\.0\.2\.55 did not respond .*timeout/);
    for (const others of [[open], [down, open]])
      expect(await ask([hidden, ...others])).toMatch(
        /^red: 192\.0\.2\.53 responds, but does not resolve public names.* → Set the DNS resolvers .* to a resolver that does\.$/,
      );
  });

  it.each([
    [{ "2.0.0.127.bl.example": { A: ["127.0.0.2"] } }, "green: Works."],
    [{ "test.bl.example": { A: ["127.0.1.2"] } }, "green: Works."],
    [{ "2.0.0.127.bl.example": { A: ["127.255.255.254"] } }, "red: The list refuses queries from your DNS resolver."],
    [{ "2.0.0.127.bl.example": { A: ["127.0.0.1"] } }, "red: The list refuses queries from your DNS resolver."],
    [{ "2.0.0.127.bl.example": { A: ["203.0.113.80"] } }, "red: Your resolver or network changes the list's responses"],
    [{}, "red: The list does not contain its own test entry"],
    [{ "*.bl.example": { A: ["127.0.0.2"] } }, "red: The list also contains the test entries"],
    [{ "2.0.0.127.bl.example": "fail", "test.bl.example": "fail" }, "grey: No response (timeout)."],
  ] as [Zone, string][])(
    "the server check of DNS queries a blocklist for its test entry: %j",
    async (zone, expected) => {
      expect((await examine({ settings: { ASSAY_DNSBLS: "bl.example" }, zone }))("blocklists")).toContain(expected);
    },
  );

  it("the server check of DNS queries no blocklist that is not configured", async () => {
    expect((await examine())("blocklists")).toMatch(/^grey: ASSAY_DNSBLS names no lists/);
  });

  const settings = { ASSAY_SEED_DOMAINS: "seed.acme.net", ASSAY_SMTP_HOSTNAME: "mx.acme.net" };
  const mx = { "seed.acme.net": { MX: [{ preference: 10, exchange: "mx.acme.net" }] } };
  const publicMachine = { ownAddresses: ["10.0.0.2", "8.8.4.4"] };

  it("the server check of DNS skips a domain that is only for local tests", async () => {
    expect((await examine())("mx")).toMatch(/^grey: Only for tests on this machine/);
  });

  it("the server check of DNS finds an MX that points to this server", async () => {
    const says = await examine({ settings, zone: { ...mx, "mx.acme.net": { A: ["8.8.4.4"] } }, probes: publicMachine });
    expect(says("mx")).toBe("green: Points to this machine: mx.acme.net.");
  });

  it("the server check of DNS shows the exact records to publish if the MX does not point here", async () => {
    const publish = '→ Add these records: "seed.acme.net. MX 10 mx.acme.net." and "mx.acme.net. A 8.8.4.4"';
    for (const zone of [{}, mx, { ...mx, "mx.acme.net": { A: ["9.9.9.9"] } }] as Zone[]) {
      const row = (await examine({ settings, zone, probes: publicMachine }))("mx");
      expect(row).toMatch(/^red/);
      expect(row).toContain(publish);
    }
  });

  it("the server check of DNS suggests a placeholder if the machine's own name cannot be published", async () => {
    const unnamed = { settings: { ASSAY_SEED_DOMAINS: "seed.acme.net" }, probes: { ...publicMachine, hostName: "vm" } };
    const says = await examine(unnamed);
    expect(says("mx")).toContain('"seed.acme.net. MX 10 mx.seed.acme.net." and "mx.seed.acme.net. A 8.8.4.4"');
    expect(says("reverse-name")).toContain("PTR <your mail server's host name>");
  });

  it("the server check of DNS does not report what it cannot see behind NAT or with a failing resolver", async () => {
    expect((await examine({ settings, zone: { ...mx, "mx.acme.net": { A: ["9.9.9.9"] } } }))("mx")).toMatch(
      /^grey: Points to/,
    );
    for (const zone of [{ "seed.acme.net": "servfail" }, { ...mx, "mx.acme.net": "servfail" }] as Zone[])
      expect((await examine({ settings, zone, probes: publicMachine }))("mx")).toMatch(
        /^grey: The DNS lookup .*failed/,
      );
  });

  it("the server check of DNS requires reverse DNS that resolves back for public addresses", async () => {
    const forward = { "mx.acme.net": { A: ["8.8.4.4"] } };
    const reverse = { "4.4.8.8.in-addr.arpa": { PTR: ["mx.acme.net"] } };
    const ask = async (zone: Zone) => (await examine({ settings, zone, probes: publicMachine }))("reverse-name");
    expect(await ask({ ...forward, ...reverse })).toMatch(/^green: 8\.8\.4\.4 has the name mx\.acme\.net/);
    expect(await ask(reverse)).toMatch(/^red: .*does not resolve back/);
    expect(await ask({ ...reverse, "mx.acme.net": "servfail" })).toMatch(/^grey: .*the DNS lookup for mx/);
    expect(await ask(forward)).toBe(
      "red: No reverse DNS (PTR) for 8.8.4.4. → Ask your hosting provider to add: 4.4.8.8.in-addr.arpa. PTR mx.acme.net.",
    );
    expect((await examine())("reverse-name")).toMatch(/^grey/);
  });
});

describe("the server check of certificates and the clock", () => {
  function certificate(madeMs: number): Record<string, string> {
    const path = join(mkdtempSync(join(home, "c-")), "pair.pem");
    const { cert, key } = createSelfSigned(["mx.acme.net"], madeMs);
    writeFileSync(path, cert + key);
    return { ASSAY_SMTP_TLS_CERT: path, ASSAY_SMTP_TLS_KEY: path, ASSAY_SMTP_HOSTNAME: "mx.acme.net" };
  }

  it("the server check of certificates and the clock says when a certificate expires, and whether it has our name", async () => {
    const dayMs = 86_400_000;
    expect((await examine({ settings: certificate(now) }))("smtp-certificate")).toMatch(
      /^green: .*is valid for mx\.acme\.net and expires in 365\d days/,
    );
    expect((await examine({ settings: certificate(now - 3_645 * dayMs) }))("smtp-certificate")).toMatch(
      /^red: .*expires in 7 days\. → Renew/,
    );
    const other = { ...certificate(now), ASSAY_SMTP_HOSTNAME: "other.acme.net" };
    expect((await examine({ settings: other }))("smtp-certificate")).toMatch(
      /^red: .*is not valid for other\.acme\.net/,
    );
    expect((await examine({ settings: { ...other, ASSAY_SMTP_TLS_KEY: "/nowhere" } }))("smtp-certificate")).toMatch(
      /^red: \/nowhere does not exist/,
    );
    expect((await examine())("smtp-certificate")).toMatch(/^grey: Self-signed certificate/);
  });

  it("the server check of certificates and the clock recognizes a clock that is synchronized, jumps, or is in the past", async () => {
    expect((await examine())("clock")).toMatch(/^grey: The clock is steady/);
    expect((await examine({ probes: { isClockSynchronised: async () => true } }))("clock")).toBe(
      "green: Synchronized.",
    );
    expect((await examine({ now: () => 0 }))("clock")).toMatch(/^red: The clock shows 1970/);
    let wall = now;
    expect((await examine({ now: () => (wall += 60_000) }))("clock")).toMatch(/^red: The clock jumped by/);
  });
});

describe("the server check", () => {
  it("the server check reports everything else if one check fails", async () => {
    const says = await examine({ probes: { tryBind: () => Promise.reject(new Error("oops")) } });
    expect(says("broken")).toMatch(/^grey: The check failed/);
    expect(says("dns")).toMatch(/^red: .*public names/);
  });
});

describe("the server check of seed mailboxes", () => {
  async function examineWith(metrics: string, settings: Readonly<Record<string, string>> = {}, id = "mailboxes") {
    const server = createServer((request, response) => {
      const isOurs =
        request.url === "/metrics" && request.headers.authorization === `Bearer ${token.ASSAY_METRICS_TOKEN}`;
      response.writeHead(isOurs ? 200 : 403).end(metrics);
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const row = await examine({
      settings: { ASSAY_HTTP_PORT: String(port), ...settings },
      probes: { knock: async () => ({ state: "answered", firstLine: "HTTP/1.1 200 OK" }) },
    });
    return row(id);
  }
  const token = { ASSAY_METRICS_TOKEN: "s3cret-s3cret-s3cret-s3cret-s3cret" };
  const figures = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([status, count]) => `assay_mailboxes{status="${status}"} ${count}\n`)
      .join("");

  it.each([
    [{ connecting: 0, connected: 0 }, /^grey: None connected/],
    [{ connecting: 1, connected: 2 }, /^green: 2 of 3 connected/],
    [{ connected: 2, trouble: 1 }, /^red: 1 of 3 cannot be read/],
    [{ connected: 1, trouble: 1, reconnect: 2 }, /^red: 2 of 4 must be reconnected.* → Enter the new password/],
  ])("the server check of seed mailboxes shows their status: %j", async (counts, says) => {
    expect(await examineWith(figures(counts), token)).toMatch(says);
  });

  it("the server check of seed mailboxes says if another database uses the same message storage, and what to do", async () => {
    const paused = 'assay_object_deletion_paused{place="s3"} 1\n';
    expect(await examineWith(paused, token, "raw-messages")).toMatch(
      /^red: Deleted messages stay in the S3 store, because .* → .*delete sweep-token/,
    );
    expect(await examineWith(paused.replace("1\n", "0\n"), token, "raw-messages")).toMatch(/^green: /);
  });

  it("the server check of seed mailboxes separates mailboxes that receive tests from those that only show placement", async () => {
    const inboxes = (counts: Readonly<Record<string, number>>) =>
      figures(counts).replaceAll("assay_mailboxes", "assay_inbox_mailboxes");
    const metrics = figures({ connected: 3, trouble: 1 }) + inboxes({ connected: 1, trouble: 1 });
    expect(await examineWith(metrics, token)).toBe("green: 2 of 2 connected.");
    expect(await examineWith(metrics, token, "inbox-mailboxes")).toMatch(
      /^red: 1 of 2 cannot be read\. .*new mail does not become tests/,
    );
    expect(await examineWith(figures({ connected: 3 }), token, "inbox-mailboxes")).toMatch(/^grey: Not used/);
    const connecting = figures({ connecting: 1 }) + inboxes({ connecting: 1 });
    expect(await examineWith(connecting, token, "inbox-mailboxes")).toBe("grey: 0 of 1 connected.");
  });

  it("the server check of seed mailboxes says why mail is deferred, and what to do", async () => {
    const trouble = (now: Readonly<Record<string, number>>) =>
      Object.entries(now)
        .map(([reason, value]) => `assay_mail_trouble{reason="${reason}"} ${value}\n`)
        .join("");
    expect(await examineWith(trouble({ disk_full: 0, backlog_full: 0 }), token, "receiving")).toBe(
      "green: New mail is accepted.",
    );
    expect(await examineWith(trouble({ disk_full: 1, backlog_full: 0 }), token, "receiving")).toMatch(
      /^red: The disk is full, so new mail is deferred.* → Free up space on the disk, or delete tests\./,
    );
    expect(await examineWith(trouble({ backlog_full: 1 }), token, "receiving")).toMatch(
      /^red: As many messages as ASSAY_MAX_BACKLOG allows/,
    );
    expect((await examine())("receiving")).toMatch(/^grey: Unknown, because/);
  });

  it("the server check of seed mailboxes is unknown if the server is not running or does not answer", async () => {
    expect((await examine())("mailboxes")).toMatch(/^grey: Unknown, because/);
    expect(await examineWith(figures({ connected: 1 }))).toMatch(/^grey: Unknown, because/);
  });
});
