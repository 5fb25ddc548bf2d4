// Rules that depend directly on SPF, DKIM, DMARC, and ARC: met, not met, and unknown.

import { expect, test } from "vitest";
import type { Dmarc, DmarcResult, SpfResult } from "../../../../src/analyzer/checks/authentication-facts.ts";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { KnownFacts } from "../../../../src/analyzer/checks/facts.ts";
import type { RuleResult } from "../../../../src/analyzer/checks/tally.ts";
import { dkimOf, failingOf, signatureOf } from "../authentication/dkim-facts.ts";
import { arcOf, dmarcOf } from "../authentication/policy-facts.ts";
import { claimedForward, dmarcResultOf, forwardedBy, kindOf, messageOf } from "../authentication/spf-facts.ts";
import { anySender, bulk, found, type Given, passed, resultOf, skipped, standingOf } from "./given.ts";

const spf = (result: SpfResult["result"]): Pick<KnownFacts, "spf"> => ({
  spf: known({
    result,
    domain: "a.example",
    identity: "mailfrom",
    explanation: null,
    cause: null,
    problem: null,
    matchedTerm: null,
    matchedIn: null,
    record: null,
    lookups: 1,
    voids: 0,
  }),
});
const signed = { dkim: known(dkimOf(signatureOf())) };
const notSigned = { dkim: known(dkimOf()) };
const changed = { dkim: known(dkimOf(failingOf("body-changed", "The body was changed."))) };
const keyUnknown = { dkim: known(dkimOf(failingOf("key-unknown", "DNS did not respond."))) };
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

const forwarded = kindOf({
  kind: "bulk",
  forwarded: forwardedBy("lists.example", { spf: "pass", dkim: "pass", dmarc: "pass" }),
});
const claimed = kindOf({ kind: "bulk", forwarded: claimedForward });
const forwardUnknown = kindOf({ kind: "bulk", forwarded: unknown("timeout") });

/** Each rule with its condition, its facts, and the expected result. */
const proofs: readonly (readonly [string, string, Given, RuleResult["standing"]])[] = [
  ...["gmail.auth", "yahoo.auth"].flatMap(
    (rule) =>
      [
        [rule, "with SPF only", { kind: anySender, facts: { ...spf("pass"), ...notSigned } }, "met"],
        [rule, "with DKIM only", { kind: anySender, facts: { ...spf("fail"), ...signed } }, "met"],
        [rule, "with neither", { kind: anySender, facts: { ...spf("fail"), ...changed } }, "not-met"],
        [
          rule,
          "without a signature and with SPF unknown",
          { kind: anySender, facts: { ...unheard, ...notSigned } },
          "unknown",
        ],
        [rule, "with a signature and SPF unknown", { kind: anySender, facts: { ...unheard, ...signed } }, "met"],
      ] as const,
  ),
  ...["gmail.spf-and-dkim", "yahoo.spf-and-dkim"].flatMap(
    (rule) =>
      [
        [rule, "with both", { facts: { ...spf("pass"), ...signed } }, "met"],
        [rule, "with SPF only", { facts: { ...spf("pass"), ...notSigned } }, "not-met"],
        [rule, "without a signature and with SPF unknown", { facts: { ...unheard, ...notSigned } }, "not-met"],
        [rule, "with a signature and SPF unknown", { facts: { ...unheard, ...signed } }, "unknown"],
      ] as const,
  ),
  ...["microsoft.spf", "apple.spf"].flatMap(
    (rule) =>
      [
        [rule, "with a pass", { facts: spf("pass") }, "met"],
        [rule, "with a softfail", { facts: spf("softfail") }, "not-met"],
        [rule, "with a temperror", { facts: spf("temperror") }, "unknown"],
        [rule, "without a session", { facts: unheard }, "unknown"],
        [rule, "if it fails after verified forwarding", { kind: forwarded, facts: spf("fail") }, "met"],
        [rule, "if it fails and may have been forwarded", { kind: forwardUnknown, facts: spf("fail") }, "unknown"],
        [rule, "if it fails after claimed forwarding", { kind: claimed, facts: spf("fail") }, "not-met"],
      ] as const,
  ),
  ...["microsoft.dkim", "apple.dkim"].flatMap(
    (rule) =>
      [
        [rule, "with a signature that passes", { facts: signed }, "met"],
        [rule, "with a changed body", { facts: changed }, "not-met"],
        [rule, "with only an Ed25519 signature", { facts: ed25519 }, "not-met"],
        [rule, "with a key that DNS did not return", { facts: keyUnknown }, "unknown"],
        [rule, "after a change by a verified forwarder", { kind: forwarded, facts: changed }, "met"],
      ] as const,
  ),
  ...["gmail.dmarc", "apple.dmarc"].flatMap(
    (rule) =>
      [
        [rule, "with p=none", { facts: published }, "met"],
        [rule, "without a record", { facts: missing }, "not-met"],
        [rule, "with a record without a policy", { facts: withoutPolicy }, "not-met"],
        [rule, "while DNS is down", { facts: dnsDead }, "unknown"],
        [rule, "without an author", { facts: { dmarc: unknown("parser-failed") } }, "not-applicable"],
        [rule, "without a domain in From", { facts: { dmarc: unknown("no-message") } }, "not-applicable"],
      ] as const,
  ),
  ...["yahoo.dmarc", "microsoft.dmarc"].flatMap(
    (rule) =>
      [
        [rule, "with a record and a pass", { facts: { ...published, ...aligned } }, "met"],
        [rule, "with a pass, without a record", { facts: { ...missing, ...aligned } }, "not-met"],
        [rule, "with a record, without a pass", { facts: { ...published, ...unaligned } }, "not-met"],
        [rule, "while DNS is down", { facts: dnsDead }, "unknown"],
      ] as const,
  ),
  ["gmail.alignment", "with an aligned pass", { facts: aligned }, "met"],
  ["gmail.alignment", "without an aligned pass", { facts: unaligned }, "not-met"],
  ["gmail.alignment", "if it passed before verified forwarding", { kind: forwarded, facts: unaligned }, "met"],
  ["gmail.alignment", "without a known result", { facts: unaligned, outcomes: [skipped("dmarc-result")] }, "unknown"],
  ["gmail.alignment", "while DNS is down", { facts: dnsDead }, "unknown"],
  ["apple.arc", "if the message was not forwarded", { facts: { arc: known(arcOf()) } }, "not-applicable"],
  ["apple.arc", "if it was forwarded with a seal", { kind: forwarded, facts: { arc: known(arcOf()) } }, "met"],
  [
    "apple.arc",
    "if it was forwarded without a seal",
    { kind: claimed, facts: { arc: known(arcOf({ present: false, result: "none" })) } },
    "not-met",
  ],
  [
    "apple.arc",
    "if it was forwarded with a broken seal",
    { kind: claimed, facts: { arc: known(arcOf({ result: "fail" })) } },
    "not-met",
  ],
  ["apple.arc", "while forwarding is unknown", { kind: forwardUnknown }, "unknown"],
];

