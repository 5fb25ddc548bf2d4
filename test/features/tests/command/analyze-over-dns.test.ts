// `assay analyze` with a real DNS server: its exit status, and the same results as from a zone file.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { run } from "../../../../src/commands.ts";
import { bytesOf, type Letter, zoneOf } from "../../../analyzer/domain-cases/verdict-world.ts";
import { seal } from "../../../analyzer/mail/signing/seal.ts";
import { type Behaviour, type ServedQuery, startDnsServer, type TestDnsServer } from "../../../dns-server.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";

/** An honest letter: with DNS in order all of it passes. */
const ip = "192.0.2.20";
const letter: Letter = { ip, helo: "mail.a.example", mailFrom: "ann@a.example" };
/** The second is in From where a message is unsigned. */
const zone: ReturnType<typeof zoneOf> = { ...zoneOf(letter), "news.a.example": { A: [ip] } };

const open: TestDnsServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve(behave: (query: ServedQuery) => Behaviour | undefined = () => ({})) {
  const server = await startDnsServer({ zone, behave });
  open.push(server);
  return server;
}

const folder = mkdtempSync(join(tmpdir(), "assay-over-dns-"));
const file = join(folder, "letter.eml");
const sealedFile = join(folder, "sealed.eml");
const unsignedFile = join(folder, "unsigned.eml");
writeFileSync(file, bytesOf(letter));
writeFileSync(unsignedFile, bytesOf({ ...letter, from: "ann@news.a.example", sign: [] }));
afterAll(() => rmSync(folder, { recursive: true }));

type Asked = {
  readonly path?: string;
  readonly zoneFile?: string;
  /** Short where silence is awaited; elsewhere a loaded machine may take its time. */
  readonly timeoutMs?: number;
  readonly mailFrom?: string;
  readonly isStrict?: boolean;
  /** ASSAY_DNS_TRUSTED. */
  readonly trusted?: string;
};

async function analyze(
  server: TestDnsServer,
  { path = file, zoneFile, timeoutMs = 20_000, mailFrom = "ann@a.example", isStrict = false, trusted }: Asked = {},
) {
  const terminal = testTerminal({
    ...(trusted === undefined ? {} : { ASSAY_DNS_TRUSTED: trusted }),
    ...server.settings,
    ASSAY_DNS_TIMEOUT_MS: `${timeoutMs}`,
  });
  const session = ["--ip", "192.0.2.20", "--helo", "mail.a.example", "--mail-from", mailFrom];
  const dns = zoneFile === undefined ? [] : ["--dns", zoneFile];
  const strict = isStrict ? ["--strict"] : [];
  const exitCode = await run(["analyze", path, ...session, ...dns, ...strict, "--json"], terminal);
  return { exitCode, told: JSON.parse(terminal.output()), complaints: terminal.complaints() };
}

test("assay analyze exits with 0 and the results while DNS works", async () => {
  const { exitCode, told } = await analyze(await serve());
  expect(told).toMatchObject({ kind: "personal", spf: "pass", dkim: "pass", dmarc: "pass" });
  expect(exitCode).toBe(0);
});

test.each<[string, Behaviour, string]>([
  ["is silent", { drop: true }, "timeout"],
  ["fails", { rcode: 2 }, "servfail"],
  ["refuses", { rcode: 5 }, "refused"],
  ["babbles", { packets: (answer) => [answer.subarray(0, answer.length - 3)] }, "servfail"],
])(
  "assay analyze exits with 3 only with --strict, and says what is unknown while DNS %s",
  async (_, behaviour, why) => {
    const timeoutMs = why === "timeout" ? 200 : 20_000;
    const server = await serve(() => behaviour);
    const { exitCode, told, complaints } = await analyze(server, { timeoutMs });
    expect(told).toMatchObject({ kind: "personal", spf: "temperror", dkim: "temperror", dmarc: "temperror" });
    expect(told.analysis.dns.length).toBeGreaterThan(0);
    expect(told.surroundings.ptr).toEqual({ known: false, why });
    expect(complaints).toMatch(/^.+: SPF, DKIM, and DMARC not fully checked, because a DNS lookup failed\.\n$/);
    expect(exitCode).toBe(0);
    expect((await analyze(server, { timeoutMs, isStrict: true })).exitCode).toBe(3);
  },
);

