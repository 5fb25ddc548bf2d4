// Every rule by itself: kept, broken and unknown.

import { describe, expect, test } from "vitest";
import type { Dmarc, DmarcResult, SpfResult } from "../../../src/checks/authentication-facts.ts";
import type { FindingId } from "../../../src/checks/check.ts";
import { known, unknown } from "../../../src/checks/fact.ts";
import type { KnownFacts } from "../../../src/checks/facts.ts";
import type { KindFact } from "../../../src/checks/kind.ts";
import { checks } from "../../../src/checks/list.ts";
import type { Finding, Outcome } from "../../../src/checks/run.ts";
import { ruleLists } from "../../../src/checks/tallies/list.ts";
import { matches, type Rule, type RuleResult, toTallies } from "../../../src/checks/tally.ts";
import { dkimOf, failingOf, signatureOf } from "../authentication/dkim-facts.ts";
import { arcOf, dmarcOf } from "../authentication/policy-facts.ts";
import {
  claimedForward,
  dmarcResultOf,
  forwardedBy,
  kindOf,
  messageOf,
  sessionOf,
} from "../authentication/spf-facts.ts";

const bulk = kindOf({ kind: "bulk" });

type Given = {
  readonly kind?: KindFact;
  readonly facts?: Partial<KnownFacts>;
  readonly outcomes?: readonly Outcome[];
};

function resultOf(rule: string, { kind = bulk, facts = {}, outcomes = [] }: Given): RuleResult {
  const tallies = toTallies(ruleLists, outcomes, kind, facts);
  const result = tallies.flatMap(({ items }) => items).find((item) => item.rule === rule);
  if (!result) throw new Error(`${rule} is not asked of ${kind.kind} mail.`);
  return result;
}

const standingOf = (rule: string, given: Given) => resultOf(rule, given).standing;

function found(id: FindingId): Outcome {
  const [check = "", name = ""] = id.split(".");
  const words = checks.find((one) => one.id === check)?.findings[name];
  if (!words) throw new Error(id);
  const { severity, cost, gates = [] } = words;
  const shared = { subject: null, ownedBy: null, evidence: {}, fix: null };
  const finding: Finding = { id, check, severity, cost, title: `${id} stands.`, gates, ...shared };
  return { check, outcome: "found", findings: [finding], lacks: [] };
}

const passed = (check: string): Outcome => ({ check, outcome: "passed", says: "All is well.", lacks: [] });
const skipped = (check: string): Outcome => ({ check, outcome: "skipped", why: "timeout" });
const notAsked = (check: string): Outcome => ({ check, outcome: "not-applicable", why: "Not asked." });

const checksOf = ({ explainedBy }: Rule) => [...new Set(explainedBy.map((one) => one.split(".")[0] ?? ""))];

/** Facts by which a rule is read off its findings alone. */
const heard: Partial<KnownFacts> = {
  session: known(sessionOf({ source: "smtp" })),
  message: known(messageOf("From: Ann <ann@gmail.com>\r\n")),
};
const atApple: Partial<KnownFacts> = { ...heard, message: known(messageOf("From: ann@icloud.com\r\n")) };
const factsFor = ({ id }: Rule) => (id === "apple.own-domain" ? atApple : heard);

const fromProofs = /\.(auth|spf-and-dkim|spf|dkim|dmarc|alignment|arc)$/;
const allRules = ruleLists.flatMap(({ rules }) => rules);
const byFindings = allRules.filter(({ id }) => !fromProofs.test(id));

