import { describe, expect, test } from "vitest";
import { displayName } from "../../../../src/analyzer/checks/identity/display-name.ts";
import { fakeReply, prefixOf } from "../../../../src/analyzer/checks/identity/fake-reply.ts";
import { invisibleCharacters } from "../../../../src/analyzer/checks/identity/invisible-characters.ts";
import prefixesByLanguage from "../../../../src/analyzer/checks/identity/reply-prefixes.json" with { type: "json" };
import type { KindFact } from "../../../../src/analyzer/checks/kind.ts";
import { dmarcResultOf } from "../authentication/spf-facts.ts";
import { bulk, dkimFact, kindFact, letterFacts, listPost, sessionFact, signature } from "../compliance/facts.ts";
import { testCheck } from "../test-check.ts";

const from = (From: string, rest: Record<string, string> = {}, kind: KindFact = bulk) => ({
  ...letterFacts({ headers: { From, ...rest } }),
  kind,
});

testCheck(displayName, [
  { when: "passes a plain name", facts: from("Ann <ann@sender.example>"), says: 'The sender name is "Ann".' },
  {
    when: "shows an emoji of several parts as it is, and an invisible character as its code",
    facts: from("Ann 🤸\u200d♂\ufe0f 3\ufe0f\u20e3 a\ufe0fb \u200d <ann@sender.example>"),
    says: 'The sender name is "Ann 🤸\u200d♂\ufe0f 3\ufe0f\u20e3 a\\ufe0fb \\u200d".',
  },
  { when: "passes a name with its own address", facts: from('"Ann, ann@sender.example" <ann@sender.example>') },
  {
    when: "passes another address of the same organization",
    facts: from('"help@sender.example" <robot@mail.sender.example>'),
  },
  { when: "passes its own domain", facts: from("Booking.com <noreply@booking.com>") },
  { when: "passes its own domain under another top-level domain", facts: from("Amazon.de <noreply@amazon.com>") },
  {
    when: "passes names that only look like domains",
    facts: from('"Node.js Weekly and ASP.NET, St.John" <a@sender.example>'),
  },
  { when: "passes an ordinary emoji", facts: from("Café ☕ <a@sender.example>") },
  {
    when: "passes the author that a mailing list puts into the name",
    facts: from('"ann@a.com via Users" <users@list.example>', {}, listPost),
  },
  {
    when: "finds an address of another organization",
    facts: from('"ceo@bank.example" <x@y.example>'),
    finds: ["other-address"],
    says: 'The sender name shows "ceo@bank.example", but the mail is from x@y.example.',
    fix: 'Use your name: `From: "Your name" <x@y.example>`.',
  },
  {
    when: "finds an address next to a name",
    facts: from('"Big Bank (ceo@bank.example)" <x@y.example>'),
    finds: ["other-address"],
    fix: 'Use your name: `From: "Big Bank" <x@y.example>`.',
  },
  {
    when: "finds a domain of another organization",
    facts: from("bank.com Support <x@y.example>"),
    finds: ["other-domain"],
    says: "The sender name shows bank.com, but the mail is from x@y.example.",
  },
  {
    when: "finds the name of a brand",
    facts: from("PayPal Support <x@y.example>"),
    finds: ["brand"],
    says: 'The sender name "PayPal Support" claims to be PayPal, but y.example is not a known PayPal domain.',
    fix: 'Use your own name: `From: "Your name" <x@y.example>`. If you are PayPal, send from paypal.com.',
  },
  {
    when: "finds the name of a brand that From shows without a domain that can be parsed",
    facts: from("PayPal Support ,_<x@y,example>"),
    finds: ["brand"],
    says: 'The sender name "PayPal Support" claims to be PayPal, but y,example is not a known PayPal domain.',
    fix: 'Use your own name: `From: "Your name" <you@your-domain.example>`. If you are PayPal, send from paypal.com.',
  },
  {
    when: "finds the name of a brand that From shows twice, each time in quotes",
    facts: from('"PayPal !", "PayPal !", <x@y.example>'),
    finds: ["brand"],
    says: 'The sender name "PayPal !" claims to be PayPal, but y.example is not a known PayPal domain.',
  },
  {
    when: "finds a name and an address of a brand, and repeats neither in the fix",
    facts: from("PayPal <paypal-service@y.example>"),
    finds: ["brand"],
    fix: 'Use your own name: `From: "Your name" <you@y.example>`. If you are PayPal, send from paypal.com.',
  },
  ...["paypal-secure.com", "secure-paypa1.shop", "xn--pypal-4ve.com"].map((domain) => ({
    when: `leaves the domain ${domain}, which imitates the brand, out of the fix`,
    facts: from(`PayPal Support <x@${domain}>`),
    finds: ["brand"],
    fix: 'Use your own name: `From: "Your name" <you@your-domain.example>`. If you are PayPal, send from paypal.com.',
    ownedBy: domain.startsWith("xn") ? "lookalike-domain.imitates" : "lookalike-domain.brand-inside",
  })),
  {
    when: "leaves a local part that spells the brand with separators out of the fix",
    facts: from("PayPal <service.pay-pal@y.example>"),
    finds: ["brand"],
    fix: 'Use your own name: `From: "Your name" <you@y.example>`. If you are PayPal, send from paypal.com.',
  },
  {
    when: "names Apple by its own name",
    facts: from("Apple <x@y.example>", { Subject: "Your Apple ID account has been locked" }),
    finds: ["brand"],
    says: 'The sender name "Apple" claims to be Apple, but y.example is not a known Apple domain.',
  },
  {
    when: "passes a product in the name of a colleague",
    facts: from("Office 365 Support <office365@y.example>", { To: "ann@y.example" }),
  },
  ...["Microsoft <x@y.example>", "Microsoft Teams <x@gmail.com>", "Microsoft Teams <ann@y.example>"].map((header) => ({
    when: `finds a brand in ${header}, who is no colleague that supports a product`,
    facts: from(header, { To: header.includes("gmail") ? "ann@gmail.com" : "ann@y.example" }),
    finds: ["brand"],
  })),
  {
    when: "finds a product in a name that only claims to be a colleague's",
    facts: {
      ...from("Microsoft Teams <x@y.example>", { To: "ann@y.example" }),
      dmarcResult: dmarcResultOf({ result: "fail", alignedBy: [] }),
    },
    finds: ["brand"],
  },
  {
    when: "finds the name of an office whose mail comes from below a registry's suffix",
    facts: from("Receita Federal <x@y.example>"),
    finds: ["brand"],
    fix: 'Use your own name: `From: "Your name" <x@y.example>`. If you are Receita Federal, send from a domain under gov.br.',
  },
  {
    when: "finds the name of a brand at its own name without an ending, which is no domain",
    facts: from("PayPal <x@paypal>"),
    finds: ["brand"],
    fix: 'Use your own name: `From: "Your name" <you@your-domain.example>`. If you are PayPal, send from paypal.com.',
  },
  {
    when: "finds the name of a brand without any address",
    facts: from('"Facebook" <>'),
    finds: ["brand-unreadable"],
    says: 'The sender name "Facebook" claims to be Facebook, but From has no address that can be read.',
  },
  {
    when: "finds the name of a brand on a service where anyone can send",
    facts: from("PayPal Support <x@mrkq.zendesk.com>"),
    finds: ["brand-on-service"],
    says: 'The sender name "PayPal Support" claims to be PayPal, but the mail is from mrkq.zendesk.com. Anyone can open an account at Zendesk, and such mail passes authentication.',
  },
  { when: "passes a brand's own account at a service", facts: from("Uber Support <x@uber.zendesk.com>") },
  { when: "passes an event of a brand", facts: from("Google Cloud <noreply@event.eventbrite.com>") },
  {
    when: "finds the service address of a brand",
    facts: from('"service@paypal.com" <x@y.example>'),
    finds: ["other-address", "brand"],
  },
  { when: "passes a partner of a brand", facts: from('"Acme, Official Microsoft® Partner" <x@y.example>') },
  { when: "reports the domain of a brand once", facts: from("paypal.com Support <x@y.example>"), finds: ["brand"] },
  {
    when: "reports both a brand's address and its name",
    facts: from('"PayPal (service@paypal.com)" <x@y.example>'),
    finds: ["other-address", "brand"],
  },
  {
    when: "costs nothing if lookalike-domain already reports the imitated brand",
    facts: from("PayPal <x@paypa1.com>"),
    finds: ["brand"],
    ownedBy: "lookalike-domain.imitates",
  },
  {
    when: "costs nothing if lookalike-domain already reports the brand's name in the domain",
    facts: from("PayPal <x@paypal-secure.example>"),
    finds: ["brand"],
    ownedBy: "lookalike-domain.brand-inside",
  },
  {
    when: "passes mail signed by the brand",
    facts: { ...from("PayPal <x@mailings.example>"), dkim: dkimFact(signature({ domain: "mail.paypal.com" })) },
  },
  {
    when: "finds a brand whose signature fails",
    facts: {
      ...from("PayPal <x@mailings.example>"),
      dkim: dkimFact(signature({ domain: "paypal.com", result: "fail" })),
    },
    finds: ["brand"],
  },
  {
    when: "passes the workspace's own domain",
    facts: { ...from("PayPal <x@y.example>"), own: { domains: ["y.example"] } },
  },
  {
    when: "passes a brand that posts through a mailing list",
    facts: from("\"'PayPal Support' via Users\" <users@list.example>", {}, listPost),
  },
  {
    when: "finds the recipient's organization",
    facts: from('"Receiver IT Support" <x@y.example>'),
    finds: ["recipient-organization"],
    says: 'The sender name "Receiver IT Support" claims to be the recipient\'s organization (receiver.example), but the mail is from y.example.',
  },
  {
    when: "finds the recipient's organization by the recipient of the session",
    facts: {
      ...from('"Receiver IT Support" <x@y.example>', { To: "undisclosed-recipients:;" }),
      session: sessionFact("x@y.example"),
    },
    finds: ["recipient-organization"],
  },
  {
    when: "passes the organization's own mail to its staff",
    facts: from('"Receiver IT Support" <it@receiver.example>'),
  },
  {
    when: "finds a role that belongs to the recipient's organization",
    facts: from('"IT Helpdesk" <x@y.example>'),
    finds: ["role"],
    says: 'The sender name "IT Helpdesk" sounds like the recipient\'s own staff, but the mail is from y.example.',
    fix: 'Add your organization: `From: "Your company IT Helpdesk" <x@y.example>`.',
  },
  {
    when: "passes a role in a message sent only to a test address",
    facts: {
      ...from('"IT Helpdesk" <x@y.example>', { To: "t1@assay.example" }),
      session: sessionFact("x@y.example", ["t1@assay.example"]),
    },
  },
  {
    when: "finds a mailbox administrator for any recipient",
    facts: from('"Mailbox Administrator" <x@y.example>', { To: "bob@gmail.com" }),
    finds: ["role"],
  },
  {
    when: "finds a check mark",
    facts: from("Shop ✅ <a@sender.example>"),
    finds: ["decorated"],
    says: 'The sender name "Shop ✅" imitates a verified badge.',
  },
  { when: "finds an unread counter", facts: from('"Ann (2)" <a@sender.example>'), finds: ["decorated"] },
  { when: "finds a reply prefix", facts: from('"Re: your order" <a@sender.example>'), finds: ["decorated"] },
  {
    when: "finds the subject as name",
    facts: from("Your parcel is waiting now <a@sender.example>", { Subject: "Your parcel is waiting now" }),
    finds: ["decorated"],
  },
  {
    when: "passes a newsletter named like its subject",
    facts: from("Weekly News <a@sender.example>", { Subject: "Weekly News" }),
  },
  {
    when: "finds the recipient as name",
    facts: from("Bob Miller <a@sender.example>", { To: "Bob Miller <bob@receiver.example>" }),
    finds: ["decorated"],
    says: 'The sender name "Bob Miller" imitates the recipient.',
  },
  {
    when: "passes a sender who writes to their own other address",
    facts: from("Bob Miller <a@sender.example>", { To: "Bob Miller <bob@receiver.example>" }, kindFact("personal")),
  },
  {
    when: "reports an address without a name",
    facts: from("ann@sender.example"),
    finds: ["same-as-address"],
    says: "Recipients see only the address ann@sender.example.",
  },
  {
    when: "reports the address as name",
    facts: from('"ANN@sender.example" <ann@sender.example>'),
    finds: ["same-as-address"],
  },
  { when: "leaves an unreadable From to another check", facts: from("nobody"), outcome: "not-applicable" },
  {
    when: "leaves a repeated From to another check",
    facts: { ...letterFacts({ headers: { From: ["a@b.example", "c@d.example"] } }), kind: bulk },
    outcome: "not-applicable",
  },
]);

