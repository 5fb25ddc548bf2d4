import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isBimiNearMiss, isBimiRecord } from "../../../src/analyzer/dns/bimi.ts";
import { isNearMiss, isSpfRecord } from "../../../src/analyzer/dns/spf.ts";
import type { ValueOf, Zone, ZoneRecords } from "../../../src/analyzer/dns/zone.ts";
import { parseZone } from "../../../src/analyzer/dns/zone-file.ts";
import type { PublishableRecord } from "../../../src/analyzer/domains/publishable.ts";
import { toRecordsToPublish, toZoneFile } from "../../../src/analyzer/domains/records-to-publish.ts";
import type { DomainReport, VerdictWord } from "../../../src/analyzer/reports/domain-report.ts";
import { check, faultsOf, healthy, mx, without } from "../domain-cases/domain-world.ts";
import { checkFixture, type DomainFixture, domainFixtures } from "../domain-cases/fixtures-table.ts";

const own = {
  verifyRecord: { name: "a.example", value: "assay-verify=abc" },
  seedDomain: "seed.test",
  signingKeys: [],
};
const publish = (report: DomainReport) =>
  toRecordsToPublish(report, { ...own, verifyRecord: { ...own.verifyRecord, name: report.domain } });

/** `name type value` of what is to be published, without what proves ownership. */
async function told(zone: Zone, world?: Parameters<typeof check>[1]): Promise<string[]> {
  const records = publish(await check(zone, world));
  return records
    .filter(({ value }) => !value.startsWith("assay-verify"))
    .map(({ name, type, value, status }) => `${status}: ${name} ${type} ${value}`);
}

const apexWith = (...TXT: string[]): Zone => ({
  ...healthy,
  "a.example": { ...(healthy["a.example"] as ZoneRecords), TXT },
});

/** What a person does with it: what is of the same kind goes, the rest at the name stays. */
function paste(zone: Zone, records: readonly PublishableRecord[]): Zone {
  const pasted: Record<string, ZoneRecords> = { ...(zone as Record<string, ZoneRecords>) };
  for (const { name, type, value } of records) {
    const held = pasted[name] ?? {};
    if (value === "" || typeof held === "string" || typeof held.TXT === "string") continue;
    if (type === "TXT") pasted[name] = { ttlSeconds: 3_600, ...held, TXT: [...keptTexts(held, value), value] };
    // The records of the fixtures stand behind no alias that is not theirs, and their MX stay.
    if (type === "MX" && value === "0 .") pasted[name] = { ...held, MX: [{ preference: 0, exchange: "." }] };
  }
  return pasted;
}

function keptTexts({ TXT = [] }: ZoneRecords, value: string): ValueOf["TXT"][] {
  if (typeof TXT === "string") return [];
  const join = (text: ValueOf["TXT"]) => (typeof text === "string" ? text : text.join(""));
  const isKept = (text: string) =>
    value.startsWith("v=spf1")
      ? !isSpfRecord(text) && !isNearMiss(text) && !/dmarc/i.test(text)
      : value.startsWith("v=BIMI1")
        ? !isBimiRecord(text) && !isBimiNearMiss(text)
        : value.startsWith("assay-verify");
  return TXT.filter((text) => isKept(join(text)));
}

/** What no record that is pasted can mend. */
const beyondRecords =
  /^(?:domain-blocklist|mx-hosts|from-domain|dnssec|mta-sts|dkim-key|dkim-key-strength|spf-lookups)\./;
const rank: Readonly<Record<VerdictWord, number>> = { pass: 3, warn: 2, missing: 1, fail: 0, error: -1 };

test.each(domainFixtures)("the proposed records fix a domain with $name and break nothing", async (fixture) => {
  const before = await checkFixture(fixture);
  const records = publish(before);
  const after = await checkFixture({ ...fixture, zone: paste(fixture.zone, records) });
  const grave = after.judgment.findings.filter(({ severity }) => severity === "major" || severity === "critical");
  expect(grave.map(({ id }) => id).filter((id) => !beyondRecords.test(id))).toEqual([]);
  for (const mechanism of ["spf", "dkim", "dmarc", "bimi"] as const)
    expect
      .soft(rank[after.verdicts[mechanism].word], mechanism)
      .toBeGreaterThanOrEqual(rank[before.verdicts[mechanism].word]);
  if (after.verdicts.spf.word === "error") return;
  // Who has pasted it is told that all stands there, but for what somebody else must do.
  const again = publish(after).filter(({ status }) => status !== "present");
  const open =
    /DNS lookups|revoked|key is missing|Keep only the key|key is invalid|First serve|points to an IP address/;
  expect(again.filter(({ why }) => !open.test(why))).toEqual([]);
});

