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
    when: "passes a text that shows the link's target",
    facts: linking(`<a href="https://bank.example/login">https://bank.example</a> <a href="/x">words</a>`),
    says: "Every link that shows an address opens that address (1 checked).",
  },
  {
    when: "passes links with words",
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
    when: "finds a bare IP behind a name that would still be wrong with a host name",
    facts: linking(`<a href="http://203.0.113.99/login">https://www.bank.example/</a>`),
    finds: ["mismatch"],
    says: "The link shows www.bank.example but opens 203.0.113.99.",
  },
  {
    when: "reports a known brand's URL over another page as an imitation",
    facts: linking(`<a href="http://203.0.113.99/login">https://www.paypal.com/</a>
      <a href="https://login.x.test/paypal">www.amazon.com</a>`),
    finds: ["imitates", "imitates"],
    says: "The link shows www.amazon.com, which belongs to Amazon, but opens login.x.test.",
  },
  {
    when: "reports an unknown click tracker as a mismatch, but not as an imitation",
    facts: linking(`<a href="https://click.x.test/${token}">https://www.instagram.com/shop</a>`),
    finds: ["mismatch"],
  },
  {
    when: "does not report a brand's second domain as an imitation",
    facts: linking(`<a href="https://www.paypalobjects.com/help">https://www.paypal.com/help</a>`),
    finds: ["mismatch"],
  },
  {
    when: "reports no pass while a lookalike deceives",
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
    when: "finds the sender's own page on a domain with a brand's name",
    facts: linking(`<a href="https://www.dhl-parcel-tracking.com/pay">www.dhl.com</a>`, {
      from: "noreply@dhl-parcel-tracking.com",
    }),
    finds: ["imitates"],
  },
  {
    when: "finds a brand with a short name",
    facts: linking(`<a href="https://support-ups-login.test/">www.ups.com</a>`),
    finds: ["imitates"],
    says: "The link shows www.ups.com, which belongs to UPS, but opens support-ups-login.test.",
  },
  {
    when: "finds an imitation from a service that signs for every customer",
    facts: { ...linking(`<a href="https://x.test/">https://www.amazon.com/</a>`), ...signedBy("amazonses.com") },
    finds: ["imitates"],
  },
  {
    when: "finds an imitation next to another check's result for the host",
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
  {
    when: "does not treat a company name as a host",
    facts: linking(`<a href="https://news.test/travel">Booking.com</a>`),
  },
  {
    when: "reports a link that contains the shown URL as a mismatch, not as phishing",
    facts: linking(`<a href="https://agency.test/forward?to=https%3A%2F%2Fwww.paypal.com">www.paypal.com</a>`),
    finds: ["mismatch"],
  },
  {
    when: "reports no pass for a link hidden by a receiver's link protection",
    facts: linking(`<a href="https://protect-eu.mimecast.com/s/x?domain=x.test">https://www.paypal.com/</a>`),
    says: "No link text shows a web address.",
  },
  {
    when: "finds a URL within a text",
    facts: linking(`<a href="https://x.test/login">Log in at https://www.bank.example/</a>`),
    finds: ["mismatch"],
  },
  {
    when: "treats hosts of one organization as one site",
    facts: linking(`<a href="https://click.own.example/${token}">own.example</a>`),
  },
  {
    when: "reports a tracker in the sender's domain",
    facts: linking(`<a href="https://click.own.example/${token}">partner.example</a>`),
    finds: ["own-tracker"],
    says: "The link shows partner.example and goes through the tracking host click.own.example.",
    fix: "Optional: use a tracking host under own.example, or use descriptive link text.",
  },
  {
    when: "finds another site's URL over the sender's own page",
    facts: linking(`<a href="https://www.own.example/login">https://www.paypal.com/signin</a>`),
    finds: ["mismatch"],
    says: "The link shows www.paypal.com but opens www.own.example.",
  },
  {
    when: "finds another site's URL over a page with any name",
    facts: linking(`<a href="https://own.example/spk?konto=1&amp;page=summer-sale-2026">www.sparkasse.de</a>`),
    finds: ["mismatch"],
  },
  {
    when: "recognizes a tracker by its path",
    facts: linking(`<a href="https://own.example/go/partner">partner.example</a>`),
    finds: ["own-tracker"],
  },
  {
    when: "recognizes a tracker by a code in its query",
    facts: linking(`<a href="https://www.own.example/?id=8f3a91c07be2d4">partner.example</a>`),
    finds: ["own-tracker"],
  },
  {
    when: "recognizes the sender's tracker under another country's domain",
    facts: linking(`<a href="https://own.example/de">https://www.own.test/</a>`),
    finds: ["own-tracker"],
  },
  {
    when: "reports a tracker in a domain with a valid signature",
    facts: { ...linking(`<a href="https://r.esp.example/${token}">own.example</a>`), ...signedBy("esp.example") },
    finds: ["own-tracker"],
  },
  {
    when: "reports a click-tracking service, whatever the target is",
    facts: linking(`<a href="https://u1.ct.sendgrid.net/ls/click?upn=${token}">own.example</a>`),
    finds: ["own-tracker"],
  },
  {
    when: "reports a click tracker of the sending service",
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
    when: "treats another service's host as a foreign host",
    facts: linking(`<a href="https://clicks.aweber.com/y/ct/?l=${token}">own.example</a>`),
    finds: ["mismatch"],
  },
  {
    when: "treats a foreign host with a tracker's path as a foreign host",
    facts: linking(`<a href="https://x.test/ls/click?upn=${token}">own.example</a>`),
    finds: ["mismatch"],
  },
  {
    when: "follows a tracker that shows its target",
    facts: linking(`<a href="https://click.own.example/?url=https%3A%2F%2Fx.test%2F">bank.example</a>`),
    finds: ["mismatch"],
    says: "The link shows bank.example but opens x.test.",
  },
  {
    when: "does not trust a foreign URL that contains the shown one",
    facts: linking(`<a href="https://x.test/?url=https%3A%2F%2Fbank.example%2F">bank.example</a>`),
    finds: ["mismatch"],
    says: "The link shows bank.example but opens x.test.",
  },
  {
    when: "unwraps a receiver's link protection",
    facts: linking(`<a href="${safe("https://bank.example/")}">bank.example</a>`),
  },
  {
    when: "finds a mismatch behind link protection",
    facts: linking(`<a href="${safe("https://x.test/")}">bank.example</a>`),
    finds: ["mismatch"],
  },
  {
    when: "passes link protection that hides the target",
    facts: linking(`<a href="https://protect-eu.mimecast.com/s/${token}">bank.example</a>`),
  },
  {
    when: "recognizes a brand's short domain",
    facts: linking(`<a href="https://youtu.be/${token}">youtube.com/watch</a>`),
  },
  {
    when: "does not treat a file name as a host",
    facts: linking(`<a href="https://git.example/own/blob/main/README.md">README.md</a>`),
  },
  {
    when: "reports each pair of text and host once, and only a few",
    facts: linking(
      `${`<a href="https://x.test/a">bank.example</a>`.repeat(3)}${Array.from(
        { length: 9 },
        (_, index) => `<a href="https://x.test/">bank${index}.example</a>`,
      ).join("")}`,
    ),
    finds: Array(5).fill("mismatch"),
  },
]);
