import { spfAlignment } from "../../../../src/analyzer/checks/authentication/spf-alignment.ts";
import { spfHelo } from "../../../../src/analyzer/checks/authentication/spf-helo.ts";
import { spfResult } from "../../../../src/analyzer/checks/authentication/spf-result.ts";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import { testCheck } from "../test-check.ts";
import {
  acme,
  claimedForward,
  clientAddress,
  dmarcResultOf,
  forwardedBy,
  forwardUnknown,
  kindOf,
  messageOf,
  sessionOf,
  spfResultOf,
} from "./spf-facts.ts";

const onMessage = { message: messageOf(), session: sessionOf(), kind: kindOf(), own: { domains: [] } };
const foreign = { ...onMessage, message: messageOf("From: ann@b.example\r\n") };
const passing = await spfResultOf("v=spf1 ip4:203.0.113.7 -all");
const failing = await spfResultOf("v=spf1 mx -all", { "a.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] } });
const soft = await spfResultOf("v=spf1 ip4:192.0.2.1 ~all");
const neutral = await spfResultOf("v=spf1 ip4:192.0.2.1 ?all");
const passedThere = { spf: "pass", dkim: "pass", dmarc: "pass" };

testCheck(spfResult, [
  {
    when: "reports a pass for a listed IP",
    facts: { ...onMessage, spf: passing },
    finds: ["pass"],
    says: "203.0.113.7 may send for a.example (ip4:203.0.113.7).",
  },
  {
    when: "finds an IP that is not listed",
    facts: { ...onMessage, spf: failing },
    finds: ["fail"],
    says: '203.0.113.7 is not allowed to send for a.example, because the SPF record says "-all".',
    fix: "Send through your usual server. If 203.0.113.7 is yours, add it to the record: `v=spf1 ip4:203.0.113.7 ip4:192.0.2.1 -all`",
  },
  {
    when: "finds a fail by the record of a redirect",
    facts: {
      ...onMessage,
      spf: await spfResultOf("v=spf1 redirect=b.example", { "b.example": { TXT: ["v=spf1 -all"] } }),
    },
    finds: ["fail"],
    says: '203.0.113.7 is not allowed to send for a.example, because the SPF record for b.example says "-all".',
  },
  {
    when: "asks a service about its own record",
    facts: { ...foreign, kind: kindOf({ esp: acme }), spf: failing },
    finds: ["fail"],
    fix: "Ask Acme Mail to allow this server.",
  },
  {
    when: "finds a softfail",
    facts: { ...onMessage, spf: soft },
    finds: ["softfail"],
    says: '203.0.113.7 is not listed for a.example, and the SPF record says "~all".',
  },
  {
    when: "finds a softfail of a signed message that may have been forwarded",
    facts: {
      ...onMessage,
      spf: soft,
      session: sessionOf({ helo: "mx.forwarder.example" }),
      dmarcResult: { ...dmarcResultOf(), alignedBy: ["dkim"] },
    },
    finds: ["softfail"],
    fix: "If mx.forwarder.example only forwards mail, leave the record as it is, because DKIM passes. Send through your usual server. If 203.0.113.7 is yours, add it to the record: `v=spf1 ip4:203.0.113.7 ip4:192.0.2.1 ~all`",
  },
  {
    when: "finds a neutral result",
    facts: { ...onMessage, spf: neutral },
    finds: ["neutral"],
    says: "The SPF record for a.example neither allows nor forbids 203.0.113.7.",
    fix: "Add `ip4:203.0.113.7` for this server, and end the record with `~all` or `-all`: `v=spf1 ip4:203.0.113.7 ip4:192.0.2.1 ~all`",
  },
  {
    when: "reports a fail for a forwarder with a valid ARC chain",
    facts: { ...onMessage, kind: kindOf({ forwarded: forwardedBy("alumni.example", passedThere) }), spf: failing },
    finds: ["forwarded"],
    says: "SPF fails for 203.0.113.7 because alumni.example forwarded the message. SPF passed before that.",
  },
  {
    when: "does not apply to a forwarder if SPF failed at the first hop too",
    facts: {
      ...onMessage,
      kind: kindOf({ forwarded: forwardedBy("alumni.example", { ...passedThere, spf: "none" }) }),
      spf: soft,
    },
    outcome: "not-applicable",
  },
  {
    when: "ignores unverified forwarding",
    facts: { ...onMessage, kind: kindOf({ forwarded: claimedForward }), spf: failing },
    finds: ["fail"],
  },
  {
    when: "is skipped while forwarding is unknown",
    facts: { ...onMessage, kind: kindOf({ forwarded: forwardUnknown }), spf: failing },
    outcome: "skipped",
  },
  {
    when: "leaves a missing record to another check",
    facts: { ...onMessage, spf: await spfResultOf("hello") },
    outcome: "not-applicable",
  },
  {
    when: "leaves a permerror to another check",
    facts: { ...onMessage, spf: await spfResultOf("v=spf1 ipv4:1 -all") },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: { ...onMessage, spf: await spfResultOf("", { "a.example": "timeout" }) },
    outcome: "skipped",
  },
  {
    when: "does not apply to a sample from a private IP",
    facts: { ...onMessage, session: sessionOf({ isPublic: false }), spf: failing },
    outcome: "not-applicable",
  },
]);

const dkimOnly = dmarcResultOf({ alignedBy: ["dkim"], spfAligned: known(false) });
const bounces = await spfResultOf(
  "",
  { "bounces.esp.example": { TXT: ["v=spf1 ip4:203.0.113.7 -all"] } },
  "x@bounces.esp.example",
);

testCheck(spfAlignment, [
  {
    when: "passes a return path at the author's domain",
    facts: { kind: kindOf(), spf: passing, dmarcResult: dmarcResultOf() },
    says: "SPF passes for a.example, which aligns with a.example.",
  },
  {
    when: "reports a service's own return path if DKIM aligns",
    facts: { kind: kindOf({ esp: acme }), spf: bounces, dmarcResult: dkimOnly },
    finds: ["foreign"],
    says: "SPF passes for bounces.esp.example, which does not align with a.example. DMARC relies on DKIM alone.",
    fix: "Optional: set up a return path under your own domain in Acme Mail, for example `bounce.a.example`.",
  },
  {
    when: "does not apply if nothing aligns, which DMARC reports",
    facts: {
      kind: kindOf(),
      spf: bounces,
      dmarcResult: dmarcResultOf({ result: "fail", alignedBy: [], spfAligned: known(false) }),
    },
    outcome: "not-applicable",
  },
  {
    when: "does not apply if SPF does not pass",
    facts: { kind: kindOf(), spf: failing, dmarcResult: dkimOnly },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while the organization is unknown",
    facts: { kind: kindOf(), spf: bounces, dmarcResult: dmarcResultOf({ spfAligned: unknown("timeout") }) },
    outcome: "skipped",
  },
  {
    when: "does not apply to an empty return path",
    facts: { kind: kindOf(), spf: { ...bounces, identity: "helo" }, dmarcResult: dkimOnly },
    outcome: "not-applicable",
  },
]);

const asHelo = { ...failing, domain: "mx.a.example", identity: "helo" } as const;

testCheck(spfHelo, [
  {
    when: "passes a HELO name without a record",
    facts: { session: sessionOf(), spfHelo: { ...asHelo, result: "none", record: null } },
    says: `SPF for the HELO name mx.a.example does not reject ${clientAddress}.`,
  },
  {
    when: "finds a HELO name whose record excludes its own host",
    facts: { session: sessionOf(), spf: passing, spfHelo: asHelo },
    finds: ["fail"],
    says: "The SPF record for the HELO name mx.a.example does not allow 203.0.113.7.",
    fix: "Publish this TXT record at mx.a.example: `v=spf1 ip4:203.0.113.7 ip4:192.0.2.1 -all`.",
  },
  {
    when: "keeps the other addresses of the HELO name's record in the fix",
    facts: { session: sessionOf(), spf: passing, spfHelo: { ...asHelo, record: "v=spf1 a include:b.example -all" } },
    finds: ["fail"],
    fix: "Publish this TXT record at mx.a.example: `v=spf1 ip4:203.0.113.7 a include:b.example -all`.",
  },
  {
    when: "does not apply to an empty return path, where SPF judges the HELO name",
    facts: { session: sessionOf({ mailFrom: "" }), spfHelo: asHelo },
    outcome: "not-applicable",
  },
  {
    when: "does not apply if the HELO name is the return path's domain",
    facts: { session: sessionOf(), spf: { ...failing, domain: "mx.a.example" }, spfHelo: asHelo },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: { session: sessionOf(), spfHelo: { ...asHelo, result: "temperror" } },
    outcome: "skipped",
  },
  {
    when: "does not apply without a HELO name",
    facts: { session: sessionOf(), spfHelo: { ...asHelo, result: "none", domain: null } },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a sample from a private IP",
    facts: { session: sessionOf({ isPublic: false }), spfHelo: asHelo },
    outcome: "not-applicable",
  },
]);
