import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as packets from "dns-packet";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Zone } from "../../../../src/analyzer/dns/zone.ts";
import { run } from "../../../../src/commands.ts";
import { healthy, keyRecord, otherKeyRecord, without } from "../../../analyzer/domain-cases/domain-world.ts";
import { type Behaviour, type ServedQuery, startDnsServer, type TestDnsServer } from "../../../dns-server.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";

let folder: string;
const zoneText = `
$TTL 3600
a.example      MX 10 mx1.a.example
a.example      NS ns1.a.example
a.example      NS ns2.host.test
a.example      TXT "v=spf1 mx -all"
mx1.a.example  A 203.0.113.25
mx1.a.example  AAAA 2001:db8:25::1
ns1.a.example  A 203.0.113.53
ns2.host.test  A 198.51.100.53
_dmarc.a.example TXT "v=DMARC1; p=reject; rua=mailto:dmarc@a.example"
s1._domainkey.a.example TXT "${keyRecord}"
s2._domainkey.a.example TXT "${otherKeyRecord}"
parked.example MX 0 .
steer.example  TXT "v=spf1 a:\\027[31m"
steer.example  MX 10 mx1.a.example
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-domain-"));
  writeFileSync(join(folder, "zone.txt"), zoneText);
});
afterAll(() => rmSync(folder, { recursive: true }));

const open: TestDnsServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function inZone(...args: string[]) {
  const terminal = testTerminal({});
  const exitCode = await run(["domain", "--dns", join(folder, "zone.txt"), ...args], terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

async function overDns(zone: Zone, behave: (query: ServedQuery) => Behaviour, ...args: string[]) {
  const server = await startDnsServer({ zone, behave });
  open.push(server);
  const terminal = testTerminal({
    ASSAY_DNS_SERVERS: `${server.address}:${server.port}`,
    ASSAY_DNS_TIMEOUT_MS: "20000",
  });
  const exitCode = await run(["domain", "a.example", ...args], terminal);
  return { exitCode, output: terminal.output(), queries: server.queries };
}

test("a well-configured domain is shown with its verdicts and records", async () => {
  const { output, exitCode, complaints } = await inZone("a.example", "--selector", "s1", "--selector", "s2");
  expect({ exitCode, complaints }).toEqual({ exitCode: 0, complaints: "" });
  expect(output).toContain("100 of 100, grade A");
  expect(output).toMatch(/^SPF +pass +v=spf1 mx -all$/m);
  expect(output).toMatch(/^DKIM +pass +s1, s2$/m);
  expect(output).toMatch(/^DMARC +pass +v=DMARC1; p=reject; rua=mailto:dmarc@a.example$/m);
  expect(output).toMatch(/^BIMI +missing/m);
});

test("an issue is shown with its fix, and can set exit status 1", async () => {
  const { output, exitCode } = await inZone("parked.example", "--fail-under", "100");
  expect(output).toContain(
    "parked.example sends no mail, but its SPF and DMARC records do not stop spoofers from using it.",
  );
  expect(output).toContain("parked.example TXT v=spf1 -all");
  expect(exitCode).toBe(1);
  expect((await inZone("parked.example")).exitCode).toBe(0);
});

test("--add without a server is refused, and checks nothing", async () => {
  const terminal = testTerminal({});
  expect(await run(["domain", "a.example", "--add"], terminal)).toBe(2);
  expect(terminal.complaints()).toContain("--add needs the server that is to monitor the domain.");
  expect(await inZone("a.example", "--add")).toMatchObject({ exitCode: 2, output: "" });
});

test("a pasted URL is accepted as a domain", async () => {
  const { output, exitCode } = await inZone("https://ann@A.Example./contact", "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ domain: "a.example", dkim: "pass" });
});

test("for a website's host name, the sending domain is suggested", async () => {
  const { exitCode, complaints } = await inZone("www.a.example");
  expect({ exitCode, complaints }).toMatchObject({
    exitCode: 2,
    complaints: expect.stringContaining("its mail usually comes from a.example"),
  });
});

test("JSON output is one line in camel case, with the same findings as a test", async () => {
  const { output } = await inZone("parked.example", "--json");
  expect(output.trim().split("\n")).toHaveLength(1);
  const told = JSON.parse(output);
  expect(told).toMatchObject({
    domain: "parked.example",
    spf: "warn",
    dkim: "missing",
    dmarc: "warn",
    bimi: "missing",
    findings: [
      { id: "parked-domain.unprotected", severity: "minor", cost: 8 },
      ...Array(told.findings.length - 1).fill({}),
    ],
    details: {
      spf: { record: null, unknown: null, findings: [] },
      mx: { facts: { nullMx: true } },
      tlsRpt: { findings: [{ id: "tls-rpt.missing" }] },
    },
    analysis: { dns: expect.arrayContaining([expect.objectContaining({ name: "parked.example", type: "MX" })]) },
  });
  expect(told.categoryScores.map(({ id }: { id: string }) => id)).toEqual(["authentication", "infrastructure"]);
});

test("a hostile record cannot control the terminal", async () => {
  const { output } = await inZone("steer.example");
  expect(output).toContain("\\u001b[31m");
  expect(output).not.toContain("\u001b");
});

test("over real DNS packets, verdicts and probed selectors are found", async () => {
  const { exitCode, output } = await overDns(without("_mta-sts.a.example"), () => ({}), "--json");
  expect(JSON.parse(output)).toMatchObject({ spf: "pass", dkim: "pass", dmarc: "pass", score: 100 });
  expect(exitCode).toBe(0);
});

test("expired DNSSEC signatures are reported if the resolver only answers without validation", async () => {
  const expired = ({ name, type, packet }: ServedQuery): Behaviour => {
    const isUnchecked = ((packet.flags ?? 0) & packets.CHECKING_DISABLED) !== 0;
    const isBelow = name.endsWith("a.example") && type !== "DS";
    return isBelow && !isUnchecked ? { rcode: 2 } : { authenticated: !isUnchecked };
  };
  const { exitCode, output } = await overDns(healthy, expired, "--json");
  const told = JSON.parse(output);
  const faults = told.findings.filter(({ cost }: { cost: number }) => cost > 0);
  expect(faults.map(({ id }: { id: string }) => id)).toEqual(["dnssec.bogus"]);
  expect(told).toMatchObject({ spf: "error", dkim: "error", dmarc: "error", bimi: "error" });
  expect(exitCode).toBe(3);
});

test("a DNS failure gives exit status 3 and no score", async () => {
  const { exitCode, output } = await overDns({}, () => ({ rcode: 2 }), "--fail-under", "90");
  expect(output).toContain("No score: only ");
  expect(output).toMatch(/^SPF +unknown +DNS failed$/m);
  expect(exitCode).toBe(3);
});

test.each([
  [["192.0.2.1"], "Not a domain name. It should look like example.com."],
  [["co.uk"], "co.uk cannot be registered as a domain. Enter a domain under it, like example.com under com."],
  [["a.example", "--selector", "s 1"], "--selector must be the s= value of a DKIM signature, like s1."],
  [["a.example", "--fail-under", "101"], "--fail-under must be a number from 0 to 100."],
])("assay domain %j is a usage error with exit status 2 and one line", async (args, sentence) => {
  const { exitCode, output, complaints } = await inZone(...args);
  expect({ exitCode, output, complaints }).toEqual({ exitCode: 2, output: "", complaints: `${sentence}\n` });
});
