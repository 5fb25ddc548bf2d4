// Every provider rule alone: met, not met, and unknown.

import { describe, expect, test } from "vitest";
import type { FindingId } from "../../../../src/analyzer/checks/check.ts";
import { known } from "../../../../src/analyzer/checks/fact.ts";
import type { KnownFacts } from "../../../../src/analyzer/checks/facts.ts";
import type { KindFact } from "../../../../src/analyzer/checks/kind.ts";
import { checks } from "../../../../src/analyzer/checks/list.ts";
import { ruleLists } from "../../../../src/analyzer/checks/tallies/list.ts";
import { matches, type Rule, toTallies } from "../../../../src/analyzer/checks/tally.ts";
import { kindOf, messageOf, sessionOf } from "../authentication/spf-facts.ts";
import { anySender, bulk, found, notAsked, passed, resultOf, skipped, standingOf } from "./given.ts";

const checksOf = ({ explainedBy }: Rule) => [...new Set(explainedBy.map((one) => one.split(".")[0] ?? ""))];

/** Facts by which a rule is read off its findings alone. */
const heard: Partial<KnownFacts> = {
  session: known(sessionOf({ door: { kind: "smtp" } })),
  message: known(messageOf("From: Ann <ann@gmail.com>\r\n")),
};
const atApple: Partial<KnownFacts> = { ...heard, message: known(messageOf("From: ann@icloud.com\r\n")) };
const factsFor = ({ id }: Rule) => (id === "apple.own-domain" ? atApple : heard);

const fromProofs = /\.(auth|spf-and-dkim|spf|dkim|dmarc|alignment|arc)$/;
const allRules = ruleLists.flatMap(({ rules }) => rules);
const byFindings = allRules.filter(({ id }) => !fromProofs.test(id));

describe.each(byFindings.map((rule) => [rule.id, rule] as const))("the rule %s", (id, rule) => {
  const facts = factsFor(rule);
  const others = (but: string) => checksOf(rule).filter((check) => check !== but);

  test("a provider rule is met if its checks find nothing", () => {
    expect(standingOf(id, { facts, outcomes: checksOf(rule).map(passed) })).toBe("met");
  });

  test("a provider rule is not met with any of its findings, and names the finding", () => {
    for (const pattern of [...rule.explainedBy, ...(rule.alsoBy ?? [])]) {
      const told = checks.flatMap((check) =>
        Object.entries(check.findings).flatMap(([name, { severity }]) =>
          severity !== "info" && severity !== "good" ? [`${check.id}.${name}` as FindingId] : [],
        ),
      );
      for (const finding of told.filter((one) => matches(pattern, one))) {
        const [check = ""] = finding.split(".");
        const result = resultOf(id, { facts, outcomes: [...others(check).map(passed), found(finding)] });
        expect(result).toMatchObject({ standing: "not-met", findings: [finding], why: `${finding} stands.` });
      }
    }
  });

  test("a provider rule is unknown while one of its checks is skipped, unless another check decides", () => {
    for (const check of checksOf(rule))
      expect(standingOf(id, { facts, outcomes: [...others(check).map(passed), skipped(check)] })).toBe("unknown");
  });

  test("a provider rule does not apply if none of its checks applies", () => {
    expect(resultOf(id, { facts, outcomes: checksOf(rule).map(notAsked) })).toMatchObject({
      standing: "not-applicable",
      why: "Not asked.",
    });
  });
});

test("a met rule about which a check found something else does not say that there is no issue", () => {
  const why = (finding: FindingId) => resultOf("gmail.message-id", { facts: heard, outcomes: [found(finding)] }).why;
  expect(why("message-id.local-name")).toBe("The check found no issues that break this rule.");
});

test("a finding decides a rule even if another check is skipped", () => {
  const outcomes = [found("fcrdns.mismatch"), skipped("ptr-record")];
  expect(standingOf("gmail.reverse-dns", { facts: heard, outcomes })).toBe("not-met");
});

test("server rules stay unknown for an upload", () => {
  const session = known(sessionOf({ clientAddress: null }));
  const asked = { facts: { session }, outcomes: ["ptr-record", "fcrdns", "tls-used"].map(notAsked) };
  expect(standingOf("gmail.reverse-dns", asked)).toBe("unknown");
  expect(standingOf("gmail.tls", asked)).toBe("unknown");
});

