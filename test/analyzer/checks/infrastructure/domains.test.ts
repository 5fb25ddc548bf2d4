import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import { envelopeDomain } from "../../../../src/analyzer/checks/infrastructure/envelope-domain.ts";
import { fromDomain } from "../../../../src/analyzer/checks/infrastructure/from-domain.ts";
import { mxHosts } from "../../../../src/analyzer/checks/infrastructure/mx-hosts.ts";
import { testCheck } from "../test-check.ts";
import { fromUpload, kind, letter, message, mx, mxHost, session, shared, silentRow } from "./facts.ts";

const none = { hosts: [], addresses: known([]) };
const onlyAddress = { hosts: [], addresses: known(["203.0.113.80"]) };
const gone = { exists: false, soa: known(false), ...none };
const nullMx = { nullMx: true, ...none };
const bare = { message: "no-message" } as const;
const silentHistory = { sameMessageId: 0, selectorsSeen: [], keyFirstSeen: null };

testCheck(fromDomain, [
  { when: "passes a domain with an MX", facts: { mx: mx(), message } },
  { when: "passes a domain with only an address", facts: { mx: mx(onlyAddress), message } },
  {
    when: "finds a domain that does not exist",
    facts: { mx: mx(gone), message },
    finds: ["not-found"],
    says: "a.example, the domain of the From address, does not exist.",
  },
  {
    when: "finds a nonexistent domain without a message",
    facts: { mx: mx(gone) },
    unknown: bare,
    finds: ["not-found"],
    says: "a.example does not exist.",
  },
  { when: "reports a null MX", facts: { mx: mx(nullMx), message }, finds: ["null-mx"] },
  {
    when: "reports a domain that cannot receive replies",
    facts: { mx: mx({ domain: "news.a.example", ...none }), ...letter("ann@news.a.example") },
    finds: ["no-mail-host"],
    fix: "Publish `news.a.example. MX 10 mail.a.example`.",
  },
  {
    when: "does not apply to a domain without a message that receives no mail",
    facts: { mx: mx(none), history: silentHistory },
    unknown: bare,
    outcome: "not-applicable",
  },
  {
    when: "reports a null MX of a domain that was seen sending",
    facts: { mx: mx(nullMx), history: { ...silentHistory, selectorsSeen: ["s1"] } },
    unknown: bare,
    finds: ["null-mx"],
  },
  {
    when: "reports a subdomain that exists only through a wildcard",
    facts: {
      mx: mx({ domain: "news.a.example", soa: known(false), wildcard: known(true) }),
      ...letter("ann@news.a.example"),
    },
    finds: ["wildcard-only"],
  },
  { when: "accepts a wildcard below its own zone", facts: { mx: mx({ wildcard: known(true) }), message } },
  {
    when: "accepts a wildcard that was not looked up",
    facts: { mx: mx({ soa: known(false), wildcard: unknown("timeout") }), message },
  },
  {
    when: "judges the From domain in any order of domains",
    facts: { mx: [...mx({ domain: "b.example", ...gone }), ...mx()], message },
  },
  {
    when: "judges a domain in its own script",
    facts: { mx: mx({ domain: "xn--mnchen-3ya.example", ...nullMx }), ...letter("ann@münchen.example") },
    finds: ["null-mx"],
  },
  {
    when: "does not apply to a message without an author",
    facts: { mx: mx({ domain: "b.example" }), ...letter("") },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: { mx: [silentRow("a.example")], message },
    outcome: "skipped",
  },
  {
    when: "is skipped while its addresses are unknown",
    facts: { mx: mx({ hosts: [], addresses: unknown("timeout") }), message },
    outcome: "skipped",
  },
  {
    when: "is skipped if the message was not read",
    facts: { mx: mx() },
    unknown: { message: "parser-failed" },
    outcome: "skipped",
  },
  { when: "is skipped if the domain was not looked up", facts: { mx: [], message }, outcome: "skipped" },
]);

const path = session({ mailFrom: "b-123@bounce.a.example" });
const bounce = (changed: Parameters<typeof mx>[0] = {}) => mx({ domain: "bounce.a.example", ...changed });

testCheck(envelopeDomain, [
  {
    when: "passes a domain with an MX",
    facts: { session: path, mx: [...mx(), ...bounce()], message },
    says: "The return-path domain bounce.a.example accepts bounces.",
  },
  { when: "passes a domain with only an address", facts: { session: path, mx: bounce(onlyAddress), message } },
  {
    when: "finds a domain that does not exist",
    facts: { session: path, mx: bounce(gone), message },
    finds: ["not-found"],
  },
  {
    when: "reports a domain that receives no mail",
    facts: { session: path, mx: bounce(none), message, kind: shared },
    finds: ["no-mail-host"],
    fix: "Publish `bounce.a.example. MX 10 mail.a.example` with the hostname that Mailer gives you.",
  },
  {
    when: "reports a null MX",
    facts: { session: path, mx: bounce(nullMx), message, kind: kind() },
    finds: ["no-mail-host"],
    fix: "Publish `bounce.a.example. MX 10 mail.a.example`.",
  },
  {
    when: "leaves the From domain to its own check",
    facts: { session: session({ mailFrom: "ann@A.example" }), mx: mx(gone), message },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to an empty return path",
    facts: { session: session({ mailFrom: "" }), mx: mx(), message },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to an upload without a return path",
    facts: { session: fromUpload, mx: mx(), message },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to an address literal",
    facts: { session: session({ mailFrom: "ann@[203.0.113.7]" }), mx: mx(), message },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: { session: path, mx: [silentRow("bounce.a.example")], message },
    outcome: "skipped",
  },
  {
    when: "is skipped while its addresses are unknown",
    facts: { session: path, mx: bounce({ hosts: [], addresses: unknown("servfail") }), message },
    outcome: "skipped",
  },
]);

