import { describe, expect, test } from "vitest";
import { postalAddress } from "../../../../src/analyzer/checks/compliance/postal-address.ts";
import { postalPatterns } from "../../../../src/analyzer/checks/compliance/postal-address-table.ts";
import { unsubscribeLink } from "../../../../src/analyzer/checks/compliance/unsubscribe-link.ts";
import unsubscribeWords from "../../../../src/analyzer/mail/links/unsubscribe-words.json" with { type: "json" };
import { testCheck } from "../test-check.ts";
import { bulk, letterFacts, listPost } from "./facts.ts";

const page = (html: string, kind = bulk, text?: string) => ({
  ...letterFacts({ html, ...(text ? { text } : {}) }),
  kind,
});
const plain = (text: string) => ({ ...letterFacts({ text }), kind: bulk });
const footer = (style: string) =>
  `<p>News</p><p style="${style}"><a href="https://sender.example/u/1" style="color:inherit">Unsubscribe</a></p>`;

testCheck(unsubscribeLink, [
  { when: "passes a link with the word", facts: page(footer("")), says: 'Unsubscribe link found: "Unsubscribe".' },
  {
    when: "passes a link to preferences",
    facts: page('<a href="https://a.example/p">Manage preferences.</a>'),
    says: 'Unsubscribe link found: "Manage preferences".',
  },
  { when: "passes gray on white at 12 pixels", facts: page(footer("color:#767676;font-size:12px")) },
  {
    when: "passes a link with the word only in its URL",
    facts: page('<a href="https://a.example/unsubscribe?u=1">here</a>'),
  },
  {
    when: "passes an image with the word",
    facts: page('<a href="https://a.example/1"><img src="x.png" alt="Unsubscribe"></a>'),
  },
  {
    when: 'passes the link "here" next to the word',
    facts: page('<p>To unsubscribe from all our letters, click <a href="https://a.example/1">here</a>.</p>'),
  },
  {
    when: 'passes the link "here" in the line after the word',
    facts: page('<p>Too many letters? Unsubscribe<br><a href="https://a.example/1">here</a></p>'),
  },
  {
    when: 'passes the link "here" two lines after the word, and after an earlier line with the word',
    facts: page(
      '<p>Unsubscribe anytime.</p><p>We are sad.</p><p>Shop Ltd</p><p>To unsubscribe</p><p>please</p><p><a href="https://a.example/1">here</a></p>',
    ),
  },
  {
    when: "finds the word below a link to something else",
    facts: page('<p><a href="https://a.example/">Shop now</a></p><p>Ann, Sender</p><p>Unsubscribe from this list.</p>'),
    finds: ["missing"],
  },
  {
    when: 'passes the link "here" next to words that do not say "unsubscribe"',
    facts: page('<p>Click <a href="https://a.example/1">here</a> to remove yourself from the club letter.</p>'),
  },
  {
    when: "finds the word in a link without a target",
    facts: page("<a>Unsubscribe</a><a href>Leave</a>"),
    finds: ["missing"],
  },
  {
    when: "quotes no link that contains the whole message",
    facts: page(`<a href="https://a.example/1">${"Buy now. ".repeat(40)}To unsubscribe, write to us.</a>`),
    finds: ["missing"],
  },
  { when: "passes a mailto link", facts: page('<a href="mailto:leave@a.example?subject=unsubscribe">Leave</a>') },
  { when: "passes plain text with the word and a URL", facts: plain("News\n\nUnsubscribe: https://a.example/1") },
  ...[
    "If you do not want to receive future newsletters, please write to news@a.example.",
    "To leave the list, please visit <http://a.example/wordlist.htm>.",
    "de-select any newsletters you no longer wish to receive: http://a.example/home",
    "If you wish to be removed from this list, please write to news@a.example",
  ].map((text) => ({ when: `passes plain text that says “${text.slice(0, 40)}…”`, facts: plain(`News\n\n${text}`) })),
  {
    when: "passes plain text next to HTML without a link",
    facts: page("<p>News</p>", bulk, "Abmelden: https://a.example/1"),
  },
  { when: "finds a missing link", facts: page('<p>News</p><a href="https://a.example/">Shop</a>'), finds: ["missing"] },
  {
    when: "finds the word without a link near it",
    facts: plain("Unsubscribe by writing us a letter."),
    finds: ["missing"],
  },
  {
    when: "finds a link in the color of the page",
    facts: page(footer("color:#fff;background:#fff")),
    finds: ["hidden"],
    says: "The unsubscribe link is hidden (same color as its background).",
  },
  { when: "finds a link that is not displayed", facts: page(footer("display:none")), finds: ["hidden"] },
  {
    when: "finds a link of 6 pixels",
    facts: page(footer("font-size:6px")),
    finds: ["hidden"],
    says: "The unsubscribe link is hidden (6 px).",
  },
  { when: "passes a visible link next to a hidden one", facts: page(footer("display:none") + footer("")) },
  {
    when: "finds a form instead of a link",
    facts: page('<a href="https://docs.google.com/forms/d/1">Unsubscribe</a>'),
    finds: ["form"],
    says: "The unsubscribe link opens a form service at docs.google.com.",
  },
  {
    when: "finds a login before unsubscribing",
    facts: page('<a href="https://a.example/account/login?next=u">Unsubscribe</a>'),
    finds: ["form"],
  },
  { when: "does not apply to a mailing list", facts: page("<p>News</p>", listPost), outcome: "not-applicable" },
  { when: "leaves an empty message to another check", facts: page(" "), outcome: "not-applicable" },
  {
    when: "is skipped while the HTML could not be read",
    facts: page("<p>News</p>"),
    unknown: { html: "parser-failed" },
    outcome: "skipped",
  },
]);