const subject = (
  Subject: string | null,
  headers: Record<string, string> = {},
  kind: KindFact = bulk,
  text = "News",
) => ({ ...letterFacts({ headers: { Subject, ...headers }, text }), kind });

testCheck(fakeReply, [
  { when: "passes a subject without a prefix", facts: subject("News of the day: 10 things") },
  { when: "passes a real reply", facts: subject("Re: your order", { References: "<1@x.example>" }) },
  { when: "passes a missing subject", facts: subject(null) },
  {
    when: "finds a false reply",
    facts: subject("Re: your order"),
    finds: ["reply"],
    says: 'The subject starts with "Re:", but the message is not a reply.',
  },
  {
    when: "finds a false reply with a number",
    facts: subject("AW (2): Ihre Bestellung", {}, kindFact("transactional")),
    finds: ["reply"],
  },
  { when: "finds a false reply in Chinese", facts: subject("回复：订单"), finds: ["reply"] },
  { when: "finds a false forward", facts: subject("Fwd: Sale"), finds: ["forward"] },
  {
    when: "passes a forwarded message with a quotation",
    facts: subject("Fwd: Sale", {}, bulk, "See\r\n\r\n---------- Forwarded message ----------\r\nFrom: a@b.example"),
  },
  { when: "passes a message forwarded by a person", facts: subject("Fwd: Sale", {}, kindFact("transactional")) },
  {
    when: "does not apply to posts to a mailing list",
    facts: subject("Re: topic", {}, listPost),
    outcome: "not-applicable",
  },
]);