test.each(domainFixtures)(
  "the zone file for a domain with $name contains exactly the proposed records",
  async (fixture) => {
    const records = publish(await checkFixture(fixture));
    expect(readBack(toZoneFile(domainOf(fixture), records))).toEqual(
      records
        .filter(({ value }) => value !== "")
        .map(({ name, type, value }) => `${name} ${type} ${value}`)
        .sort(),
    );
  },
);

const domainOf = ({ world }: DomainFixture) => world?.domain ?? "a.example";

function readBack(text: string): string[] {
  const read = parseZone(text);
  if (!read.ok) throw new Error(`Line ${read.line}: ${read.problem}`);
  const entries = Object.entries(read.zone) as [string, ZoneRecords][];
  return entries
    .flatMap(([name, { TXT = [], MX = [], CNAME = [] }]) => [
      ...(TXT as string[][]).map((parts) => `${name} TXT ${parts.join("")}`),
      ...(MX as ValueOf["MX"][]).map(({ preference, exchange }) => `${name} MX ${preference} ${exchange}`),
      ...(CNAME as string[]).map((target) => `${name} CNAME ${target}`),
    ])
    .map((line) => (/^\S+ (?:MX|CNAME) .*[^. ]$/.test(line) ? `${line}.` : line))
    .sort();
}

/** Programs of name servers that read a zone file: which of them are here. */
const readers = [
  { program: "kzonecheck", args: (domain: string, file: string) => ["-o", domain, file] },
  { program: "named-checkzone", args: (domain: string, file: string) => ["-k", "ignore", domain, file] },
].filter(({ program }) => spawnSync(program, ["--help"]).error === undefined);

test.skipIf(readers.length === 0)("real name servers load every proposed zone file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-zone-"));
  const file = join(folder, "zone");
  const top = "$TTL 3600\n@ SOA ns.invalid. hostmaster.invalid. 1 3600 600 86400 60\n@ NS ns.invalid.\n";
  for (const fixture of [...domainFixtures, ...hostile]) {
    const domain = domainOf(fixture);
    const text = toZoneFile(domain, publish(await checkFixture(fixture)));
    writeFileSync(file, `$ORIGIN ${domain}.\n${top}${text}`);
    for (const { program, args } of readers)
      try {
        execFileSync(program, args(domain, file), { stdio: "pipe" });
      } catch (error) {
        throw new Error(
          `${program} refuses the zone for ${fixture.name}:\n${(error as { stdout: Buffer }).stdout}\n${text}`,
        );
      }
  }
  rmSync(folder, { recursive: true });
});

const nasty = 'x"; \\ \n$INCLUDE /etc/passwd\r\n@ TXT "mine"\x1b[2J\x00\xff';
const hostile: readonly DomainFixture[] = [
  {
    name: "texts that a stranger chose",
    why: "Whoever opens the file on a terminal, or loads it, reads what stands there and no more.",
    words: "",
    faults: [],
    zone: {
      ...healthy,
      "a.example": {
        ...(healthy["a.example"] as ZoneRecords),
        TXT: [`v=spf1 mx ${nasty} -all`],
        MX: [mx("mx1.a.example"), mx(`a;b "c".a.example`)],
      },
      "_dmarc.a.example": { TXT: [`v=DMARC1; p=reject; x=${nasty}; rua=mailto:d@a.example`] },
      "default._bimi.a.example": { TXT: [`v=BIMI1; l=https://a.example/${nasty}`] },
      "_mta-sts.a.example": { TXT: [`v=STSv1; id=${nasty}`] },
      "_smtp._tls.a.example": { TXT: [`v=TLSRPTv1; rua=mailto:${nasty}@a.example`] },
      "google._domainkey.a.example": { TXT: [`v=DKIM1; n=${nasty}; p=abc`] },
      "s2._domainkey.a.example": { CNAME: ['k;"x.esp.test'] },
      'k;"x.esp.test': { TXT: ["v=DKIM1; p=abc"] },
    },
  },
];

test("hostile records cannot move the cursor or add a line to the zone file", async () => {
  for (const fixture of hostile) {
    const records = publish(await checkFixture(fixture));
    for (const { value } of records) expect(value).toMatch(/^[ -~]*$/);
    const text = toZoneFile("a.example", records);
    expect(text).toMatch(/^[\n -~]*$/);
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
    const writable = records.filter(({ value }) => value !== "");
    expect(lines).toHaveLength(writable.length + 1);
    expect(lines.filter((line) => line.startsWith("$"))).toEqual(["$ORIGIN a.example."]);
  }
  const forged = {
    name: "a.example",
    type: "MX",
    value: "10 x.\n@ TXT evil",
    ttl: 1,
    status: "present",
    why: "a\nb\r\x1b",
  } as const;
  const text = toZoneFile("a.example", [forged]);
  expect(text).toMatch(/^[\n -~]*$/);
  expect(text).not.toMatch(/^@/m);
});

