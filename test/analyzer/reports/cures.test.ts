// A step of the plan says what its records would really do: the figure is the one that a preview of these records gives.

import { expect, test } from "vitest";
import { analyzeMessage } from "../../../src/analyzer/analyze-message.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { toChanges } from "../../../src/analyzer/propose-records.ts";
import { isAboveInfo } from "../../../src/analyzer/reports/causes.ts";
import type { ProposedRecord } from "../../../src/analyzer/reports/fix-records.ts";
import { issuesOf } from "../../../src/analyzer/reports/plan.ts";
import type { Report } from "../../../src/analyzer/reports/report.ts";
import { toCureLine } from "../../../src/features/tests/words/cure-words.ts";
import { bases } from "../../fixtures/messages/fixture.ts";
import {
  all,
  type Change,
  changedAfterSigning,
  heardWith,
  type Letter,
  signedWith,
  unsigned,
  withHeader,
  withName,
  withoutHeader,
  withoutName,
  withZone,
} from "../../fixtures/messages/letter.ts";
import { analystWith, inputOf } from "../../fixtures/messages/run.ts";
import { senderKey } from "../../fixtures/messages/sender.ts";
import { newRsaKey, toKeyRecord } from "../mail/signing/sign.ts";
import { evidenceOf } from "../recorded.ts";

const { T, N } = bases;

/** A few lines from one person to another. */
const P: Letter = {
  ...all(
    withoutHeader("Auto-Submitted", "Reply-To"),
    withHeader("From", "Tom Ashworth <tom@a.example>"),
    withHeader("Subject", "Hedges on Thursday"),
    withHeader("Message-ID", "<20261120095956.5f2c77@mail.a.example>"),
    heardWith({ mailFrom: "tom@bounce.a.example" }),
  )(T),
  text: "Hello Ellen,\n\nshall we look at the hedges on Thursday? I have the morning free.\n\nTom\n",
  html: '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Hedges</title></head><body><p>Hello Ellen,</p><p>shall we look at the hedges on Thursday? I have the morning free.</p><p>Tom</p></body></html>\n',
};

const mx = [{ preference: 10, exchange: "mx1.a.example" }];
const withSpf = (...records: readonly (string | readonly string[])[]) =>
  withName("bounce.a.example", { MX: mx, TXT: records });
const withDmarc = (...records: readonly string[]) => withName("_dmarc.a.example", { TXT: records });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const includes = (count: number) =>
  numbers(count)
    .map((number) => `include:i${number}.esp.example`)
    .join(" ");
const included = (count: number) =>
  withZone(
    Object.fromEntries(
      numbers(count).map((number) => [
        `i${number}.esp.example`,
        { TXT: [`v=spf1 ip4:198.51.100.${100 + number} -all`] },
      ]),
    ),
  );
const key = toKeyRecord(senderKey);
const keyName = "s2026._domainkey.a.example";
const otherKey = toKeyRecord(newRsaKey(2_048));
const brokenBody = changedAfterSigning((message) => message.replace("Ellen", "Helen"));
const esp = all(signedWith({ domain: "esp.example" }), withName("s2026._domainkey.esp.example", { TXT: [key] }));
const noReverse = withoutName("7.113.0.203.in-addr.arpa");
const badContent = withHeader("Subject", "YOUR ORDER IS HERE!!!");

type Fault = readonly [name: string, change: Change, root: RegExp];