test("assay analyze says that ARC was not fully checked if its key lookup fails, even if everything else passes", async () => {
  const text = Buffer.from(bytesOf(letter)).toString("latin1");
  writeFileSync(sealedFile, seal(text, { domain: "list.example", selector: "arc" }), "latin1");
  const server = await serve(({ name }) => (name === "arc._domainkey.list.example" ? { rcode: 2 } : {}));
  expect(await analyze(server)).toMatchObject({ exitCode: 0, told: { authentication: { arc: { result: "none" } } } });
  const sealed = await analyze(server, { path: sealedFile });
  expect(sealed.told.authentication.arc.result).toBe("temperror");
  expect(sealed.complaints).toContain(": ARC not fully checked, because a DNS lookup failed.");
});

test("a record from --dns gives the same result as a real change of the zone", async () => {
  const server = await startDnsServer({ zone });
  open.push(server);
  const changes = {
    "as it is": [],
    "SPF that forbids the address": ["a.example", "v=spf1 -all"],
    "SPF that cannot be read": ["a.example", "v=spf1 ip4:1.2.3"],
    "a policy of none": ["_dmarc.a.example", "v=DMARC1; p=none"],
    "no policy at all": ["_dmarc.a.example", "nothing"],
    "a revoked key": ["rsa1024._domainkey.a.example", "v=DKIM1; p="],
    "a key that wants the exact domain": ["rsa1024._domainkey.a.example", "v=DKIM1; h=sha1; p=AAAA"],
  };
  const seen = new Set<string>();
  const zoneFile = join(folder, "zone.txt");
  for (const [what, [name, text = ""]] of Object.entries(changes)) {
    const changed = name === undefined ? zone : { ...zone, [name]: { TXT: [text] } };
    server.setZone(changed);
    writeFileSync(zoneFile, toZoneFile(changed));
    for (const path of [file, unsignedFile]) {
      const real = await analyze(server, { path });
      const tried = await analyze(server, { path, zoneFile });
      expect(verdictsOf(tried.told), what).toEqual(verdictsOf(real.told));
      expect(tried.exitCode, what).toBe(real.exitCode);
      seen.add(real.told.dmarc);
    }
  }
  expect(seen).toEqual(new Set(["pass", "fail", "none"]));
});

/** All but when and of whom it was asked. */
function verdictsOf({ spf, dkim, dmarc, authentication, surroundings }: Record<string, unknown>) {
  return { spf, dkim, dmarc, authentication, surroundings };
}

function toZoneFile(entries: typeof zone): string {
  const quote = (text: string) => (text.match(/.{1,200}/gs) ?? []).map((part) => `"${part}"`).join(" ");
  return Object.entries(entries)
    .flatMap(([name, entry]) => {
      if (typeof entry === "string") return [];
      const { TXT = [], A = [], PTR = [] } = entry;
      return [
        ...[...TXT].map((text) => `${name} TXT ${quote([text].flat().join(""))}`),
        ...[...A].map((address) => `${name} A ${address}`),
        ...[...PTR].map((target) => `${name} PTR ${target}`),
      ];
    })
    .join("\n");
}

test("a resolver without public names makes DNS results unknown, not missing", async () => {
  const server = await startDnsServer({ zone: {}, isClosed: true });
  open.push(server);
  const path = join(folder, "public.eml");
  writeFileSync(
    path,
    "From: ann@shop.de\r\nTo: bob@mail.de\r\nSubject: Lunch\r\n\r\nAt noon, https://www.shop.de/\r\n",
  );
  const { exitCode, told } = await analyze(server, { path, mailFrom: "ann@shop.de" });
  expect(told.findings.filter(({ severity }: { severity: string }) => severity === "critical")).toEqual([]);
  const ids = told.findings.map(({ id }: { id: string }) => id);
  expect(ids).not.toContain("from-domain.nxdomain");
  expect(ids).not.toContain("dmarc-record.missing");
  expect(told).toMatchObject({ spf: "temperror", dmarc: "temperror" });
  expect(told.skipped).toContainEqual(expect.objectContaining({ check: "from-domain", why: "private-dns" }));
  expect(exitCode).toBe(0);
  expect((await analyze(server, { path, mailFrom: "ann@shop.de", isStrict: true })).exitCode).toBe(3);
  const own = await analyze(server, { path, mailFrom: "ann@shop.de", trusted: "shop.de" });
  expect(own.told).toMatchObject({ spf: "none", dmarc: "none" });
  expect(own.told.findings).toContainEqual(expect.objectContaining({ id: "from-domain.not-found" }));
});
