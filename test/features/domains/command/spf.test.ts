import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../../../src/commands.ts";
import { startDnsServer } from "../../../dns-server.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-spf-"));
  const zone = [
    'example.com TXT "v=spf1 a:old.example.com include:_spf.provider.example exp=why.example.com -all"',
    '_spf.provider.example TXT "v=spf1 include:a.provider.example include:gone.example ~all"',
    'a.provider.example TXT "v=spf1 ip4:192.0.2.0/24 -all"',
    'mail.example.com TXT "v=spf1 -all"',
    'why.example.com TXT "%{i} is no server of ours"',
    'steer.example TXT "v=spf1 a:\\027[31m"',
    'open.example TXT "v=spf1 +all"',
    'near.example TXT " v=spf1 -all"',
  ];
  writeFileSync(join(folder, "zone.txt"), `${zone.join("\n")}\n`);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function spf(...args: string[]) {
  const terminal = testTerminal({});
  const exitCode = await run(["spf", "--dns", join(folder, "zone.txt"), ...args], terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

test("the result comes with the deciding term and the tree of the record", async () => {
  const { output, exitCode } = await spf(
    "--ip",
    "192.0.2.10",
    "--mail-from",
    "ann@example.com",
    "--helo",
    "mail.example.com",
  );
  expect(exitCode).toBe(0);
  expect(output.split("\n")).toEqual([
    "SPF pass: 192.0.2.10 may send for example.com.",
    "",
    "Checked      example.com (MAIL FROM)",
    "Decided by   ip4:192.0.2.0/24, in the record for a.provider.example",
    "DNS lookups  3 of 10 (whole record: 4), 1 of 2 void",
    "HELO         fail for mail.example.com: by -all",
    "",
    "example.com  4 lookups",
    "│ v=spf1 a:old.example.com include:_spf.provider.example exp=why.example.com -all",
    "└─ include:_spf.provider.example  3 lookups",
    "   │ v=spf1 include:a.provider.example include:gone.example ~all",
    "   ├─ include:a.provider.example  1 lookup  ← decides",
    "   │    v=spf1 ip4:192.0.2.0/24 -all",
    "   └─ include:gone.example  1 lookup",
    "        (gone.example does not exist)",
    "",
    "a:old.example.com in the record for example.com finds no records at old.example.com.",
    "",
  ]);
});

test("a permerror names the term that causes it", async () => {
  const { output, exitCode } = await spf("--ip", "198.51.100.1", "--mail-from", "<ann@example.com>");
  expect(output).toContain(
    'SPF permerror: "include:gone.example" in the record for _spf.provider.example does not point to an SPF record: gone.example does not exist.',
  );
  expect(exitCode).toBe(0);
});

test("JSON output contains the result and the record as published", async () => {
  const { output } = await spf("--ip", "2001:DB8::1", "--helo", "mail.example.com", "--json");
  expect(JSON.parse(output)).toMatchObject({
    result: "fail",
    identity: "helo",
    domain: "mail.example.com",
    matchedTerm: "-all",
    explanation: null,
    lookups: 0,
    helo: null,
    spfRecord: { lookups: 0, tree: { record: "v=spf1 -all" } },
  });
});

test("dangerous and misspelled records are reported", async () => {
  const anyone = await spf("--ip", "192.0.2.1", "--mail-from", "ann@open.example");
  expect(anyone.output).toContain("Any address passes because of +all.");
  const near = await spf("--ip", "192.0.2.1", "--mail-from", "ann@near.example");
  expect(near.output).toContain("SPF none: near.example publishes no SPF record.");
  expect(near.output).toContain("Not a valid SPF record at near.example:  v=spf1 -all");
});

test("a hostile record cannot control the terminal", async () => {
  const { output } = await spf("--ip", "192.0.2.1", "--mail-from", "ann@steer.example");
  expect(output).toContain("SPF permerror");
  expect(output).not.toContain("\u001b");
});

test("a DNS timeout gives exit status 3", async () => {
  const server = await startDnsServer({ zone: { "example.com": "servfail" } });
  const terminal = testTerminal({ ASSAY_DNS_SERVERS: `${server.address}:${server.port}` });
  const exitCode = await run(["spf", "--ip", "192.0.2.1", "--mail-from", "ann@example.com"], terminal);
  await server.close();
  expect(terminal.output()).toContain(
    "SPF temperror: The DNS lookup of the TXT records for example.com failed (servfail).",
  );
  expect(exitCode).toBe(3);
});

test.each([
  [["--mail-from", "ann@example.com"], "Missing option: --ip <address>, the sending IP address."],
  [["--ip", "192.0.2", "--helo", "a.example"], "--ip must be an IPv4 or IPv6 address."],
  [["--ip", "192.0.2.1"], "Missing option: --mail-from, --helo, or both."],
  [["--ip", "192.0.2.1", "--mail-from", "<>"], "Missing option: --mail-from, --helo, or both."],
])("assay spf %j is a usage error with exit status 2 and one line", async (args, sentence) => {
  const { exitCode, output, complaints } = await spf(...args);
  expect({ exitCode, output, complaints }).toEqual({ exitCode: 2, output: "", complaints: `${sentence}\n` });
});
