import { expect, test } from "vitest";
import { dmarcResult } from "../../../../src/analyzer/checks/authentication/dmarc-result.ts";
import { type Fact, known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { Facts, KnownFacts } from "../../../../src/analyzer/checks/facts.ts";
import { runChecks } from "../../../../src/analyzer/checks/run.ts";
import { testCheck } from "../test-check.ts";
import { forwardedBy, judged, kindOf } from "./policy-facts.ts";

const kind = kindOf();
const reject = { "a.example": "p=reject" };
const none = { "a.example": "p=none" };
const failing = await judged("a.example", "spf=softfail a.example", reject);

/** As where DNS is silent above the author's domain. */
async function withoutOrganisation(proofs: string) {
  const facts = await judged("a.example", proofs, { "a.example": "p=reject; adkim=s; aspf=s" });
  const signatures = facts.dkim.signatures.map((one) => ({ ...one, aligned: { ...one.aligned, relaxed: false } }));
  return {
    ...facts,
    dmarc: { ...facts.dmarc, orgDomain: unknown("timeout") },
    dkim: { ...facts.dkim, signatures },
    dmarcResult: { ...facts.dmarcResult, relaxedWouldPass: false },
  };
}

testCheck(dmarcResult, [
  {
    when: "the signature belongs to the author",
    facts: { ...(await judged("a.example", "spf=pass esp.test; dkim=pass a.example", reject)), kind },
    finds: ["pass"],
    says: "a.example is authenticated by DKIM.",
  },
  {
    when: "both proofs belong to the organisation",
    facts: { ...(await judged("a.example", "spf=pass b.a.example; dkim=pass news.a.example", reject)), kind },
    finds: ["pass"],
    says: "a.example is authenticated by SPF and DKIM.",
  },
  {
    when: "there is no record, and the proofs would satisfy one",
    facts: { ...(await judged("a.example", "spf=pass a.example")), kind },
    says: "a.example publishes no DMARC policy, but the message would pass DMARC through SPF.",
  },
  {
    when: "the proofs are the service's own",
    facts: {
      ...(await judged("a.example", "spf=pass bounce.esp.test; dkim=pass esp.test", reject)),
      kind: kindOf({ esp: { name: "Esp", shared: true, transactional: true } }),
    },
    finds: ["policy-reject"],
    says: "a.example asks receivers to reject mail that fails DMARC, and this message fails: it passes SPF for bounce.esp.test and DKIM for esp.test, but not for a domain that aligns with a.example.",
    fix: "If you sent this message, sign it with DKIM for a.example or use a return path under a.example whose SPF record allows your server. Esp calls this “domain authentication”. If you own a.example and did not send it, your policy works, and there is nothing to fix.",
  },
  {
    when: "the proofs are the service's own, and the policy is none",
    facts: {
      ...(await judged("a.example", "spf=pass bounce.esp.test; dkim=pass esp.test", none)),
      kind: kindOf({ esp: { name: "Esp", shared: true, transactional: true } }),
    },
    finds: ["unaligned"],
    says: "The message passes SPF for bounce.esp.test and DKIM for esp.test, but not for a domain that aligns with the From domain, a.example.",
    fix: "Sign with d=a.example, or use a return path under a.example whose SPF record allows your server. Esp calls this “domain authentication”.",
  },
  {
    when: "nobody knows the service, and there is no record",
    facts: { ...(await judged("a.example", "spf=none; dkim=pass b.example")), kind },
    finds: ["unaligned"],
    fix: "Sign with d=a.example, or use a return path under a.example whose SPF record allows your server.",
  },
  {
    when: "the author's own return path fails beside a service's signature",
    facts: { ...(await judged("a.example", "spf=softfail b.a.example; dkim=pass esp.test", reject)), kind },
    finds: ["policy-reject"],
    says: "a.example asks receivers to reject mail that fails DMARC, and this message fails: it passes DKIM for esp.test, but not for a domain that aligns with a.example.",
    fix: "If you sent this message, fix SPF for b.a.example (softfail) or sign it with DKIM for a.example. If you own a.example and did not send it, your policy works, and there is nothing to fix.",
  },
  {
    when: "the author's own return path fails beside a service's signature, and the policy is none",
    facts: { ...(await judged("a.example", "spf=softfail b.a.example; dkim=pass esp.test", none)), kind },
    finds: ["unaligned"],
    fix: "Fix SPF for b.a.example (softfail), which would authenticate a.example. Alternatively, sign with d=a.example.",
  },
  {
    when: "the author's own signature fails beside a service's return path",
    facts: { ...(await judged("a.example", "spf=pass esp.test; dkim=fail a.example", reject)), kind },
    finds: ["policy-reject"],
    fix: "If you sent this message, fix the DKIM signature for a.example or use a return path under a.example whose SPF record allows your server. If you own a.example and did not send it, your policy works, and there is nothing to fix.",
  },
  {
    when: "only an exact match is wanted",
    facts: {
      ...(await judged("a.example", "spf=pass x.test; dkim=pass mail.a.example", {
        "a.example": "p=reject; adkim=s; aspf=s",
      })),
      kind,
    },
    finds: ["strict-only"],
    says: "The message passes DKIM for mail.a.example, but the DMARC record for a.example requires an exact match (adkim=s).",
    fix: "Remove `adkim=s` from the record at _dmarc.a.example: `v=DMARC1; p=reject; aspf=s`. Or sign with d=a.example.",
  },
  {
    when: "only an exact match is wanted, and nobody knows whose organisation it is",
    facts: { ...(await withoutOrganisation("spf=pass x.test; dkim=pass mail.a.example")), kind },
    finds: ["strict-only"],
  },
  {
    when: "only an exact match is wanted, and the proofs are somebody else's in any case",
    facts: { ...(await withoutOrganisation("spf=pass x.test; dkim=pass y.test")), kind },
    finds: ["policy-reject"],
  },
  {
    when: "only an exact match of the return path is wanted",
    facts: { ...(await judged("a.example", "spf=pass b.a.example", { "a.example": "p=none; aspf=s" })), kind },
    finds: ["strict-only"],
    fix: "Remove `aspf=s` from the record at _dmarc.a.example: `v=DMARC1; p=none`. Or sign with d=a.example.",
  },
  {
    when: "nothing passes, and the domain asks receivers to reject such mail",
    facts: { ...failing, kind },
    finds: ["policy-reject"],
    says: "a.example asks receivers to reject mail that fails DMARC, and this message fails: neither SPF (softfail) nor DKIM (not signed) passes.",
    fix: "If you sent this message, fix SPF for a.example (softfail) or sign it with DKIM for a.example. If you own a.example and did not send it, your policy works, and there is nothing to fix.",
  },
  {
    when: "nothing passes, and the domain asks receivers to send such mail to spam",
    facts: { ...(await judged("a.example", "spf=softfail a.example", { "a.example": "p=quarantine" })), kind },
    finds: ["policy-quarantine"],
    says: "a.example asks receivers to send mail that fails DMARC to spam, and this message fails: neither SPF (softfail) nor DKIM (not signed) passes.",
  },
  {
    when: "nothing passes, and the domain asks for nothing",
    facts: { ...(await judged("a.example", "spf=softfail a.example", none)), kind },
    finds: ["unauthenticated"],
    says: "Neither SPF nor DKIM passes, so a.example is not authenticated as the sender.",
    fix: "Fix SPF (softfail) and DKIM (not signed) first. That also resolves this issue.",
  },
  {
    when: "nothing passes here, and a chain of forwarders vouches that it did",
    facts: { ...failing, kind: forwardedBy("lists.example", "pass") },
    finds: ["forwarded"],
    says: "lists.example changed or resent the message, which passed DMARC before that.",
  },
  {
    when: "a chain of forwarders says that nothing passed before either",
    facts: { ...failing, kind: forwardedBy("lists.example", "fail") },
    finds: ["policy-reject"],
  },
  {
    when: "nobody knows whether it was forwarded",
    facts: { ...failing, kind: kindOf({ forwarded: unknown("timeout") }) },
    outcome: "skipped",
  },
  {
    when: "the two readings of an organisation differ",
    facts: { ...(await judged("news.a.example", "spf=pass shop.a.example", { "news.a.example": "p=none" })), kind },
    finds: ["unaligned", "eras-differ"],
  },
  {
    when: "the organisation has its own record, and they agree",
    facts: {
      ...(await judged("news.a.example", "spf=pass shop.a.example", {
        "news.a.example": "p=none",
        "a.example": "p=none",
      })),
      kind,
    },
    finds: ["pass"],
  },
  {
    when: "SPF is not known, so that nobody can say that nothing passes",
    facts: { ...failing, kind },
    unknown: { spf: "no-session" },
    outcome: "skipped",
  },
  {
    when: "DNS did not respond for a proof",
    facts: { ...(await judged("a.example", "spf=temperror a.example", reject)), kind },
    outcome: "skipped",
  },
  {
    when: "there is no record, and DNS did not respond for a proof that may be the author's",
    facts: { ...(await judged("a.example", "spf=temperror a.example; dkim=pass esp.test")), kind },
    outcome: "skipped",
  },
  {
    when: "a free mailbox is used elsewhere, which freemail-from judges",
    facts: { ...(await judged("gmail.com", "spf=pass b.example", { "gmail.com": "p=none" })), kind },
    outcome: "not-applicable",
  },
  {
    when: "the message has no single author",
    facts: {
      ...failing,
      kind,
      dmarcResult: { ...failing.dmarcResult, result: "none", fromDomain: null, says: "There is no From field." },
    },
    outcome: "not-applicable",
  },
]);

test.each([
  ["spf=pass b.example", "p=reject", 6],
  ["spf=pass b.example", "p=reject; t=y", 2],
  ["spf=pass b.example", "p=none", 2],
  ["spf=fail b.example", "p=reject", 5],
  ["spf=fail b.example", "p=none", 4],
])("a message with %s under %s breaks the rules of %i providers", async (proof, record, count) => {
  const facts = { ...(await judged("a.example", proof, { "a.example": record })), kind };
  const given = Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, known(value) as Fact<Facts[keyof Facts]>]),
  );
  const subject = { on: "message", kind: "bulk", facts: given as KnownFacts } as const;
  const [outcome] = runChecks([dmarcResult], subject, () => {});
  expect(outcome?.outcome === "found" && outcome.findings[0]?.gates).toHaveLength(count);
});
