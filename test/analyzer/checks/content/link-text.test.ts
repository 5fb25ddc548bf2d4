import { linkText } from "../../../../src/analyzer/checks/content/link-text.ts";
import { session } from "../format/given.ts";
import { testCheck } from "../test-check.ts";
import { linking, type Written } from "./given.ts";
import { signedBy } from "./link-facts.ts";

const token = "AAAAbbbbCCCCddddEEEE";
const safe = (href: string) =>
  `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(href)}&data=05`;

testCheck(linkText, [
  {
    when: "passes a text that shows where it leads",
    facts: linking(`<a href="https://bank.example/login">https://bank.example</a> <a href="/x">words</a>`),
    says: "Every link that shows an address opens that address (1 checked).",
  },
  {
    when: "passes links that show words",
    facts: linking(`<a href="https://bank.example/login">Log in</a>`),
    says: "No link text shows a web address.",
  },
  {
    when: "finds a text that shows another site",
    facts: linking(`<a href="https://x.test/login">bank.example</a>`),
    finds: ["mismatch"],
    says: "The link shows bank.example but opens x.test.",
  },
  {
    when: "tells of a bare address behind a name: with a host name in its place the text would still lie",
    facts: linking(`<a href="http://203.0.113.99/login">https://www.bank.example/</a>`),
    finds: ["mismatch"],
    says: "The link shows www.bank.example but opens 203.0.113.99.",
  },
  {
    when: "takes a known brand's address over another's page for an imitation",
    facts: linking(`<a href="http://203.0.113.99/login">https://www.paypal.com/</a>
      <a href="https://login.x.test/paypal">www.amazon.com</a>`),
    finds: ["imitates", "imitates"],
    says: "The link shows www.amazon.com, which belongs to Amazon, but opens login.x.test.",
  },
  {
    when: "takes an unknown counter of clicks for a mismatch, and not for an imitation",
    facts: linking(`<a href="https://click.x.test/${token}">https://www.instagram.com/shop</a>`),
    finds: ["mismatch"],
  },
  {
    when: "takes a brand's own other domain for no imitation",
    facts: linking(`<a href="https://www.paypalobjects.com/help">https://www.paypal.com/help</a>`),
    finds: ["mismatch"],
  },
  {
    when: "praises nothing while a look-alike deceives",
    facts: linking(`<a href="https://www.paypa1.com/">https://bank.example/</a>`),
    outcome: "not-applicable",
  },
  ...["Log in at www.paypal.com", "www.paypal.com.", "→ paypal.com"].map((text) => ({
    when: `reads the address in "${text}"`,
    facts: linking(`<a href="https://x.test/login">${text}</a>`),
    finds: ["imitates" as const],
  })),
  ...[
    "https://paypal-login.badshop.test/",
    "https://www.paypal.com.account-verify.test/",
    "https://secure-paypal.test/",
    "https://blog.test/wp/e/login.php",
    "https://x.test/login?id=8f3a91c07be2",
    "https://mail.x.test/login",
    "https://www.google.com/url?q=https://x.test/login",
    "https://www.own.example/go?url=https://x.test/login",
  ].map((href) => ({
    when: `finds a brand's address over ${href}`,
    facts: linking(`<a href="${href}">https://www.paypal.com/</a>`),
    finds: ["imitates" as const],
  })),
  {
    when: "finds a page of the sender's own, whose domain borrows the brand's name",
    facts: linking(`<a href="https://www.dhl-parcel-tracking.com/pay">www.dhl.com</a>`, {
      from: "noreply@dhl-parcel-tracking.com",
    }),
    finds: ["imitates"],
  },
  {
    when: "finds a brand whose name is short",
    facts: linking(`<a href="https://support-ups-login.test/">www.ups.com</a>`),
    finds: ["imitates"],
    says: "The link shows www.ups.com, which belongs to UPS, but opens support-ups-login.test.",
  },
  {
    when: "finds it though the service signs for every customer",
    facts: { ...linking(`<a href="https://x.test/">https://www.amazon.com/</a>`), ...signedBy("amazonses.com") },
    finds: ["imitates"],
  },
  {
    when: "finds it beside what another check says of the host",
    facts: linking(`<a href="https://xn--80ak6aa92e.com/">https://www.apple.com/</a>`),
    finds: ["imitates"],
  },
  ...[
    `<a href="https://epl.paypal-communication.com/x">https://www.paypal.com/</a>`,
    `<a href="https://amzn.to/3xYz">www.amazon.de</a>`,
    `<a href="https://x.com/acme">twitter.com/acme</a>`,
    `<a href="https://discord.gg/abc">https://discord.com/invite</a>`,
    `<a href="https://mail.google.com/">gmail.com</a>`,
  ].map((html) => ({ when: `takes a brand's domains for one another: ${html}`, facts: linking(html) })),
  { when: "takes a company's name for a name", facts: linking(`<a href="https://news.test/travel">Booking.com</a>`) },
  {
    when: "calls no phishing what carries the address that it shows",
    facts: linking(`<a href="https://agency.test/forward?to=https%3A%2F%2Fwww.paypal.com">www.paypal.com</a>`),
    finds: ["mismatch"],
  },
  {
    when: "praises nothing that a receiver's guard hides",
    facts: linking(`<a href="https://protect-eu.mimecast.com/s/x?domain=x.test">https://www.paypal.com/</a>`),
    says: "No link text shows a web address.",
  },
  {
    when: "finds an address in the text as well",
    facts: linking(`<a href="https://x.test/login">Log in at https://www.bank.example/</a>`),
    finds: ["mismatch"],
  },
  {
    when: "takes hosts of one organisation for one place",
    facts: linking(`<a href="https://click.own.example/${token}">own.example</a>`),
  },
  {
    when: "tells of a tracker in the sender's domain",
    facts: linking(`<a href="https://click.own.example/${token}">partner.example</a>`),
    finds: ["own-tracker"],
    says: "The link shows partner.example and goes through the tracking host click.own.example.",
    fix: "Optional: use a tracking host under own.example, or use descriptive link text.",
  },
  {
    when: "finds another's address over a page of the sender's own",
    facts: linking(`<a href="https://www.own.example/login">https://www.paypal.com/signin</a>`),
    finds: ["mismatch"],
    says: "The link shows www.paypal.com but opens www.own.example.",
  },
  {
    when: "finds it whatever the page is called",
    facts: linking(`<a href="https://own.example/spk?konto=1&amp;page=summer-sale-2026">www.sparkasse.de</a>`),
    finds: ["mismatch"],
  },
  {
    when: "takes a path that counts for a tracker",
    facts: linking(`<a href="https://own.example/go/partner">partner.example</a>`),
    finds: ["own-tracker"],
  },
  {
    when: "takes a code in the query for a tracker",
    facts: linking(`<a href="https://www.own.example/?id=8f3a91c07be2d4">partner.example</a>`),
    finds: ["own-tracker"],
  },
  {
    when: "takes a page of one name in another country for the sender's",
    facts: linking(`<a href="https://own.example/de">https://www.own.test/</a>`),
    finds: ["own-tracker"],
  },
  {
    when: "tells of a tracker in a domain whose signature holds",
    facts: { ...linking(`<a href="https://r.esp.example/${token}">own.example</a>`), ...signedBy("esp.example") },
    finds: ["own-tracker"],
  },
  {
    when: "tells of a service that counts clicks, whatever is behind it",
    facts: linking(`<a href="https://u1.ct.sendgrid.net/ls/click?upn=${token}">own.example</a>`),
    finds: ["own-tracker"],
  },
  {
    when: "tells of a counter of the service that sent the message",
    facts: linking(`<a href="https://clicks.aweber.com/y/ct/?l=${token}">own.example</a>`, {
      headers: ["X-AWMessage: cff1fe62"],
    }),
    finds: ["own-tracker"],
  },
  ...[
    ["List-Unsubscribe", { headers: ["List-Unsubscribe: <https://fairmail.test/u/1>"] }],
    ["the unsubscribe mailbox", { headers: ["List-Unsubscribe: <mailto:out@bounce.fairmail.test>"] }],
  ].map(([by, written]) => ({
    when: `reports a click host that ${by} names as a tracker`,
    facts: linking(`<a href="https://t.fairmail.test/c/${token}">own.example</a>`, written as Written),
    finds: ["own-tracker" as const],
  })),
  {
    when: "reports a click host that the return path names as a tracker",
    facts: {
      ...linking(`<a href="https://t.fairmail.test/c/${token}">own.example</a>`),
      session: session({ mailFrom: "b-1@fairmail.test" }),
    },
    finds: ["own-tracker"],
  },
  {
    when: "reports a click host that a signature names as a tracker, even if the signature fails",
    facts: {
      ...linking(`<a href="https://t.fairmail.test/c/${token}">own.example</a>`),
      ...signedBy("fairmail.test", "fail"),
    },
    finds: ["own-tracker"],
  },
  {
    when: "reports a readable page on such a host, whose text shows another site",
    facts: linking(`<a href="https://fairmail.test/login">own.example</a>`, {
      headers: ["List-Unsubscribe: <https://fairmail.test/u/1>"],
    }),
    finds: ["mismatch"],
  },
  {
    when: "reports a brand's address in front of such a host, because anyone can write the header",
    facts: linking(`<a href="https://x.test/c/${token}">https://www.paypal.com/</a>`, {
      from: "service@paypal.com",
      headers: ["List-Unsubscribe: <https://x.test/u/1>"],
    }),
    finds: ["mismatch"],
  },
  {
    when: "reports a click host in front of a brand's address as a tracker if the brand signed the message",
    facts: {
      ...linking(`<a href="https://t.fairmail.test/c/${token}">https://www.paypal.com/</a>`, {
        from: "service@paypal.com",
        headers: ["List-Unsubscribe: <https://fairmail.test/u/1>"],
      }),
      ...signedBy("paypal.com"),
    },
    finds: ["own-tracker"],
  },
  {
    when: "takes another service's host for a foreign host",
    facts: linking(`<a href="https://clicks.aweber.com/y/ct/?l=${token}">own.example</a>`),
    finds: ["mismatch"],
  },
  {
    when: "takes a foreign host with a tracker's path for a foreign host",
    facts: linking(`<a href="https://x.test/ls/click?upn=${token}">own.example</a>`),
    finds: ["mismatch"],
  },
  {
    when: "looks through a tracker that shows where it leads",
    facts: linking(`<a href="https://click.own.example/?url=https%3A%2F%2Fx.test%2F">bank.example</a>`),
    finds: ["mismatch"],
    says: "The link shows bank.example but opens x.test.",
  },
  {
    when: "believes no stranger who names the address in his own",
    facts: linking(`<a href="https://x.test/?url=https%3A%2F%2Fbank.example%2F">bank.example</a>`),
    finds: ["mismatch"],
    says: "The link shows bank.example but opens x.test.",
  },
  {
    when: "looks through what a receiver's link guard wrote",
    facts: linking(`<a href="${safe("https://bank.example/")}">bank.example</a>`),
  },
  {
    when: "finds what is behind a link guard",
    facts: linking(`<a href="${safe("https://x.test/")}">bank.example</a>`),
    finds: ["mismatch"],
  },
  {
    when: "passes a guard that hides all",
    facts: linking(`<a href="https://protect-eu.mimecast.com/s/${token}">bank.example</a>`),
  },
  {
    when: "knows a brand's own short domain",
    facts: linking(`<a href="https://youtu.be/${token}">youtube.com/watch</a>`),
  },
  {
    when: "takes the name of a file for a file",
    facts: linking(`<a href="https://git.example/own/blob/main/README.md">README.md</a>`),
  },
  {
    when: "finds each pair of text and host once, and only a few",
    facts: linking(
      `${`<a href="https://x.test/a">bank.example</a>`.repeat(3)}${Array.from(
        { length: 9 },
        (_, index) => `<a href="https://x.test/">bank${index}.example</a>`,
      ).join("")}`,
    ),
    finds: Array(5).fill("mismatch"),
  },
]);