test("a long text is split into strings that a name server accepts", () => {
  const value = `v=DKIM1; p=${"A".repeat(800)}"\\`;
  const record = {
    name: "k._domainkey.a.example",
    type: "TXT",
    value,
    ttl: 3_600,
    status: "present",
    why: "A key.",
  } as const;
  const text = toZoneFile("a.example", [record]);
  expect(readBack(text)).toEqual([`k._domainkey.a.example TXT ${value}`]);
  for (const [, string = ""] of text.matchAll(/"((?:[^"\\]|\\.)*)"/g))
    expect(string.replace(/\\(.)/g, "$1").length).toBeLessThanOrEqual(255);
});

test("a well-configured domain keeps all its records", async () => {
  const lines = await told(healthy);
  expect(lines.filter((line) => !line.startsWith("present:"))).toEqual([]);
  expect(lines).toContain("present: a.example TXT v=spf1 mx include:_spf.esp.test -all");
  expect(lines).toContain("present: a.example MX 10 mx1.a.example.");
});

test.each<[what: string, zone: Zone, line: string]>([
  ["no SPF record", apexWith("x=1"), "missing: a.example TXT v=spf1 mx ~all"],
  [
    "two SPF records",
    apexWith("v=spf1 mx -all", "v=spf1 include:_spf.esp.test ~all"),
    "change: a.example TXT v=spf1 mx include:_spf.esp.test ~all",
  ],
  ["an open SPF record", apexWith("v=spf1 mx +all"), "change: a.example TXT v=spf1 mx ~all"],
  ["a range of all addresses", apexWith("v=spf1 ip4:0.0.0.0/0 -all"), "change: a.example TXT v=spf1 ~all"],
  ["ptr", apexWith("v=spf1 mx ptr:a.example -all"), "change: a.example TXT v=spf1 mx -all"],
  [
    "terms after all",
    apexWith("v=spf1 mx -all a exp=e.a.example"),
    "change: a.example TXT v=spf1 mx a exp=e.a.example -all",
  ],
  [
    "a term that can be corrected",
    apexWith("v=spf1 ipv4:203.0.113.7 -all"),
    "change: a.example TXT v=spf1 ip4:203.0.113.7 -all",
  ],
  ["an unreadable term", apexWith("v=spf1 mx ip4:no -all"), "change: a.example TXT v=spf1 mx -all"],
  [
    "a version without a space after it",
    apexWith("v=spf1include:_spf.esp.test -all"),
    "change: a.example TXT v=spf1 include:_spf.esp.test -all",
  ],
  [
    "an include of a missing record",
    apexWith("v=spf1 mx include:none.esp.test -all"),
    "change: a.example TXT v=spf1 mx -all",
  ],
  ["capitals", apexWith("V=SPF1 MX -ALL"), "present: a.example TXT V=SPF1 MX -ALL"],
  [
    "no DMARC record",
    without("_dmarc.a.example"),
    "missing: _dmarc.a.example TXT v=DMARC1; p=none; rua=mailto:dmarc@a.example",
  ],
  [
    "lowercase letters",
    { ...healthy, "_dmarc.a.example": { TXT: ["v=dmarc1; p=reject; adkim=s; rua=mailto:d@a.example"] } },
    "change: _dmarc.a.example TXT v=DMARC1; p=reject; adkim=s; rua=mailto:d@a.example",
  ],
  [
    "two policies",
    {
      ...healthy,
      "_dmarc.a.example": {
        TXT: ["v=DMARC1; p=none; rua=mailto:d@a.example", "v=DMARC1; p=reject; rua=mailto:d@a.example"],
      },
    },
    "change: _dmarc.a.example TXT v=DMARC1; p=reject; rua=mailto:d@a.example",
  ],
  [
    "retired tags",
    {
      ...healthy,
      "_dmarc.a.example": { TXT: ["v=DMARC1; p=quarantine; pct=50; ri=3600; rua=mailto:d@a.example!10m"] },
    },
    "change: _dmarc.a.example TXT v=DMARC1; p=quarantine; rua=mailto:d@a.example",
  ],
  [
    "a report address without mailto:",
    { ...healthy, "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject; rua=d@a.example"] } },
    "change: _dmarc.a.example TXT v=DMARC1; p=reject; rua=mailto:d@a.example",
  ],
  [
    "a key found through a CNAME",
    { ...healthy, "google._domainkey.a.example": { CNAME: ["k.esp.test"] }, "k.esp.test": { TXT: ["v=DKIM1; p="] } },
    "present: google._domainkey.a.example CNAME k.esp.test.",
  ],
  ["no MTA-STS", without("_mta-sts.a.example"), "missing: _mta-sts.a.example TXT v=STSv1; id=1"],
  [
    "no TLS reports",
    without("_smtp._tls.a.example"),
    "missing: _smtp._tls.a.example TXT v=TLSRPTv1; rua=mailto:tls-reports@a.example",
  ],
  [
    "a logo over http",
    { ...healthy, "default._bimi.a.example": { TXT: ["v=BIMI1; l=http://a.example/l.svg"] } },
    "change: default._bimi.a.example TXT v=BIMI1; l=https://a.example/l.svg;",
  ],
])("the proposal is right with %s", async (_, zone, line) => {
  expect(await told(zone)).toContain(line);
});

