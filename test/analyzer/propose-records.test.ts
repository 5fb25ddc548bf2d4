// The record suggested for a finding keeps the senders that its owner listed, and the fix text quotes no other
// record.

import { describe, expect, test } from "vitest";
import { analyzeMessage } from "../../src/analyzer/analyze-message.ts";
import { createZoneDns, type Zone, type ZoneRecords } from "../../src/analyzer/dns/zone.ts";
import type { JudgedFinding } from "../../src/analyzer/reports/judgment.ts";
import { bases, fixtures, letterOf } from "../fixtures/messages/fixture.ts";
import type { Letter } from "../fixtures/messages/letter.ts";
import { analystWith, inputOf } from "../fixtures/messages/run.ts";

async function findingsOf(letter: Letter, zone: Zone = letter.zone): Promise<readonly JudgedFinding[]> {
  const { report } = await analyzeMessage(inputOf(letter), analystWith(createZoneDns(zone)));
  return report?.judgment.findings ?? [];
}

const bounces = "bounce.a.example";
const { zone } = bases.T;
const service: ZoneRecords = { TXT: ["v=spf1 ip4:192.0.2.0/24 -all"] };

const withSpf = (text: string): Zone => ({
  ...zone,
  [bounces]: { ...(zone[bounces] as ZoneRecords), TXT: [text] },
  "_spf.service.example": service,
  "_spf2.service.example": service,
});

const valuesOf = (findings: readonly JudgedFinding[], check: RegExp) => [
  ...new Set(
    findings.filter(({ id }) => check.test(id)).flatMap(({ records = [] }) => records.map((one) => one.value)),
  ),
];