describe.each(byFindings.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  const facts = factsFor(rule);
  const others = (but: string) => checksOf(rule).filter((check) => check !== but);

  test("is kept when its checks find nothing", () => {
    expect(standingOf(id, { facts, outcomes: checksOf(rule).map(passed) })).toBe("met");
  });

  test("is broken by each of its findings, and names it", () => {
    for (const pattern of [...rule.explainedBy, ...(rule.alsoBy ?? [])]) {
      const told = checks.flatMap((check) =>
        Object.entries(check.findings).flatMap(([name, { severity }]) =>
          severity !== "info" && severity !== "good" ? [`${check.id}.${name}` as FindingId] : [],
        ),
      );
      for (const finding of told.filter((one) => matches(pattern, one))) {
        const [check = ""] = finding.split(".");
        const result = resultOf(id, { facts, outcomes: [...others(check).map(passed), found(finding)] });
        expect(result).toMatchObject({
          standing: "not-met",
          findings: [finding],
          why: `${finding} stands.`,
        });
      }
    }
  });

  test("is unknown while one of its checks could not be made, unless another decides", () => {
    for (const check of checksOf(rule))
      expect(standingOf(id, { facts, outcomes: [...others(check).map(passed), skipped(check)] })).toBe(
        "unknown",
      );
  });

  test("is not applicable where none of its checks is", () => {
    expect(resultOf(id, { facts, outcomes: checksOf(rule).map(notAsked) })).toMatchObject({
      standing: "not-applicable",
      why: "Not asked.",
    });
  });
});

test("a finding decides although another check could not be made", () => {
  const outcomes = [found("fcrdns.mismatch"), skipped("ptr-record")];
  expect(standingOf("gmail.reverse-dns", { facts: heard, outcomes })).toBe("not-met");
});

const spf = (result: SpfResult["result"]): Pick<KnownFacts, "spf"> => ({
  spf: known({
    ...{ result, domain: "a.example", identity: "mailfrom", explanation: null, cause: null, problem: null },
    ...{ matchedTerm: null, matchedIn: null, record: null, lookups: 1, voids: 0 },
  }),
});
const signed = { dkim: known(dkimOf(signatureOf())) };
const notSigned = { dkim: known(dkimOf()) };
const changed = { dkim: known(dkimOf(failingOf("body-changed", "The body was changed."))) };
const keyUnknown = { dkim: known(dkimOf(failingOf("key-unknown", "DNS did not answer."))) };
const ed25519 = { dkim: known(dkimOf(signatureOf({ algorithm: "ed25519-sha256" }))) };
const unheard = { spf: unknown("no-session") };
const dmarcResult = (more: Partial<DmarcResult>) => ({ dmarcResult: known(dmarcResultOf(more)) });
const dmarc = (fact: Dmarc) => ({ dmarc: known(fact) });
const aligned = dmarcResult({});
const unaligned = dmarcResult({ result: "fail", alignedBy: [] });
const published = dmarc(await dmarcOf("a.example", { "a.example": "p=none" }));
const missing = dmarc(await dmarcOf("a.example"));
const withoutPolicy = dmarc(await dmarcOf("a.example", { "a.example": "p=nonsense" }));
const dnsDead = { dmarc: unknown("timeout"), dmarcResult: unknown("timeout") };

const anySender = kindOf();
const forwarded = kindOf({
  kind: "bulk",
  forwarded: forwardedBy("lists.example", { spf: "pass", dkim: "pass", dmarc: "pass" }),
});
const claimed = kindOf({ kind: "bulk", forwarded: claimedForward });
const forwardUnknown = kindOf({ kind: "bulk", forwarded: unknown("timeout") });