test("a parked domain gets the records that forbid mail, and keeps its report address", async () => {
  const zone: Zone = {
    "a.example": { A: ["203.0.113.80"], TXT: ["v=spf1 -all"] },
    "_dmarc.a.example": { TXT: ["v=DMARC1; p=none; rua=mailto:d@reports.test"] },
  };
  expect(await told(zone)).toEqual([
    "missing: a.example MX 0 .",
    "present: a.example TXT v=spf1 -all",
    "change: _dmarc.a.example TXT v=DMARC1; p=reject; rua=mailto:d@reports.test",
    "missing: *._domainkey.a.example TXT v=DKIM1; p=",
  ]);
});

test("a domain without a mail server needs no TLS reports", async () => {
  const apex = healthy["a.example"] as ZoneRecords;
  const zone = { ...without("_smtp._tls.a.example"), "a.example": { ...apex, MX: [{ preference: 0, exchange: "." }] } };
  expect((await told(zone)).filter((line) => line.includes("_smtp._tls"))).toEqual([]);
});

test("a configured selector without a key gets a row that says where to find the key", async () => {
  const records = publish(await check(healthy, { configured: ["k1"] }));
  const row = records.find(({ name }) => name === "k1._domainkey.a.example");
  expect(row).toMatchObject({ type: "TXT", value: "", status: "missing" });
  expect(row?.why).toContain("service that signs with selector k1");
  expect(toZoneFile("a.example", records)).toContain("\n; k1._domainkey.a.example. 3600 IN TXT\n");
});

test("an SPF record with too many lookups is repeated with the includes to remove", async () => {
  const fixture = domainFixtures.find(({ faults }) => faults.includes("spf-lookups.over-limit"));
  const records = fixture === undefined ? [] : publish(await checkFixture(fixture));
  const spf = records.find(({ value }) => value.startsWith("v=spf1"));
  expect(spf).toMatchObject({ status: "change", value: expect.stringContaining("include:_s11.esp.test") });
  expect(spf?.why).toContain("11 DNS lookups, but only 10 are allowed");
});

test("the proposed MTA-STS record comes with its policy file", async () => {
  const records = publish(await check(without("_mta-sts.a.example")));
  const text = toZoneFile("a.example", records);
  expect(text).toContain("; version: STSv1\n; mode: testing\n; mx: mx1.a.example\n; max_age: 604800\n");
});

test("the ownership record is proposed until it is published", async () => {
  const find = async (zone: Zone) => publish(await check(zone)).find(({ value }) => value === "assay-verify=abc");
  expect(await find(healthy)).toMatchObject({ name: "a.example", type: "TXT", status: "missing", ttl: 3_600 });
  expect(await find(apexWith("v=spf1 mx -all", "assay-verify=abc"))).toMatchObject({ status: "present" });
});

test("records that DNS did not answer for are not proposed", async () => {
  const silent: Zone = {
    ...healthy,
    "a.example": "timeout",
    "_dmarc.a.example": "servfail",
    "_smtp._tls.a.example": "timeout",
  };
  const lines = await told(silent);
  expect(lines.filter((line) => /spf1|DMARC1|TLSRPT| MX /.test(line))).toEqual([]);
});

test("a subdomain covered by its parent's policy needs no own DMARC record", async () => {
  const zone: Zone = { ...healthy, "news.a.example": { MX: [mx("mx1.a.example")], TXT: ["v=spf1 -all"] } };
  expect((await told(zone, { domain: "news.a.example" })).filter((line) => line.includes("DMARC1"))).toEqual([]);
});

test("the proposed policy is never weaker than the published one", async () => {
  for (const written of [
    "v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s; pct=10",
    "v=dmarc1; p=quarantine",
    "v=DMARC1; p=reject; adkim=strict",
  ]) {
    const lines = await told({ ...healthy, "_dmarc.a.example": { TXT: [written] } });
    const [policy = ""] = lines.filter((line) => line.includes("v=DMARC1"));
    for (const tag of written.match(/(?:sp|adkim|aspf|\bp)=\w/g) ?? []) expect(policy).toContain(tag);
  }
});

test("a missing optional mechanism is no issue", async () => {
  expect(
    faultsOf(
      await check(paste(without("_smtp._tls.a.example"), publish(await check(without("_smtp._tls.a.example"))))),
    ),
  ).toEqual([]);
});