const quotedIn = (fix: string | null) =>
  fix?.match(/`v=(?:spf1 .|DMARC1)[^`]*`/gi)?.map((quoted) => quoted.slice(1, -1)) ?? [];

/** The sender of these messages has the address 203.0.113.7. */
test.each([
  [
    "terms after all are moved before it",
    "v=spf1 -all ip4:203.0.113.7 include:_spf.service.example",
    "v=spf1 ip4:203.0.113.7 include:_spf.service.example -all",
  ],
  [
    "two swapped letters",
    "v=spf1 ip4:203.0.113.7 inlcude:_spf2.service.example -all",
    "v=spf1 ip4:203.0.113.7 include:_spf2.service.example -all",
  ],
  [
    "several unreadable terms",
    "v=spf1 ip:203.0.113.7 inlcude:_spf.service.example incude:_spf2.service.example ~all",
    "v=spf1 ip4:203.0.113.7 include:_spf.service.example include:_spf2.service.example ~all",
  ],
  ["an IP address after a:", "v=spf1 a:203.0.113.7 -all", "v=spf1 ip4:203.0.113.7 -all"],
  ["a term that cannot be corrected", "v=spf1 what:ever ip4:203.0.113.7 -all", "v=spf1 ip4:203.0.113.7 -all"],
  ["an obsolete term", "v=spf1 ip4:203.0.113.7 ptr -all", "v=spf1 ip4:203.0.113.7 -all"],
  ["an all term that lets anyone send", "v=spf1 ip4:203.0.113.7 all", "v=spf1 ip4:203.0.113.7 ~all"],
  ["only an all term that lets anyone send", "v=spf1 +all", "v=spf1 ip4:203.0.113.7 ~all"],
  ["a term that excludes this server", "v=spf1 -ip4:203.0.113.7 ~all", "v=spf1 ip4:203.0.113.7 ~all"],
  ["no server", "v=spf1 -all", "v=spf1 ip4:203.0.113.7 -all"],
])("the corrected SPF record is right for %s", async (_, record, proposed) => {
  const findings = await findingsOf(bases.T, withSpf(record));
  expect(valuesOf(findings, /^spf-/)).toEqual([proposed]);
  for (const { id, fix } of findings.filter((one) => one.id.startsWith("spf-") && one.fix !== null))
    for (const quoted of quotedIn(fix)) expect({ id, quoted }).toEqual({ id, quoted: proposed });
});

test("the fix text mentions every other change of the SPF record", async () => {
  const fixOf = async (record: string, id: string) =>
    (await findingsOf(bases.T, withSpf(record))).find((one) => one.id === id)?.fix;
  expect(await fixOf("v=spf1 -what:ever inlcude:_spf.service.example -all", "spf-syntax.invalid-term")).toContain(
    "`-what:ever`",
  );
  expect(await fixOf("v=spf1 ip4:198.51.100.1 ?all", "spf-result.neutral")).toContain("`~all`");
  expect(await fixOf("v=spf1 ?all ip4:198.51.100.1", "spf-result.neutral")).toContain(
    'Moved before "all", because anything after it is ignored: ip4:198.51.100.1.',
  );
});

test("an SPF record that would not work is not suggested", async () => {
  const services = Array.from({ length: 11 }, (_, index) => `_spf${index}.service.example`);
  const terms = services.map((name) => `include:${name}`).join(" ");
  const findings = await findingsOf(bases.T, {
    ...withSpf(`v=spf1 ${terms} what:ever ?all`),
    ...Object.fromEntries(services.map((name) => [name, service])),
  });
  expect(valuesOf(findings, /^spf-/)).toEqual([]);
  expect(findings.find(({ id }) => id === "spf-syntax.invalid-term")?.fix).toBe("Remove or correct `what:ever`.");
});

const withDmarc = (text: string): Zone => ({ ...zone, "_dmarc.a.example": { TXT: [text] } });

test.each([
  [" v=DMARC1; p=rejct; rua=dmarc@a.example; pct=50; fo=0:1", "v=DMARC1; p=none; rua=mailto:dmarc@a.example; fo=1"],
  [
    "v=DMARC1; p=reject; fo=0:1; pct=50; rua=mailto:dmarc@a.example; aspf=strict",
    "v=DMARC1; p=reject; fo=1; rua=mailto:dmarc@a.example; aspf=s",
  ],
  [
    "v=DMARC1; p=reject; aspf=x; fo=2; rua=mailto:dmarc@a.example",
    "v=DMARC1; p=reject; aspf=r; fo=0; rua=mailto:dmarc@a.example",
  ],
  [
    "v=DMARC1; p=reject; sp=none; np=none; pct=50; fo=0:1; rua=mailto:dmarc@a.example",
    "v=DMARC1; p=reject; sp=reject; np=reject; fo=1; rua=mailto:dmarc@a.example",
  ],
  ["v=DMARC1; p=rejct; rua=dmarc@a.example", "v=DMARC1; p=none; rua=mailto:dmarc@a.example"],
])("the record %s gets one corrected DMARC record in every finding about it", async (record, proposed) => {
  const findings = await findingsOf(bases.T, withDmarc(record));
  expect(valuesOf(findings, /^dmarc-/)).toEqual([proposed]);
  for (const { id, fix } of findings.filter((one) => one.id.startsWith("dmarc-")))
    for (const quoted of quotedIn(fix)) expect({ id, quoted }).toEqual({ id, quoted: proposed });
});

test("a later DMARC step starts from the record that is correct today", async () => {
  const findings = await findingsOf(bases.T, withDmarc("v=DMARC1; p=none; rua=mailto:d@a.example; fo=0:1"));
  const recordsOf = (id: string) => findings.find((one) => one.id === id)?.records?.map(({ value }) => value);
  expect(recordsOf("dmarc-policy.none")).toEqual(["v=DMARC1; p=quarantine; rua=mailto:d@a.example; fo=1"]);
  expect(recordsOf("dmarc-syntax.exclusive-options")).toEqual(["v=DMARC1; p=none; rua=mailto:d@a.example; fo=1"]);
});

describe("a suggested record and its fix text agree", () => {
  test.each(fixtures.map((fixture) => [fixture.broken, fixture] as const))(
    "a suggested record and its fix text agree for a message with %s",
    async (_, fixture) => {
      for (const { id, records = [], fix, occurrences } of await findingsOf(letterOf(fixture))) {
        if (records.length === 0) continue;
        const values = records.map(({ value }) => value);
        for (const words of [fix, ...occurrences.map((one) => one.fix)])
          for (const quoted of quotedIn(words)) expect(values, id).toContain(quoted);
      }
    },
  );
});