test("a From address at the sender's own domain is not a free mailbox", () => {
  const facts = { message: known(messageOf("From: ann@a.example\r\n")) };
  const asked = { facts, outcomes: [notAsked("freemail-from")] };
  expect(resultOf("gmail.own-domain", asked).why).toBe("The From domain a.example does not belong to Gmail.");
  expect(standingOf("apple.own-domain", asked)).toBe("met");
});

test("a post to a mailing list needs no unsubscribe link", () => {
  const kind = kindOf({ kind: "bulk", mailingList: true });
  const outcomes = [passed("list-unsubscribe"), notAsked("one-click"), notAsked("unsubscribe-link")];
  expect(standingOf("gmail.one-click", { kind, outcomes })).toBe("not-applicable");
  expect(standingOf("yahoo.unsubscribe-header", { kind, outcomes })).toBe("met");
  expect(standingOf("gmail.one-click", { kind, outcomes: [found("list-unsubscribe.missing")] })).toBe("not-met");
});

describe("the SMTP reply for a broken rule", () => {
  test("the SMTP reply for a broken rule is the provider's own reply for the finding", () => {
    const outcomes = [found("from-header.missing")];
    expect(resultOf("gmail.one-author", { outcomes }).reply).toBe("550 5.7.1");
    expect(resultOf("microsoft.format", { outcomes }).reply).toBe("550 5.7.512");
  });

  test("the SMTP reply for a broken rule is null if the provider only may reject, or does not reply", () => {
    expect(resultOf("gmail.format", { outcomes: [found("header-syntax.bad-line")] }).reply).toBeNull();
    expect(resultOf("microsoft.format", { outcomes: [found("from-header.invalid")] }).reply).toBeNull();
    expect(resultOf("gmail.one-click", { outcomes: [found("list-unsubscribe.missing")] }).reply).toBeNull();
  });

  test("the SMTP reply for a broken rule is null for bulk sender replies if the message is not bulk", () => {
    const asked = { facts: heard, outcomes: [found("tls-used.none")] };
    expect(resultOf("gmail.tls", asked).reply).toBe("550 5.7.29 (421 4.7.29 first)");
    expect(resultOf("gmail.tls", { ...asked, kind: anySender }).reply).toBeNull();
  });
});

describe("provider rules", () => {
  const findings = checks.flatMap(({ id, findings }) =>
    Object.keys(findings).map((name) => `${id}.${name}` as FindingId),
  );

  test("provider rules name only findings that exist", () => {
    const patterns = allRules.flatMap(({ explainedBy, alsoBy = [] }) => [...explainedBy, ...alsoBy]);
    expect(patterns.filter((pattern) => !findings.some((id) => matches(pattern, id)))).toEqual([]);
  });

  test("provider rules have unique IDs", () => {
    expect(new Set(allRules.map(({ id }) => id)).size).toBe(allRules.length);
  });

  test.each([
    ["gmail", 13, 16],
    ["yahoo", 4, 7],
    ["outlook", 4, 8],
    ["icloud", 7, 9],
  ])(
    "the provider rules of %s are %i for any sender and %i for bulk senders, including the one for forwarded mail",
    (provider, any, bulkCount) => {
      const countFor = (kind: KindFact) =>
        toTallies(ruleLists, [], kind, {}).find((tally) => tally.provider === provider)?.items.length;
      expect([countFor(anySender), countFor(bulk)]).toEqual([any, bulkCount]);
    },
  );
});

test("rules of different providers that ask the same are broken by the same findings", () => {
  for (const one of allRules)
    for (const other of allRules.filter(({ asks }) => asks === one.asks))
      expect(one.explainedBy, `${one.id} and ${other.id}`).toEqual(other.explainedBy);
});

test("every provider's format rule is broken by a From header that can't be parsed", () => {
  for (const { id } of allRules.filter((rule) => rule.id.endsWith(".format")))
    expect(standingOf(id, { facts: heard, outcomes: [found("from-header.invalid")] })).toBe("not-met");
});
