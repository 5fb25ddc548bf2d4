// A previewed report equals the report after a real change of the zone.

import { describe, expect, test } from "vitest";
import type { Dns } from "../../../../src/analyzer/dns/answer.ts";
import type { GivenRecords } from "../../../../src/analyzer/dns/domain-name.ts";
import { parseRecordSets } from "../../../../src/analyzer/dns/record-sets.ts";
import { createZoneDns, type Zone } from "../../../../src/analyzer/dns/zone.ts";
import type { Report } from "../../../../src/analyzer/reports/report.ts";
import {
  analystFor,
  analyzeWith,
  inputOf,
  keyOf,
  type Letter,
  toVerdict,
  zoneOf,
} from "../../../analyzer/domain-cases/verdict-world.ts";
import { toKeyRecord } from "../../../analyzer/mail/signing/sign.ts";

function setsOf(records: readonly GivenRecords[]) {
  const parsed = parseRecordSets(records);
  if (!parsed.ok) throw new Error(`${parsed.at}: ${parsed.problem}`);
  return parsed.sets;
}

/** All but when it was made, and in which order its questions were answered. */
function timeless(report: Report) {
  const { startedAt: _, durationMs: __, dns, ...analysis } = report.analysis;
  const answers = dns
    .map(({ at: _, durationMs: __, ...answer }) => answer)
    .sort((one, other) => (`${one.type} ${one.name}` < `${other.type} ${other.name}` ? -1 : 1));
  return JSON.parse(JSON.stringify({ ...report, analysis: { ...analysis, dns: answers } }));
}

async function liveReport(letter: Letter, zone: Zone = zoneOf(letter)): Promise<Report> {
  const report = await analyzeWith(inputOf(letter), analystFor(createZoneDns(zone)));
  return JSON.parse(JSON.stringify(report)) as Report;
}

/** Answers from the zone, and notes what it was asked. */
function listening(zone: Zone): { readonly dns: Dns; readonly asked: string[] } {
  const asked: string[] = [];
  const { query } = createZoneDns(zone);
  return {
    asked,
    dns: {
      query: (name, type) => {
        asked.push(`${name} ${type}`);
        return query(name, type);
      },
    },
  };
}

type Change = {
  readonly letter?: Letter;
  readonly given: readonly GivenRecords[];
  /** In place of the zone's entries; null: gone. */
  readonly changed: Readonly<Record<string, Zone[string] | null>>;
  readonly verdicts: readonly [before: string, after: string];
  readonly asks?: readonly string[];
};

const keyName = "rsa1024._domainkey.a.example";
const rightKey = toKeyRecord(keyOf("rsa1024"));
const wrongKey = toKeyRecord(keyOf("rsa2048"));
const txt = (name: string, ...values: string[]): GivenRecords => ({ name, type: "TXT", values });
const mailHost = { "mx.a.example": { A: ["192.0.2.77"] } };
const withMx: Zone = {
  ...mailHost,
  "a.example": {
    A: ["192.0.2.1"],
    TXT: ["v=spf1 ip4:192.0.2.20 -all"],
    MX: [{ preference: 10, exchange: "mx.a.example" }],
  },
};
/** Asked of mail that passes DMARC with a policy, or would with the records that its report proposes. */
const passAsks = "default._bimi.a.example TXT";
const good = "spf=pass dkim=pass dmarc=pass reject";