const faults: readonly Fault[] = [
  ["no SPF record", withName("bounce.a.example", { MX: mx }), /^spf-record\.missing$/],
  ["two SPF records", withSpf("v=spf1 include:_spf.a.example -all", "v=spf1 mx ~all"), /^spf-record\.several$/],
  ["run-together SPF", withSpf("v=spf1include:_spf.a.example -all"), /^spf-record\.not-recognised$/],
  ["ipv4: in SPF", withSpf("v=spf1 ipv4:203.0.113.7 -all"), /^spf-syntax\./],
  ["joined strings", withSpf(["v=spf1 ip4:203.0.113.7", "include:_spf.a.example -all"]), /^spf-syntax\./],
  ["swapped letters", withSpf("v=spf1 inlcude:_spf.a.example -all"), /^spf-syntax\./],
  [
    "eleventh include",
    all(withSpf(`v=spf1 ${includes(10)} include:_spf.a.example -all`), included(10)),
    /^spf-lookups\./,
  ],
  [
    "too many after the match",
    all(withSpf(`v=spf1 include:_spf.a.example ${includes(12)} -all`), included(12)),
    /^spf-lookups\./,
  ],
  ["gone include", withSpf("v=spf1 include:spf.closed.example include:_spf.a.example -all"), /^spf-includes\./],
  ["+all", withSpf("v=spf1 +all"), /^spf-openness\./],
  ["missing ip, -all", withSpf("v=spf1 ip4:198.51.100.7 -all"), /^spf-result\.fail$/],
  ["missing ip, ~all", withSpf("v=spf1 ip4:198.51.100.7 ~all"), /^spf-result\.softfail$/],
  ["missing ip, ?all", withSpf("v=spf1 ip4:198.51.100.7 ?all"), /^spf-(?:result\.neutral|end\.)/],
  ["no all", withSpf("v=spf1 ip4:198.51.100.7"), /^spf-(?:result\.neutral|end\.)/],
  ["ptr", withSpf("v=spf1 ip4:203.0.113.7 ptr -all"), /^spf-deprecated\.ptr$/],
  [
    "void lookups",
    withSpf("v=spf1 a:x1.a.example a:x2.a.example a:x3.a.example ip4:203.0.113.7 -all"),
    /^spf-void-lookups\./,
  ],
  ["no signature", unsigned, /^dkim-present\./],
  ["key deleted", withoutName(keyName), /^dkim-key\.missing$/],
  ["another key", withName(keyName, { TXT: [otherKey] }), /^dkim-(?:signature|key)/],
  ["broken key", withName(keyName, { TXT: [key.replace("p=", "p=*")] }), /^dkim-key\./],
  ["key with a space in the tag", withName(keyName, { TXT: [key.replace("v=DKIM1", "v=DKIM 1")] }), /^dkim-key\./],
  ["key for testing", withName(keyName, { TXT: [`${key}; t=y`] }), /^dkim-testing\./],
  ["key not for mail", withName(keyName, { TXT: [`${key}; s=other`] }), /^dkim-key\.excluded$/],
  ["changed body", brokenBody, /^dkim-signature\./],
  ["signed by the service", esp, /^dkim-alignment\./],
  ["no DMARC", withoutName("_dmarc.a.example"), /^dmarc-record\.missing$/],
  [
    "two DMARC records",
    withDmarc("v=DMARC1; p=quarantine; rua=mailto:dmarc@a.example", "v=DMARC1; p=none"),
    /^dmarc-record\./,
  ],
  ["v=dmarc1", withDmarc("v=dmarc1; p=reject; rua=mailto:dmarc@a.example"), /^dmarc-syntax\./],
  ["p=rejct", withDmarc("v=DMARC1; p=rejct; rua=mailto:dmarc@a.example"), /^dmarc-syntax\./],
  ["p=none", withDmarc("v=DMARC1; p=none; rua=mailto:dmarc@a.example"), /^dmarc-policy\./],
  ["sp=none", withDmarc("v=DMARC1; p=reject; sp=none; rua=mailto:dmarc@a.example"), /^dmarc-subdomains\./],
  ["no reports", withDmarc("v=DMARC1; p=reject"), /^dmarc-reports\./],
  [
    "unagreed reports",
    all(
      withDmarc("v=DMARC1; p=quarantine; rua=mailto:a.example@reports.b.example"),
      withName("reports.b.example", { A: ["198.51.100.32"] }),
    ),
    /^dmarc-reports\./,
  ],
  [
    "strict",
    all(
      withDmarc("v=DMARC1; p=quarantine; adkim=s; aspf=s; rua=mailto:dmarc@a.example"),
      signedWith({ domain: "mail.a.example" }),
      withName("s2026._domainkey.mail.a.example", { TXT: [key] }),
    ),
    /^dmarc-result\.strict-only$/,
  ],
  ["no reverse name", noReverse, /^ptr-record\.missing$/],
  ["reverse elsewhere", withName("7.113.0.203.in-addr.arpa", { PTR: ["other.b.example"] }), /^fcrdns\./],
  ["HELO without address", heardWith({ helo: "out.a.example" }), /^helo-resolves\./],
  ["HELO SPF fails", withName("mail.a.example", { A: ["203.0.113.7"], TXT: ["v=spf1 -all"] }), /^spf-helo\./],
];

const pairs: readonly Fault[] = [
  ["softfail and unsigned", all(withSpf("v=spf1 ip4:198.51.100.7 ~all"), unsigned), /^(?:spf|dkim)-/],
  ["fail and key deleted", all(withSpf("v=spf1 ip4:198.51.100.7 -all"), withoutName(keyName)), /^(?:spf|dkim)-/],
  [
    "no SPF and broken key",
    all(withName("bounce.a.example", { MX: mx }), withName(keyName, { TXT: [key.replace("p=", "p=*")] })),
    /^(?:spf|dkim)-/,
  ],
  [
    "no SPF, no DMARC",
    all(withName("bounce.a.example", { MX: mx }), withoutName("_dmarc.a.example")),
    /^(?:spf|dmarc)-/,
  ],
  [
    "no SPF, no DMARC, unsigned",
    all(withName("bounce.a.example", { MX: mx }), withoutName("_dmarc.a.example"), unsigned),
    /^(?:spf|dkim|dmarc)-/,
  ],
  ["SPF syntax, reverse", all(withSpf("v=spf1 ipv4:203.0.113.7 -all"), noReverse), /^(?:ptr|spf)-/],
  [
    "SPF fail, changed body, p=reject",
    all(
      withSpf("v=spf1 ip4:198.51.100.7 -all"),
      brokenBody,
      withDmarc("v=DMARC1; p=reject; rua=mailto:dmarc@a.example"),
    ),
    /^(?:spf|dkim|dmarc)-/,
  ],
  ["SPF fail, unaligned", all(withSpf("v=spf1 ip4:198.51.100.7 -all"), esp), /^(?:spf|dkim|dmarc)-/],
  [
    "p=rejct, SPF fail",
    all(withDmarc("v=DMARC1; p=rejct; rua=mailto:dmarc@a.example"), withSpf("v=spf1 ip4:198.51.100.7 -all")),
    /^(?:spf|dmarc)-/,
  ],
  [
    "everything",
    all(withSpf("v=spf1 ip4:198.51.100.7 -all"), unsigned, withoutName("_dmarc.a.example"), noReverse),
    /./,
  ],
];