describe("unsubscribe words", () => {
  test("unsubscribe words exist for at least 30 languages", () => {
    expect(Object.keys(unsubscribeWords).length).toBeGreaterThanOrEqual(30);
  });

  test.each(
    Object.entries(unsubscribeWords).flatMap(([language, words]) => words.map((word) => [language, word] as const)),
  )("unsubscribe words of %s are recognized in a link: %s", (_, word) => {
    const { links } = letterFacts({ html: `<p>x</p><a href="https://a.example/1">${word.toUpperCase()}</a>` });
    expect(links.list[0]?.role).toBe("unsubscribe");
  });
});

const closing = (last: string) => page(`<p>${"News of the day. ".repeat(150)}</p><p>${last}</p>`);

testCheck(postalAddress, [
  {
    when: "passes a street address",
    facts: closing("Acme Inc., 1 Main Street, 12345"),
    says: 'Found what looks like a postal address: "1 Main Street".',
  },
  { when: "passes a street address in the plain text", facts: plain("News\n\nAcme GmbH, Hauptstraße 5, 10115 Berlin") },
  { when: "passes a postcode of four figures", facts: closing("Bahnhof 1, 8001 Zürich") },
  { when: "passes a post box and a town", facts: closing("Die Post, Postfach, 3030 Bern") },
  { when: "passes a place and a town", facts: closing("Shop SA, Place de la Gare, 75008 Paris") },
  {
    when: "passes an address right after a URL",
    facts: plain("詳細はhttps://shop.example/をご覧ください。株式会社ショップ〒100-0001東京都千代田区千代田1-1"),
  },
  {
    when: "finds no address",
    facts: closing("© 2026 Acme Corporation. All rights reserved. Order 2 for 1999 now, call 555 1234."),
    finds: ["not-found"],
  },
  {
    when: "finds no address if it is only at the beginning",
    facts: page(`<p>1 Main Street, 12345</p><p>${"News of the day. ".repeat(200)}</p>`),
    finds: ["not-found"],
  },
  {
    when: "finds no address in a URL",
    facts: plain("News\n\nhttps://a.example/web/D02AF30-x9/1 https://a.example/W1A1AA/2"),
    finds: ["not-found"],
  },
  { when: "does not apply to a mailing list", facts: page("<p>News</p>", listPost), outcome: "not-applicable" },
  {
    when: "is skipped while the HTML could not be read",
    facts: page("<p>News</p>"),
    unknown: { html: "too-large" },
    outcome: "skipped",
  },
]);

describe("postal addresses", () => {
  test.each(postalPatterns.map(({ name, holds, pattern }) => [name, holds, pattern] as const))(
    "postal addresses of %s are recognized: %s",
    (_, holds, pattern) => {
      expect(holds).toMatch(pattern);
    },
  );

  test.each([
    "© 2026 Acme Corporation",
    "Copyright 2024-2026 Acme. All rights reserved.",
    "Only 5 days left: save 50% on 1000 Items until 31 December 2026",
    "You receive this because ann@a.example subscribed. Unsubscribe",
    "Version 12.3.4, build 5567, 100 new features on the way in 2026",
    "Order 123456 of 5 Pairs ships by the 3rd way",
    "Only today\n5000 Points for you",
    "Your prize:\n10000 Coins",
  ])("postal addresses are not recognized in %s", (text) => {
    expect(postalPatterns.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name)).toEqual([]);
  });

  test("postal addresses take little CPU time in a hostile text", () => {
    for (const text of [
      "1 A ".repeat(2_000),
      "a".repeat(6_000),
      "rue a ".repeat(1_000),
      "Å-".repeat(3_000),
      "1".repeat(6_000),
      "京".repeat(6_000),
    ]) {
      const before = process.cpuUsage();
      for (const { pattern } of postalPatterns) pattern.test(text);
      expect(process.cpuUsage(before).user).toBeLessThan(500_000);
    }
  });
});