const changes: Readonly<Record<string, Change>> = {
  "SPF mended": {
    letter: { sign: [], mailFrom: "ann@a.example" },
    given: [txt("a.example", "v=spf1 ip4:192.0.2.10 ip4:192.0.2.20 -all")],
    changed: { "a.example": { A: ["192.0.2.1"], TXT: ["v=spf1 ip4:192.0.2.10 ip4:192.0.2.20 -all"] } },
    verdicts: ["spf=fail dkim=none dmarc=fail reject", "spf=pass dkim=none dmarc=pass reject"],
  },
  "DMARC added": {
    letter: { zone: { "_dmarc.a.example": {} } },
    given: [txt("_dmarc.a.example", "v=DMARC1; p=quarantine; rua=mailto:d@a.example")],
    changed: { "_dmarc.a.example": { TXT: ["v=DMARC1; p=quarantine; rua=mailto:d@a.example"] } },
    verdicts: ["spf=pass dkim=pass dmarc=none -", "spf=pass dkim=pass dmarc=pass quarantine"],
  },
  "DMARC taken away": {
    given: [txt("_dmarc.a.example")],
    changed: { "_dmarc.a.example": null },
    verdicts: [good, "spf=pass dkim=pass dmarc=none -"],
    asks: ["a.example TXT", passAsks],
  },
  "a DKIM key replaced": {
    letter: { zone: { [keyName]: { TXT: [wrongKey] } } },
    given: [txt(keyName, rightKey)],
    changed: { [keyName]: { TXT: [rightKey] } },
    verdicts: ["spf=pass dkim=fail:header-changed dmarc=fail reject", good],
    asks: [passAsks],
  },
  "a DKIM key taken away": {
    given: [txt(keyName)],
    changed: { [keyName]: null },
    verdicts: [good, "spf=pass dkim=permerror:key-missing dmarc=fail reject"],
  },
  "a DKIM key that becomes an alias of one": {
    letter: { zone: { [keyName]: { TXT: [wrongKey] }, "k.esp.example": { TXT: [rightKey] } } },
    given: [{ name: keyName, type: "CNAME", values: ["k.esp.example."] }],
    changed: { [keyName]: { CNAME: ["k.esp.example"] } },
    verdicts: ["spf=pass dkim=fail:header-changed dmarc=fail reject", good],
    asks: ["k.esp.example TXT", passAsks],
  },
  "the key that a DKIM name is an alias of": {
    letter: { zone: { [keyName]: { CNAME: ["k.esp.example"] }, "k.esp.example": { TXT: [wrongKey] } } },
    given: [txt("k.esp.example", rightKey)],
    changed: { "k.esp.example": { TXT: [rightKey] } },
    verdicts: ["spf=pass dkim=fail:header-changed dmarc=fail reject", good],
    asks: [passAsks],
  },
  "MX taken away": {
    letter: { zone: withMx },
    given: [{ name: "a.example", type: "MX", values: [] }],
    changed: { "a.example": { A: ["192.0.2.1"], TXT: ["v=spf1 ip4:192.0.2.20 -all"] } },
    verdicts: [good, good],
    asks: ["a.example AAAA"],
  },
  "MX added": {
    letter: { zone: mailHost },
    given: [{ name: "a.example", type: "MX", values: ["10 mx.a.example."] }],
    changed: withMx,
    verdicts: [good, good],
    asks: ["mx.a.example A", "mx.a.example AAAA", "mx.a.example CNAME"],
  },
  "a new include, which has to be asked": {
    letter: {
      sign: [],
      mailFrom: "ann@a.example",
      zone: {
        "_spf.new.example": { TXT: ["v=spf1 a:out.new.example -all"] },
        "out.new.example": { A: ["192.0.2.10"] },
      },
    },
    given: [txt("a.example", "v=spf1 include:_spf.new.example -all")],
    changed: { "a.example": { A: ["192.0.2.1"], TXT: ["v=spf1 include:_spf.new.example -all"] } },
    verdicts: ["spf=fail dkim=none dmarc=fail reject", "spf=pass dkim=none dmarc=pass reject"],
    asks: ["_spf.new.example TXT", "out.new.example A"],
  },
  "a reverse name given": {
    letter: { ip: "8.8.8.8", zone: { "dns.a.example": { A: ["8.8.8.8"] } } },
    given: [{ name: "8.8.8.8.in-addr.arpa", type: "PTR", values: ["dns.a.example"] }],
    changed: { "8.8.8.8.in-addr.arpa": { PTR: ["dns.a.example"] } },
    verdicts: ["spf=fail dkim=pass dmarc=pass reject", "spf=fail dkim=pass dmarc=pass reject"],
    asks: ["dns.a.example A"],
  },
};

describe("a DNS preview equals the report after a real change", () => {
  test.each(Object.entries(changes))(
    "a DNS preview equals the report after a real change for %s",
    async (_, { letter = {}, given, changed, verdicts, asks = [] }) => {
      const zone = zoneOf(letter);
      const before = await liveReport(letter, zone);
      const wanted = Object.entries({ ...zone, ...changed }).filter(([, entry]) => entry !== null);
      const after = await liveReport(letter, Object.fromEntries(wanted) as Zone);
      const { dns, asked } = listening(zone);
      const input = { ...inputOf(letter, before.analysis), changes: setsOf(given) };
      const wouldBe = await analyzeWith(input, analystFor(dns));
      expect([before, wouldBe].map(toVerdict)).toEqual(verdicts);
      expect(timeless(wouldBe)).toEqual(timeless(after));
      expect(asked.sort()).toEqual([...asks].sort());
    },
  );
});

test("recorded DNS answers are used in a preview, even if DNS has changed since", async () => {
  const before = await liveReport({});
  const { dns, asked } = listening({});
  const changes = setsOf([txt("_dmarc.a.example", "v=DMARC1; p=none")]);
  const wouldBe = await analyzeWith({ ...inputOf({}, before.analysis), changes }, analystFor(dns));
  expect(toVerdict(wouldBe)).toBe("spf=pass dkim=pass dmarc=pass none");
  expect(asked).toEqual([]);
});

test("a looping or endless record costs no more queries than a message may make", async () => {
  const letter: Letter = { sign: [], mailFrom: "ann@a.example" };
  const before = await liveReport(letter);
  const { dns, asked } = listening({});
  const includes = Array.from({ length: 200 }, (_, index) => `include:x${index}.example`).join(" ");
  const changes = setsOf([
    txt("a.example", `v=spf1 ${includes} -all`),
    { name: "mail.esp.example", type: "CNAME", values: ["mail.esp.example"] },
  ]);
  const wouldBe = await analyzeWith({ ...inputOf(letter, before.analysis), changes }, analystFor(dns));
  expect(toVerdict(wouldBe)).toContain("spf=permerror");
  expect(asked.length).toBeLessThanOrEqual(100);
});