/** Rule, what it is told, what comes of it. */
const proofs: readonly (readonly [string, string, Given, RuleResult["standing"]])[] = [
  ...["gmail.auth", "yahoo.auth"].flatMap(
    (rule) =>
      [
        [rule, "with SPF alone", { kind: anySender, facts: { ...spf("pass"), ...notSigned } }, "met"],
        [rule, "with DKIM alone", { kind: anySender, facts: { ...spf("fail"), ...signed } }, "met"],
        [rule, "with neither", { kind: anySender, facts: { ...spf("fail"), ...changed } }, "not-met"],
        [rule, "unsigned, SPF unknown", { kind: anySender, facts: { ...unheard, ...notSigned } }, "unknown"],
        [rule, "signed, SPF unknown", { kind: anySender, facts: { ...unheard, ...signed } }, "met"],
      ] as const,
  ),
  ...["gmail.spf-and-dkim", "yahoo.spf-and-dkim"].flatMap(
    (rule) =>
      [
        [rule, "with both", { facts: { ...spf("pass"), ...signed } }, "met"],
        [rule, "with SPF alone", { facts: { ...spf("pass"), ...notSigned } }, "not-met"],
        [rule, "unsigned, SPF unknown", { facts: { ...unheard, ...notSigned } }, "not-met"],
        [rule, "signed, SPF unknown", { facts: { ...unheard, ...signed } }, "unknown"],
      ] as const,
  ),
  ...["microsoft.spf", "apple.spf"].flatMap(
    (rule) =>
      [
        [rule, "with a pass", { facts: spf("pass") }, "met"],
        [rule, "with a softfail", { facts: spf("softfail") }, "not-met"],
        [rule, "with a temperror", { facts: spf("temperror") }, "unknown"],
        [rule, "without a session", { facts: unheard }, "unknown"],
        [rule, "failing after a proven forward", { kind: forwarded, facts: spf("fail") }, "met"],
        [rule, "failing after a claimed forward", { kind: claimed, facts: spf("fail") }, "not-met"],
      ] as const,
  ),
  ...["microsoft.dkim", "apple.dkim"].flatMap(
    (rule) =>
      [
        [rule, "with a signature that passes", { facts: signed }, "met"],
        [rule, "with a changed body", { facts: changed }, "not-met"],
        [rule, "with an Ed25519 signature alone", { facts: ed25519 }, "not-met"],
        [rule, "with a key that DNS did not tell", { facts: keyUnknown }, "unknown"],
        [rule, "changed by a proven forwarder", { kind: forwarded, facts: changed }, "met"],
      ] as const,
  ),
  ...["gmail.dmarc", "apple.dmarc"].flatMap(
    (rule) =>
      [
        [rule, "with p=none", { facts: published }, "met"],
        [rule, "without a record", { facts: missing }, "not-met"],
        [rule, "with a record without a policy", { facts: withoutPolicy }, "not-met"],
        [rule, "while DNS is dead", { facts: dnsDead }, "unknown"],
        [rule, "without an author", { facts: { dmarc: unknown("parser-failed") } }, "not-applicable"],
      ] as const,
  ),
  ...["yahoo.dmarc", "microsoft.dmarc"].flatMap(
    (rule) =>
      [
        [rule, "with a record and a pass", { facts: { ...published, ...aligned } }, "met"],
        [rule, "with a pass, without a record", { facts: { ...missing, ...aligned } }, "not-met"],
        [rule, "with a record, without a pass", { facts: { ...published, ...unaligned } }, "not-met"],
        [rule, "while DNS is dead", { facts: dnsDead }, "unknown"],
      ] as const,
  ),
  ["gmail.alignment", "with an aligned pass", { facts: aligned }, "met"],
  ["gmail.alignment", "with none", { facts: unaligned }, "not-met"],
  ["gmail.alignment", "passing before a proven forward", { kind: forwarded, facts: unaligned }, "met"],
  [
    "gmail.alignment",
    "without a proof known",
    { facts: unaligned, outcomes: [skipped("dmarc-result")] },
    "unknown",
  ],
  ["gmail.alignment", "while DNS is dead", { facts: dnsDead }, "unknown"],
  ["apple.arc", "not forwarded", { facts: { arc: known(arcOf()) } }, "not-applicable"],
  ["apple.arc", "forwarded and sealed", { kind: forwarded, facts: { arc: known(arcOf()) } }, "met"],
  [
    "apple.arc",
    "forwarded without a seal",
    { kind: claimed, facts: { arc: known(arcOf({ present: false, result: "none" })) } },
    "not-met",
  ],
  [
    "apple.arc",
    "forwarded with a broken seal",
    { kind: claimed, facts: { arc: known(arcOf({ result: "fail" })) } },
    "not-met",
  ],
  ["apple.arc", "while nobody knows of a forward", { kind: forwardUnknown }, "unknown"],
];

test.each(proofs)("%s, %s", (rule, _when, given, standing) => {
  expect(standingOf(rule, given)).toBe(standing);
});