const nowhere = { addresses: known([]) };
const one = mxHost("mx1.a.example");
const two = mxHost("mx2.a.example", { preference: 20 });

/** As the host showed it on 20 November. */
function shownBy(host: string, daysLeft: number, problem: string | null = null) {
  const seenAt = Date.UTC(2026, 10, 20);
  const day = 86_400_000;
  const certificate = { startsAt: seenAt - 60 * day, endsAt: seenAt + daysLeft * day, seenAt };
  return { of: host, fact: known({ certificate, problem }) };
}

testCheck(mxHosts, [
  {
    when: "reports a certificate that expires soon",
    facts: {
      mx: mx({ hosts: [one, two] }),
      message,
      mxCertificates: [shownBy("mx1.a.example", 30), shownBy("mx2.a.example", 10)],
    },
    finds: ["certificate-expiring"],
    says: "The certificate for the MX host mx2.a.example expires on 2026-11-30.",
  },
  {
    when: "reports an untrusted certificate",
    facts: {
      mx: mx({ hosts: [one] }),
      message,
      mxCertificates: [shownBy("mx1.a.example", 10, "its certificate is for a different host name")],
    },
    finds: ["certificate-untrusted"],
    says: "Senders that require a trusted certificate would not deliver to the MX host mx1.a.example: its certificate is for a different host name.",
  },
  {
    when: "does not report a host that could not be reached",
    facts: { mx: mx({ hosts: [one] }), message, mxCertificates: [{ of: "mx1.a.example", fact: unknown("timeout") }] },
  },
  {
    when: "passes hosts that resolve",
    facts: { mx: mx({ hosts: [one, two] }), message },
    says: "The MX hosts for a.example resolve: mx1.a.example and mx2.a.example.",
  },
  {
    when: "does not apply to the hosts of a free mailbox provider",
    facts: { mx: mx({ domain: "gmail.com" }), message: letter("ann@gmail.com").message },
    outcome: "not-applicable",
  },
  {
    when: "finds hosts of which none resolves",
    facts: { mx: mx({ hosts: [mxHost("mx1.a.example", nowhere), mxHost("mx2.a.example", nowhere)] }), message },
    finds: ["unresolvable"],
    says: "None of the MX hosts for a.example resolves: mx1.a.example and mx2.a.example.",
  },
  {
    when: "reports one host that does not resolve next to one that does",
    facts: { mx: mx({ hosts: [one, mxHost("mx2.a.example", nowhere)] }), message },
    finds: ["partly"],
    says: "Some MX hosts for a.example do not resolve: mx2.a.example.",
  },
  {
    when: "reports one host that does not resolve next to one without an answer",
    facts: {
      mx: mx({ hosts: [mxHost("mx1.a.example", nowhere), mxHost("b", { addresses: unknown("timeout") })] }),
      message,
    },
    finds: ["partly"],
  },
  {
    when: "does not report all hosts as unresolvable if some were not looked up",
    facts: { mx: mx({ hosts: [mxHost("mx1.a.example", nowhere)], hostsLeftOut: 3 }), message },
    finds: ["partly"],
  },
  {
    when: "finds an IP address instead of a name",
    facts: { mx: mx({ hosts: [mxHost("203.0.113.7", { literal: true, ...nowhere })] }), message },
    finds: ["not-a-host"],
    says: "The MX host 203.0.113.7 for a.example is an IP address, not a hostname.",
  },
  {
    when: "finds localhost",
    facts: { mx: mx({ hosts: [one, mxHost("localhost", { addresses: known(["127.0.0.1"]) })] }), message },
    finds: ["not-a-host"],
  },
  {
    when: "finds a name with private addresses",
    facts: {
      mx: mx({ hosts: [one, mxHost("mx.a.example", { private: true, addresses: known(["10.0.0.1"]) })] }),
      message,
    },
    finds: ["not-a-host"],
    says: "The MX host mx.a.example for a.example is a name with only private addresses (10.0.0.1).",
  },
  {
    when: "finds a null MX next to another MX",
    facts: { mx: mx({ hosts: [mxHost(".", nowhere), one] }), message },
    finds: ["not-a-host"],
  },
  {
    when: "reports an alias",
    facts: { mx: mx({ hosts: [mxHost("mx1.a.example", { alias: known("host.b.example") })] }), message },
    finds: ["alias"],
    fix: "Use the canonical name host.b.example.",
  },
  {
    when: "reports hosts without IPv6",
    facts: { mx: mx({ hosts: [mxHost("mx1.a.example", { addresses: known(["203.0.113.25"]) })] }), message },
    finds: ["no-ipv6"],
  },
  {
    when: "accepts one host with IPv6",
    facts: { mx: mx({ hosts: [one, mxHost("b.example", { addresses: known(["203.0.113.25"]) })] }), message },
  },
  {
    when: "judges a domain without a message",
    facts: { mx: mx({ hosts: [one, mxHost("mx2.a.example", nowhere)] }) },
    unknown: bare,
    finds: ["partly"],
  },
  {
    when: "is skipped while a host does not answer",
    facts: { mx: mx({ hosts: [one, mxHost("b.example", { addresses: unknown("timeout") })] }), message },
    outcome: "skipped",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: { mx: [silentRow("a.example")], message },
    outcome: "skipped",
  },
  { when: "does not apply without an MX", facts: { mx: mx(onlyAddress), message }, outcome: "not-applicable" },
  { when: "does not apply to a null MX", facts: { mx: mx(nullMx), message }, outcome: "not-applicable" },
]);