describe("reply and forward prefixes", () => {
  test("reply and forward prefixes exist for at least 30 languages", () => {
    expect(Object.keys(prefixesByLanguage).length).toBeGreaterThanOrEqual(30);
  });

  test.each(
    Object.entries(prefixesByLanguage).flatMap(([language, { reply, forward }]) =>
      [...reply, ...forward].map((word) => [language, word] as const),
    ),
  )("reply and forward prefixes of %s are recognized: %s", (_, word) => expect(prefixOf(`${word}: x`)).not.toBeNull());

  test.each([
    "Ready: set, go",
    "Report: sales",
    "R: the language",
    "CT: news",
    "Research: x",
    "Pre: x",
    "10:30 is the time",
    "res publica",
  ])("reply and forward prefixes are not recognized in %s", (text) => expect(prefixOf(text)).toBeNull());
});

const hiding = (headers: Record<string, string>) => letterFacts({ headers });

testCheck(invisibleCharacters, [
  { when: "passes plain text", facts: hiding({}) },
  { when: "passes a family emoji", facts: hiding({ Subject: "👨\u200d👩\u200d👧 Sale ❤\ufe0f" }) },
  { when: "passes Persian with a joiner", facts: hiding({ Subject: "می\u200cخواهم" }) },
  { when: "passes Hebrew without control characters", facts: hiding({ Subject: "שלום Ann" }) },
  { when: "passes Hebrew with embedding characters", facts: hiding({ Subject: "\u202bשלום Ann\u202c" }) },
  { when: "passes a name between isolate characters", facts: hiding({ Subject: "Hello \u2068Ann\u2069!" }) },
  { when: "passes Thai with separators between its words", facts: hiding({ Subject: "สวัสดี\u200bครับ" }) },
  { when: "passes padding at the end", facts: hiding({ Subject: "Hello \u200b \u200b" }) },
  {
    when: "finds a direction override",
    facts: hiding({ Subject: "invoice \u202excod.exe" }),
    finds: ["bidi"],
    says: "Subject contains U+202E, which reverses the text direction.",
  },
  {
    when: "finds a left-to-right isolate around Latin letters",
    facts: hiding({ From: '"Ann \u2067Smith" <ann@sender.example>' }),
    finds: ["bidi"],
  },
  {
    when: "passes names and units in other alphabets",
    facts: hiding({ Subject: "5 μs of Ω, Δt, βeta 1, iPhone для вас" }),
  },
  { when: "passes an abbreviation with a foreign ending", facts: hiding({ Subject: "Отправка PDFа и SMSкой" }) },
  {
    when: "passes Greek letters in names of science",
    facts: hiding({ Subject: "RORγt, FcγR, CaMKIIα and αTocopherol" }),
  },
  { when: "passes Latin names with a Russian ending", facts: hiding({ Subject: "Обзор Linuxа и Pythonа" }) },
  { when: "finds disguised capitals", facts: hiding({ Subject: "CASIN\u041e VIAGR\u0410" }), finds: ["mixed-letters"] },
  { when: "passes Japanese with Latin letters", facts: hiding({ Subject: "Tシャツのセール" }) },
  {
    when: "finds letters that only look Latin",
    facts: hiding({ Subject: "Your B\u0430nk account" }),
    finds: ["mixed-letters"],
    says: 'Subject contains "B\u0430nk", which mixes Latin and Cyrillic letters that look alike.',
  },
  {
    when: "finds zero-width characters",
    facts: hiding({ Subject: "Pay\u200bPal and A\u00adm\u2060azon" }),
    finds: ["zero-width"],
    says: "Subject contains invisible characters (3 in total).",
  },
  {
    when: "finds zero-width characters in both headers",
    facts: hiding({ From: "Pay\u200bPal <ann@sender.example>", Subject: "Pay\u200bPal" }),
    finds: ["zero-width", "zero-width"],
  },
]);