test("an upload leaves open what its server would do", () => {
  const session = known(sessionOf({ clientAddress: null }));
  const asked = { facts: { session }, outcomes: ["ptr-record", "fcrdns", "tls-used"].map(notAsked) };
  expect(standingOf("gmail.reverse-dns", asked)).toBe("unknown");
  expect(standingOf("gmail.tls", asked)).toBe("unknown");
});

test("From at a domain of its own is nobody's mailbox", () => {
  const facts = { message: known(messageOf("From: ann@a.example\r\n")) };
  const asked = { facts, outcomes: [notAsked("freemail-from")] };
  expect(resultOf("gmail.own-domain", asked).why).toBe(
    "From is at a.example, not at gmail.com or googlemail.com.",
  );
  expect(standingOf("apple.own-domain", asked)).toBe("met");
});

test("a post to a mailing list owes nobody a link to unsubscribe by", () => {
  const kind = kindOf({ kind: "bulk", mailingList: true });
  const outcomes = [passed("list-unsubscribe"), notAsked("one-click"), notAsked("unsubscribe-link")];
  expect(standingOf("gmail.one-click", { kind, outcomes })).toBe("not-applicable");
  expect(standingOf("yahoo.unsubscribe-header", { kind, outcomes })).toBe("met");
  expect(standingOf("gmail.one-click", { kind, outcomes: [found("list-unsubscribe.missing")] })).toBe(
    "not-met",
  );
});

describe("the reply that a breach earns", () => {
  test("is the gate's of its finding, at that provider", () => {
    const outcomes = [found("from-header.invalid")];
    expect(resultOf("gmail.one-author", { outcomes }).reply).toBe("550 5.7.1");
    expect(resultOf("microsoft.format", { outcomes }).reply).toBe("550 5.7.512");
  });

  test("is the rule's own where no finding tells of the breach", () => {
    expect(resultOf("microsoft.spf", { facts: spf("neutral") }).reply).toBe("550 5.7.515");
  });

  test("is none where the provider only may refuse, or answers nothing", () => {
    expect(resultOf("gmail.format", { outcomes: [found("header-syntax.bad-line")] }).reply).toBeNull();
    expect(resultOf("gmail.one-click", { outcomes: [found("list-unsubscribe.missing")] }).reply).toBeNull();
  });

  test("is none of those for bulk senders where the message is not bulk", () => {
    const asked = { facts: heard, outcomes: [found("tls-used.none")] };
    expect(resultOf("gmail.tls", asked).reply).toBe("550 5.7.29 (421 4.7.29 first)");
    expect(resultOf("gmail.tls", { ...asked, kind: anySender }).reply).toBeNull();
  });
});

test("of many findings the gravest explain why SPF fails", () => {
  const outcomes = [found("spf-end.no-verdict"), found("spf-result.fail"), found("spf-size.large")];
  expect(resultOf("apple.spf", { facts: spf("fail"), outcomes }).findings).toEqual(["spf-result.fail"]);
});

describe("the rules", () => {
  const findings = checks.flatMap(({ id, findings }) =>
    Object.keys(findings).map((name) => `${id}.${name}` as FindingId),
  );

  test("name findings that exist", () => {
    const patterns = allRules.flatMap(({ explainedBy, alsoBy = [] }) => [...explainedBy, ...alsoBy]);
    expect(patterns.filter((pattern) => !findings.some((id) => matches(pattern, id)))).toEqual([]);
  });

  test("bear names of their own", () => {
    expect(new Set(allRules.map(({ id }) => id)).size).toBe(allRules.length);
  });

  test.each([
    ["gmail", 13, 16],
    ["yahoo", 4, 7],
    ["outlook", 4, 8],
    ["icloud", 7, 9],
  ])(
    "of %s are %i for any sender and %i for bulk, with the one for forwarded mail",
    (provider, any, bulkCount) => {
      const countFor = (kind: KindFact) =>
        toTallies(ruleLists, [], kind, {}).find((tally) => tally.provider === provider)?.items.length;
      expect([countFor(anySender), countFor(bulk)]).toEqual([any, bulkCount]);
    },
  );
});