const bad = ([name, change, root]: Fault): Fault => [`${name}, bad content`, all(badContent, change), root];
const cases = [
  ...[...faults, ...pairs].map((fault) => ({ base: "T", letter: T, fault })),
  ...[...faults, ...pairs].map((fault) => ({ base: "N", letter: N, fault })),
  ...pairs.map((fault) => ({ base: "P", letter: P, fault })),
  ...faults.filter((_, index) => index % 3 === 0).map((fault) => ({ base: "P", letter: P, fault: bad(fault) })),
];

const dnsOf = (letter: Letter) => createZoneDns(letter.zone);

async function preview(letter: Letter, report: Report, records: readonly ProposedRecord[]): Promise<Report> {
  const input = { ...inputOf(letter, evidenceOf(report)), changes: toChanges(records, report.analysis.dns) };
  const { report: would } = await analyzeMessage(input, analystWith(dnsOf(letter)));
  if (would === null) throw new Error("no report");
  return would;
}

const known = cases.map(({ base, letter, fault: [broken, change, root] }) => ({
  broken: `${broken} (${base})`,
  letter: change(letter),
  root,
}));

async function analyze(letter: Letter): Promise<Report> {
  const { report } = await analyzeMessage(inputOf(letter), analystWith(dnsOf(letter)));
  if (report === null) throw new Error("This is no test.");
  return report;
}

const compositeOf = ({ judgment }: Report) => judgment.score.composite ?? 0;

test.each(known)("the plan begins with the cause of $broken, and its scores are those of a preview", async (one) => {
  const report = await analyze(one.letter);
  const { plan } = report.judgment;
  expect(plan[0]?.finding).toMatch(one.root);
  const published: ProposedRecord[] = [];
  for (const [index, step] of plan.entries()) {
    const own = recordsOf(report, step.finding);
    if (own.length === 0) continue;
    published.push(...own);
    const alone = await preview(one.letter, report, own);
    expect(step.gain, step.finding).toBeCloseTo(compositeOf(alone) - compositeOf(report), 5);
    // Fixes without records can't be previewed, so later steps are compared only with those before them.
    const isComparable = plan.slice(0, index).every(({ finding }) => recordsOf(report, finding).length > 0);
    const together = await preview(one.letter, report, published);
    if (isComparable) expect(step.composite, step.finding).toBe(compositeOf(together));
    const left = together.judgment.findings.map(({ id }) => id);
    for (const cured of [step.finding, ...(step.cures ?? [])]) expect(left).not.toContain(cured);
  }
});

function recordsOf({ judgment }: Report, finding: string) {
  return judgment.findings.find(({ id, ownedBy }) => id === finding && ownedBy === null)?.records ?? [];
}

test.each(known)("each issue of a message with $broken is one card", async ({ letter }) => {
  const { judgment } = await analyze(letter);
  const cards = issuesOf(judgment).map(({ id }) => id);
  expect(cards).toEqual(judgment.plan.map(({ finding }) => finding));
  for (const { id, ownedBy } of judgment.findings.filter(isAboveInfo)) expect(cards, id).toContain(ownedBy ?? id);
  const records = issuesOf(judgment).flatMap((one) => (one.records?.length ? [JSON.stringify(one.records)] : []));
  expect(new Set(records).size).toBe(records.length);
});

test("one record that cures SPF, DMARC, and the rejection is one card that says so", async () => {
  const letter = all(withSpf("v=spf1 ip4:198.51.100.7 -all"), unsigned, withDmarc("v=DMARC1; p=reject"))(T);
  const { judgment } = await analyze(letter);
  const [first] = judgment.plan;
  expect(first).toMatchObject({ finding: "spf-result.fail", cures: ["dmarc-result.policy-reject"], composite: 89 });
  const line = toCureLine({ ...judgment, composite: judgment.score.composite }, "spf-result.fail");
  expect(line).toBe("Fixes SPF, DMARC, and the rejection at 4 providers: 49 → 89.");
});

test("a message that imitates a brand is judged by that first, whatever else is wrong", async () => {
  const letter = all(withHeader("From", "PayPal Service <service@a.example>"), noReverse, unsigned)(T);
  const { plan, suspicion } = (await analyze(letter)).judgment;
  expect(suspicion?.kind).toBe("imitation");
  expect(plan[0]?.finding).toBe("display-name.brand");
});
