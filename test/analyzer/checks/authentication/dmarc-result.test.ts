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
    when: "reports a pass with the author's own signature",
    facts: { ...(await judged("a.example", "spf=pass esp.test; dkim=pass a.example", reject)), kind },
    finds: ["pass"],
    says: "a.example is authenticated by DKIM.",
  },
  {
    when: "reports a pass with SPF and DKIM of the organization",
    facts: { ...(await judged("a.example", "spf=pass b.a.example; dkim=pass news.a.example", reject)), kind },
    finds: ["pass"],
    says: "a.example is authenticated by SPF and DKIM.",
  },
  {
    when: "passes SPF and DKIM that align without a record",
    facts: { ...(await judged("a.example", "spf=pass a.example")), kind },
    says: "a.example publishes no DMARC policy, but the message would pass DMARC through SPF.",
  },
  {
    when: "finds only the service's own SPF and DKIM under p=reject",
    facts: {
      ...(await judged("a.example", "spf=pass bounce.esp.test; dkim=pass esp.test", reject)),
      kind: kindOf({ esp: { name: "Esp", shared: true, transactional: true } }),
    },
    finds: ["policy-reject"],
    says: "a.example asks receivers to reject mail that fails DMARC, and this message fails: it passes SPF for bounce.esp.test and DKIM for esp.test, but not for a domain that aligns with a.example.",
    fix: "If you sent this message, sign it with DKIM for a.example or use a return path under a.example whose SPF record allows your server. Esp calls this “domain authentication”. If you own a.example and did not send it, your policy works, and there is nothing to fix.",
  },
  {
    when: "finds only the service's own SPF and DKIM under p=none",
    facts: {
      ...(await judged("a.example", "spf=pass bounce.esp.test; dkim=pass esp.test", none)),
      kind: kindOf({ esp: { name: "Esp", shared: true, transactional: true } }),
    },
    finds: ["unaligned"],
    says: "The message passes SPF for bounce.esp.test and DKIM for esp.test, but not for a domain that aligns with the From domain, a.example.",
    fix: "Sign with d=a.example, or use a return path under a.example whose SPF record allows your server. Esp calls this “domain authentication”.",
  },
  {
    when: "finds an unknown service without a record",
    facts: { ...(await judged("a.example", "spf=none; dkim=pass b.example")), kind },
    finds: ["unaligned"],
    fix: "Sign with d=a.example, or use a return path under a.example whose SPF record allows your server.",
  },
  {
    when: "finds the author's failing return path next to a service's signature under p=reject",
    facts: { ...(await judged("a.example", "spf=softfail b.a.example; dkim=pass esp.test", reject)), kind },
    finds: ["policy-reject"],
    says: "a.example asks receivers to reject mail that fails DMARC, and this message fails: it passes DKIM for esp.test, but not for a domain that aligns with a.example.",
    fix: "If you sent this message, fix SPF for b.a.example (softfail) or sign it with DKIM for a.example. If you own a.example and did not send it, your policy works, and there is nothing to fix.",
  },
  {
    when: "finds the author's failing return path next to a service's signature under p=none",
    facts: { ...(await judged("a.example", "spf=softfail b.a.example; dkim=pass esp.test", none)), kind },
    finds: ["unaligned"],
    fix: "Fix SPF for b.a.example (softfail), which would authenticate a.example. Alternatively, sign with d=a.example.",
  },
  {
    when: "finds the author's failing signature next to a service's return path",
    facts: { ...(await judged("a.example", "spf=pass esp.test; dkim=fail a.example", reject)), kind },
    finds: ["policy-reject"],
    fix: "If you sent this message, fix the DKIM signature for a.example or use a return path under a.example whose SPF record allows your server. If you own a.example and did not send it, your policy works, and there is nothing to fix.",
  },
  {
    when: "finds a message that only strict alignment makes fail",
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
    when: "finds strict alignment that fails even if the organization is unknown",
    facts: { ...(await withoutOrganisation("spf=pass x.test; dkim=pass mail.a.example")), kind },
    finds: ["strict-only"],
  },
  {
    when: "finds strict alignment of another organization's SPF and DKIM",
    facts: { ...(await withoutOrganisation("spf=pass x.test; dkim=pass y.test")), kind },
    finds: ["policy-reject"],
  },
  {
    when: "finds a return path that only strict alignment makes fail",
    facts: { ...(await judged("a.example", "spf=pass b.a.example", { "a.example": "p=none; aspf=s" })), kind },
    finds: ["strict-only"],
    fix: "Remove `aspf=s` from the record at _dmarc.a.example: `v=DMARC1; p=none`. Or sign with d=a.example.",
  },
  {
    when: "finds a message that fails under p=reject",
    facts: { ...failing, kind },
    finds: ["policy-reject"],
    says: "a.example asks receivers to reject mail that fails DMARC, and this message fails: neither SPF (softfail) nor DKIM (not signed) passes.",
    fix: "If you sent this message, fix SPF for a.example (softfail) or sign it with DKIM for a.example. If you own a.example and did not send it, your policy works, and there is nothing to fix.",
  },
  {
    when: "finds a message that fails under p=quarantine",
    facts: { ...(await judged("a.example", "spf=softfail a.example", { "a.example": "p=quarantine" })), kind },
    finds: ["policy-quarantine"],
    says: "a.example asks receivers to send mail that fails DMARC to spam, and this message fails: neither SPF (softfail) nor DKIM (not signed) passes.",
  },
  {
    when: "finds an unauthenticated message under p=none",
    facts: { ...(await judged("a.example", "spf=softfail a.example", none)), kind },
    finds: ["unauthenticated"],
    says: "Neither SPF nor DKIM passes, so a.example is not authenticated as the sender.",
    fix: "Fix SPF (softfail) and DKIM (not signed) first. That also resolves this issue.",
  },
  {
    when: "reports a failing message that passed before forwarding according to a valid ARC chain",
    facts: { ...failing, kind: forwardedBy("lists.example", "pass") },
    finds: ["forwarded"],
    says: "lists.example changed or resent the message, which passed DMARC before that.",
  },
  {
    when: "finds a message that also failed before forwarding",
    facts: { ...failing, kind: forwardedBy("lists.example", "fail") },
    finds: ["policy-reject"],
  },
  {
    when: "is skipped while forwarding is unknown",
    facts: { ...failing, kind: kindOf({ forwarded: unknown("timeout") }) },
    outcome: "skipped",
  },
  {
    when: "reports that RFC 7489 and RFC 9989 determine different organizations",
    facts: { ...(await judged("news.a.example", "spf=pass shop.a.example", { "news.a.example": "p=none" })), kind },
    finds: ["unaligned", "eras-differ"],
  },
  {
    when: "reports a pass if both determine the same organization",
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
    when: "is skipped while SPF is unknown",
    facts: { ...failing, kind },
    unknown: { spf: "no-session" },
    outcome: "skipped",
  },
  {
    when: "is skipped while DNS does not answer for DKIM",
    facts: { ...(await judged("a.example", "spf=temperror a.example", reject)), kind },
    outcome: "skipped",
  },
  {
    when: "is skipped without a record while DNS does not answer for the author's signature",
    facts: { ...(await judged("a.example", "spf=temperror a.example; dkim=pass esp.test")), kind },
    outcome: "skipped",
  },
  {
    when: "leaves a free mailbox used through another server to freemail-from",
    facts: { ...(await judged("gmail.com", "spf=pass b.example", { "gmail.com": "p=none" })), kind },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a message without a single author",
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
