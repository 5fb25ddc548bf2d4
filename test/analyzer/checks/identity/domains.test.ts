import { describe, expect, test } from "vitest";
import { brandDomains } from "../../../../src/analyzer/checks/brands-table.ts";
import { confusables } from "../../../../src/analyzer/checks/confusables-table.ts";
import { type Fact, known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import { envelopeSender } from "../../../../src/analyzer/checks/identity/envelope-sender.ts";
import { freemailFrom } from "../../../../src/analyzer/checks/identity/freemail-from.ts";
import { lookalikeDomain } from "../../../../src/analyzer/checks/identity/lookalike-domain.ts";
import { replyTo } from "../../../../src/analyzer/checks/identity/reply-to.ts";
import { senderHeader } from "../../../../src/analyzer/checks/identity/sender-header.ts";
import { findImitated, toSkeleton } from "../../../../src/analyzer/checks/lookalike.ts";
import { mixedScriptsIn } from "../../../../src/analyzer/checks/scripts.ts";
import { bulk, dmarcFact, kindFact, letterFacts, listPost, sessionFact } from "../compliance/facts.ts";
import { testCheck } from "../test-check.ts";

const from = (domain: string) => letterFacts({ headers: { From: `Ann <ann@${domain}>` } });

testCheck(lookalikeDomain, [
  { when: "passes a plain domain", facts: from("sender.example") },
  { when: "passes a brand itself", facts: from("mail.paypal.com") },
  { when: "passes a brand under another top-level domain", facts: from("amazon.fr") },
  { when: "passes a domain in capitals", facts: from("PAYPAL.COM") },
  {
    when: "passes our own domains, even if they look alike",
    facts: { ...from("shopl.example"), own: { domains: ["shopl.example", "shop1.example"] } },
  },
  {
    when: "finds an I instead of an l",
    facts: from("paypaI.com"),
    finds: ["imitates"],
    says: "The From domain paypaI.com looks like paypal.com.",
  },
  { when: "finds a digit instead of a letter", facts: from("mail.paypa1.net"), finds: ["imitates"] },
  { when: "finds rn instead of m", facts: from("rnicrosoft.com"), finds: ["imitates"] },
  {
    when: "finds an imitation of our own domain",
    facts: { ...from("shop1.example"), own: { domains: ["shopl.example"] } },
    finds: ["imitates"],
    says: "The From domain shop1.example looks like shopl.example.",
  },
  {
    when: "finds a brand written completely in Cyrillic",
    facts: from("xn--80ak6aa92e.com"),
    finds: ["imitates"],
    says: "The From domain аррӏе.com looks like apple.com.",
  },
  {
    when: "finds a Cyrillic letter among Latin ones",
    facts: from("exаmple.com"),
    finds: ["mixed-script"],
    says: "The From domain exаmple.com mixes Latin and Cyrillic letters (xn--exmple-4nf.com).",
  },
  { when: "finds both together", facts: from("pаypal.com"), finds: ["mixed-script", "imitates"] },
  {
    when: "finds a brand with a service in one label",
    facts: from("paypal-secure.example"),
    finds: ["brand-inside"],
    says: "The From domain paypal-secure.example contains the name PayPal, but it is not a known PayPal domain.",
  },
  {
    when: "finds a brand's whole domain below another",
    facts: from("paypal.com.badshop.example"),
    finds: ["brand-inside"],
  },
  {
    when: "finds digits instead of letters next to the name of a service",
    facts: from("secure-paypa1.example"),
    finds: ["brand-inside"],
  },
  { when: "passes the name of a service as a label", facts: from("sendgrid.shop.example") },
  { when: "passes a brand's name next to another word", facts: from("shopify-experts.example") },
  { when: "passes a brand's own mail domain", facts: from("facebookmail.com") },
  { when: "passes a free mailbox", facts: from("googlemail.com") },
  {
    when: "passes the workspace's own domain, whatever it contains",
    facts: { ...from("paypal-support.example"), own: { domains: ["paypal-support.example"] } },
  },
  {
    when: "passes Japanese with Latin letters, and reports only that it is internationalized",
    facts: from("tokyo東京カフェ.example"),
    finds: ["idn"],
  },
  {
    when: "reports an internationalized domain",
    facts: from("bücher.example"),
    finds: ["idn"],
    says: "The From domain bücher.example is sent as xn--bcher-kva.example.",
  },
  {
    when: "does not praise a brand's name without an ending, which is no domain",
    facts: from("paypal"),
    outcome: "not-applicable",
  },
  {
    when: "leaves an unreadable From to another check",
    facts: letterFacts({ headers: { From: "nobody" } }),
    outcome: "not-applicable",
  },
]);

describe("lookalike domains", () => {
  test.each(Object.entries(confusables).flatMap(([look, letters]) => [...letters].map((letter) => [letter, look])))(
    "the domain %s looks like %s",
    (letter = "", look = "") => expect(toSkeleton(letter)).toBe(toSkeleton(look)),
  );

  test("no brand domain counts as a lookalike of itself or of another brand", () => {
    for (const domain of brandDomains()) expect(findImitated(domain, domain)).toBeNull();
    expect(new Set(brandDomains()).size).toBe(brandDomains().length);
  });

  test.each([
    "intel.com",
    "interia.pl",
    "oracle.com",
    "meta.com",
    "linen.com",
    "lntel.example",
    "ing.com",
    "Ivy.example",
    "modern.com",
  ])("the domain %s is not a lookalike", (domain) => expect(findImitated(domain.toLowerCase(), domain)).toBeNull());

  test.each([
    ["東京tokyo", null],
    ["한국korea", null],
    ["пример", null],
    ["straße-5", null],
    ["plain", null],
    ["pаypal", ["Latin", "Cyrillic"]],
    ["ελλaδα", ["Latin", "Greek"]],
    ["中国россия", ["Cyrillic", "Han"]],
    ["ひらがな한국", ["Hiragana", "Hangul"]],
  ])("the alphabets mixed in %s are %j", (label, mixed) => {
    expect(mixedScriptsIn(label)).toEqual(mixed);
  });
});

const answers = (replyTo: string | null, rest: Record<string, string> = {}, kind = bulk) => ({
  ...letterFacts({ headers: { "Reply-To": replyTo, ...rest } }),
  kind,
});

testCheck(replyTo, [
  { when: "passes without Reply-To", facts: answers(null), says: "No Reply-To header from another organization." },
  { when: "passes a subdomain of the same organization", facts: answers("help@desk.sender.example") },
  {
    when: "reports a help desk",
    facts: answers("help@desk.example"),
    finds: ["elsewhere"],
    why: "Fraudsters often direct replies away from the address that recipients see.",
    says: "Replies go to help@desk.example, not to sender.example.",
  },
  {
    when: "finds a free mailbox as reply address of unauthenticated mail",
    facts: { ...answers("boss@gmail.com"), dmarcResult: dmarcFact("fail") },
    finds: ["freemail"],
    says: "Mail from sender.example directs replies to the free mailbox boss@gmail.com.",
  },
  {
    when: "reports a free mailbox only as a note if DMARC passes",
    facts: { ...answers("boss@gmail.com"), dmarcResult: dmarcFact("pass", ["dkim"]) },
    finds: ["elsewhere"],
  },
  {
    when: "reports a free mailbox only as a note if a signature aligns without a record",
    facts: { ...answers("boss@gmail.com"), dmarcResult: dmarcFact("none", ["dkim"]) },
    finds: ["elsewhere"],
  },
  {
    when: "is skipped for a free mailbox while the DMARC record is unknown",
    facts: answers("boss@gmail.com"),
    unknown: { dmarcResult: "timeout" },
    outcome: "skipped",
  },
  {
    when: "is skipped for a free mailbox while the DMARC result is unknown",
    facts: { ...answers("boss@gmail.com"), dmarcResult: dmarcFact("temperror") },
    outcome: "skipped",
  },
  {
    when: "reports two free mailboxes only as a note",
    facts: answers("ann@gmail.com", { From: "ann@yahoo.com" }),
    finds: ["elsewhere"],
  },
  {
    when: "finds the recipient as reply address",
    facts: answers("Bob <BOB@receiver.example>"),
    finds: ["to-recipient"],
  },
  {
    when: "reports a member of a discussion only as a note",
    facts: answers("ann@sender.example, bob@receiver.example"),
    finds: ["elsewhere"],
  },
  {
    when: "reports a mailing list's own address only as a note",
    facts: answers("bob@receiver.example", {}, listPost),
    finds: ["elsewhere"],
  },
  {
    when: "finds a name without an address",
    facts: answers('"Energy Advice"'),
    finds: ["unreadable"],
    says: 'The Reply-To header has no valid address ("Energy Advice").',
  },
  { when: "finds an address with brackets", facts: answers("reply-[tag_24]@list.example"), finds: ["unreadable"] },
  { when: "passes an empty Reply-To", facts: answers("") },
  { when: "passes an address at an IP address", facts: answers("ann@[192.0.2.1]") },
  {
    when: "leaves an unreadable From to another check",
    facts: answers("a@b.example", { From: "nobody" }),
    outcome: "not-applicable",
  },
]);

testCheck(senderHeader, [
  { when: "passes without Sender", facts: letterFacts() },
  {
    when: "passes a subdomain of the same organization",
    facts: letterFacts({ headers: { Sender: "robot@mail.sender.example" } }),
  },
  {
    when: "reports another domain",
    facts: letterFacts({ headers: { Sender: "bounce@esp.example" } }),
    finds: ["differs"],
    says: "Outlook may show that bounce@esp.example sent it on behalf of ann@sender.example.",
  },
  {
    when: "does not praise a Sender that is no address",
    facts: letterFacts({ headers: { Sender: "shop.example" } }),
    outcome: "not-applicable",
  },
  {
    when: "leaves an unreadable From to another check",
    facts: letterFacts({ headers: { From: "nobody" } }),
    outcome: "not-applicable",
  },
]);

const free = (
  result: Parameters<typeof dmarcFact>[0],
  kind = kindFact("personal"),
  alignedBy: ("spf" | "dkim")[] = [],
  spfAligned: Fact<boolean> = known(alignedBy.includes("spf")),
) => ({
  ...from("gmail.com"),
  dmarcResult: { ...dmarcFact(result, alignedBy), fromDomain: "gmail.com", spfAligned },
  kind,
});
const forwarded = (dmarc: string, verified = true) =>
  kindFact("personal", {
    forwarded: known({ is: true, verified, by: "a.example", first: { spf: null, dkim: null, dmarc }, reasons: [] }),
  });

testCheck(freemailFrom, [
  {
    when: "passes mail sent by the provider",
    facts: free("pass", undefined, ["dkim"]),
    says: "The address ann@gmail.com belongs to Gmail, which sent the message.",
  },
  { when: "passes mail with alignment and without a record", facts: free("none", undefined, ["spf"]) },
  {
    when: "finds mail sent through another server",
    facts: free("fail"),
    finds: ["elsewhere"],
    says: "The address ann@gmail.com belongs to Gmail, but Gmail did not send the message.",
  },
  {
    when: "finds the default domain of a hosting service",
    facts: { ...free("pass"), ...letterFacts({ headers: { From: "Ann <noreply@ann-1c2d.firebaseapp.com>" } }) },
    finds: ["default-domain"],
    why: "All customers of the service share the reputation of its domain, and spammers are among them.",
    says: "The From domain ann-1c2d.firebaseapp.com is one that Firebase gives to every customer for free.",
    fix: "Send from your own domain, and set it up at Firebase.",
  },
  { when: "finds bulk mail from a free mailbox", facts: free("pass", bulk, ["dkim"]), finds: ["bulk"] },
  { when: "passes a post to a mailing list", facts: free("pass", listPost, ["dkim"]) },
  { when: "is skipped while the DMARC result is unknown", facts: free("temperror"), outcome: "skipped" },
  {
    when: "is skipped without a session, because SPF might have passed",
    facts: free("none", undefined, [], unknown("no-session")),
    outcome: "skipped",
  },
  {
    when: "leaves an ambiguous author to another check",
    facts: { ...free("none"), dmarcResult: { ...dmarcFact("none"), fromDomain: null } },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to mail changed by a verified forwarder",
    facts: free("fail", forwarded("pass")),
    outcome: "not-applicable",
  },
  {
    when: "finds mail with only claimed forwarding",
    facts: free("fail", forwarded("pass", false)),
    finds: ["elsewhere"],
  },
  {
    when: "does not apply to a domain that is not a free mailbox",
    facts: { ...from("sender.example"), dmarcResult: dmarcFact("fail"), kind: bulk },
    outcome: "not-applicable",
  },
]);

testCheck(envelopeSender, [
  {
    when: "passes a bounce address",
    facts: { session: sessionFact("bounce+1@esp.example") },
    says: "Bounces go to bounce+1@esp.example.",
  },
  { when: "finds an empty return path", facts: { session: sessionFact("") }, finds: ["null"] },
  { when: "is skipped if the return path is unknown", facts: { session: sessionFact(null) }, outcome: "skipped" },
]);