test.each(proofs)("the provider rule %s is judged correctly %s", (rule, _when, given, standing) => {
  expect(standingOf(rule, given)).toBe(standing);
});

test("only the most severe findings explain why SPF fails", () => {
  const outcomes = [found("spf-end.no-verdict"), found("spf-result.fail"), found("spf-size.large")];
  expect(resultOf("apple.spf", { facts: spf("fail"), outcomes }).findings).toEqual(["spf-result.fail"]);
});

test("the rule's own SMTP reply is used if no finding explains the breach", () => {
  expect(resultOf("microsoft.spf", { facts: spf("neutral") }).reply).toBe("550 5.7.515");
});

test.each([
  ["one-click.not-signed", "<https://a.example/u>", "not-met"],
  ["one-click.missing", "<https://a.example/u>", "not-met"],
  ["one-click.wrong-value", "<https://a.example/u>", "not-met"],
  ["one-click.not-signed", "<https://a.example/u>, <mailto:u@a.example>", "met"],
  ["one-click.mailto-only", "<mailto:u@a.example>", "met"],
  ["list-unsubscribe.unusable", "<mailto:u@a.example>", "not-met"],
] as const)(
  "the finding %s with List-Unsubscribe %s breaks Yahoo's rule unless the header has an email address",
  (id, value, standing) => {
    const message = known(messageOf(`List-Unsubscribe: ${value}\r\n`));
    const outcomes = [passed("list-unsubscribe"), found(id)];
    const given = { facts: { ...signed, message }, outcomes };
    expect(standingOf("yahoo.unsubscribe-header", given)).toBe(standing);
  },
);

test("Yahoo's rule needs a valid DKIM signature for one-click, but not for an email address", () => {
  const outcomes = ["list-unsubscribe", "one-click"].map(passed);
  const standing = (value: string) => {
    const message = known(messageOf(`List-Unsubscribe: ${value}\r\n`));
    return standingOf("yahoo.unsubscribe-header", { facts: { ...notSigned, message }, outcomes });
  };
  expect(standing("<https://a.example/u>")).toBe("not-met");
  expect(standing("<https://a.example/u>, <mailto:u@a.example>")).toBe("met");
});

test("one-click unsubscribe without a valid DKIM signature does not count", () => {
  const outcomes = ["list-unsubscribe", "one-click", "unsubscribe-link"].map(passed);
  const standing = (facts: Partial<KnownFacts>, kind = bulk) =>
    standingOf("gmail.one-click", { kind, facts, outcomes });
  expect(standing(signed)).toBe("met");
  expect(standing(notSigned)).toBe("not-met");
  expect(standing(changed)).toBe("not-met");
  expect(standing(changed, forwarded)).toBe("met");
});
