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
    when: "an address that is listed may send",
    facts: { ...onMessage, spf: passing },
    finds: ["pass"],
    says: "203.0.113.7 may send for a.example (ip4:203.0.113.7).",
  },
  {
    when: "an address that is not listed may not",
    facts: { ...onMessage, spf: failing },
    finds: ["fail"],
    says: '203.0.113.7 is not allowed to send for a.example, because the SPF record says "-all".',
    fix: "Send through your usual server. If 203.0.113.7 is yours, add it to the record: `v=spf1 ip4:203.0.113.7 ip4:192.0.2.1 -all`",
  },
  {
    when: "a redirect decides in another record",
    facts: {
      ...onMessage,
      spf: await spfResultOf("v=spf1 redirect=b.example", { "b.example": { TXT: ["v=spf1 -all"] } }),
    },
    finds: ["fail"],
    says: '203.0.113.7 is not allowed to send for a.example, because the SPF record for b.example says "-all".',
  },
  {
    when: "a service is asked about its own record",
    facts: { ...foreign, kind: kindOf({ esp: acme }), spf: failing },
    finds: ["fail"],
    fix: "Ask Acme Mail to allow this server.",
  },
  {
    when: "~all is a soft no",
    facts: { ...onMessage, spf: soft },
    finds: ["softfail"],
    says: '203.0.113.7 is not listed for a.example, and the SPF record says "~all".',
  },
  {
    when: "another's server may have forwarded what is signed",
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
    when: "?all is no answer",
    facts: { ...onMessage, spf: neutral },
    finds: ["neutral"],
    says: "The SPF record for a.example neither allows nor forbids 203.0.113.7.",
    fix: "Add `ip4:203.0.113.7` for this server, and end the record with `~all` or `-all`: `v=spf1 ip4:203.0.113.7 ip4:192.0.2.1 ~all`",
  },
  {
    when: "a forwarder that a chain vouches for fails for its own address",
    facts: { ...onMessage, kind: kindOf({ forwarded: forwardedBy("alumni.example", passedThere) }), spf: failing },
    finds: ["forwarded"],
    says: "SPF fails for 203.0.113.7 because alumni.example forwarded the message. SPF passed before that.",
  },
  {
    when: "what failed at the first stop too is not judged by the forwarder's address",
    facts: {
      ...onMessage,
      kind: kindOf({ forwarded: forwardedBy("alumni.example", { ...passedThere, spf: "none" }) }),
      spf: soft,
    },
    outcome: "not-applicable",
  },
  {
    when: "a mere claim of forwarding changes nothing",
    facts: { ...onMessage, kind: kindOf({ forwarded: claimedForward }), spf: failing },
    finds: ["fail"],
  },
  {
    when: "whether it was forwarded is not known",
    facts: { ...onMessage, kind: kindOf({ forwarded: forwardUnknown }), spf: failing },
    outcome: "skipped",
  },
  {
    when: "no record is told elsewhere",
    facts: { ...onMessage, spf: await spfResultOf("hello") },
    outcome: "not-applicable",
  },
  {
    when: "a permerror is told elsewhere",
    facts: { ...onMessage, spf: await spfResultOf("v=spf1 ipv4:1 -all") },
    outcome: "not-applicable",
  },
  {
    when: "DNS that is silent proves nothing",
    facts: { ...onMessage, spf: await spfResultOf("", { "a.example": "timeout" }) },
    outcome: "skipped",
  },
  {
    when: "a sample from a private address is not judged",
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
    when: "the envelope lies in the author's domain",
    facts: { kind: kindOf(), spf: passing, dmarcResult: dmarcResultOf() },
    says: "SPF passes for a.example, which aligns with a.example.",
  },
  {
    when: "a service has its own envelope, and DKIM carries DMARC",
    facts: { kind: kindOf({ esp: acme }), spf: bounces, dmarcResult: dkimOnly },
    finds: ["foreign"],
    says: "SPF passes for bounces.esp.example, which does not align with a.example. DMARC relies on DKIM alone.",
    fix: "Optional: set up a return path under your own domain in Acme Mail, for example `bounce.a.example`.",
  },
  {
    when: "nothing aligns, which DMARC tells",
    facts: {
      kind: kindOf(),
      spf: bounces,
      dmarcResult: dmarcResultOf({ result: "fail", alignedBy: [], spfAligned: known(false) }),
    },
    outcome: "not-applicable",
  },
  {
    when: "SPF does not pass",
    facts: { kind: kindOf(), spf: failing, dmarcResult: dkimOnly },
    outcome: "not-applicable",
  },
  {
    when: "which organisation it belongs to is not known",
    facts: { kind: kindOf(), spf: bounces, dmarcResult: dmarcResultOf({ spfAligned: unknown("timeout") }) },
    outcome: "skipped",
  },
  {
    when: "the return path is empty",
    facts: { kind: kindOf(), spf: { ...bounces, identity: "helo" }, dmarcResult: dkimOnly },
    outcome: "not-applicable",
  },
]);

const asHelo = { ...failing, domain: "mx.a.example", identity: "helo" } as const;

testCheck(spfHelo, [
  {
    when: "most hosts publish nothing for their name",
    facts: { session: sessionOf(), spfHelo: { ...asHelo, result: "none", record: null } },
    says: `SPF for the HELO name mx.a.example does not reject ${clientAddress}.`,
  },
  {
    when: "a name that excludes its own host",
    facts: { session: sessionOf(), spf: passing, spfHelo: asHelo },
    finds: ["fail"],
    says: "The SPF record for the HELO name mx.a.example does not allow 203.0.113.7.",
    fix: "Publish this TXT record at mx.a.example: `v=spf1 ip4:203.0.113.7 ip4:192.0.2.1 -all`.",
  },
  {
    when: "a name whose record lists other addresses keeps them",
    facts: { session: sessionOf(), spf: passing, spfHelo: { ...asHelo, record: "v=spf1 a include:b.example -all" } },
    finds: ["fail"],
    fix: "Publish this TXT record at mx.a.example: `v=spf1 ip4:203.0.113.7 a include:b.example -all`.",
  },
  {
    when: "with the empty return path SPF judges the name itself",
    facts: { session: sessionOf({ mailFrom: "" }), spfHelo: asHelo },
    outcome: "not-applicable",
  },
  {
    when: "the name is the envelope's domain too",
    facts: { session: sessionOf(), spf: { ...failing, domain: "mx.a.example" }, spfHelo: asHelo },
    outcome: "not-applicable",
  },
  {
    when: "DNS that is silent proves nothing",
    facts: { session: sessionOf(), spfHelo: { ...asHelo, result: "temperror" } },
    outcome: "skipped",
  },
  {
    when: "the client gave no name",
    facts: { session: sessionOf(), spfHelo: { ...asHelo, result: "none", domain: null } },
    outcome: "not-applicable",
  },
  {
    when: "a sample from a private address is not judged",
    facts: { session: sessionOf({ isPublic: false }), spfHelo: asHelo },
    outcome: "not-applicable",
  },
]);
