// Which Gmail tab is predicted: the signs that are read from a message, and the effect of each.

import { describe, expect, test } from "vitest";
import { chooseTab, type TabMarks } from "../../../src/analyzer/placement/tab-marks.ts";
import { type Tab, tabSignals, tabs } from "../../../src/analyzer/placement/tabs-table.ts";
import { judge, receipt } from "./given.ts";

const nothing: TabMarks = {
  kind: "auto-reply",
  isListPost: false,
  esp: null,
  fields: new Set(),
  offers: 0,
  isTransaction: false,
  hasOfferMarkup: false,
  hasTransactionMarkup: false,
  pictures: 0,
  links: 0,
  namesCampaign: false,
  countsReaders: false,
  htmlBytes: 0,
  layoutTables: 0,
  answers: false,
  isFromMailbox: false,
  isFromSocialNetwork: false,
};

/** What each sign is read from. */
const showing: Readonly<Record<string, Partial<TabMarks>>> = {
  unsubscribe: { fields: new Set(["list-unsubscribe"]) },
  "one-click": { fields: new Set(["list-unsubscribe", "list-unsubscribe-post"]) },
  "list-post": { isListPost: true },
  service: { esp: { name: "Sendgate", shared: true, transactional: false } },
  transactional: { kind: "transactional" },
  transaction: { isTransaction: true },
  "transaction-markup": { hasTransactionMarkup: true },
  "offer-markup": { hasOfferMarkup: true },
  offer: { offers: 1 },
  "some-pictures": { pictures: 3 },
  "many-pictures": { pictures: 8 },
  "some-links": { links: 6 },
  "many-links": { links: 15 },
  designed: { layoutTables: 3 },
  counting: { countsReaders: true },
  campaign: { namesCampaign: true },
  "social-network": { isFromSocialNetwork: true },
  letter: { kind: "personal" },
  answer: { answers: true },
  mailbox: { isFromMailbox: true },
};

test("each sign is recognized alone and moves the odds in its own direction", () => {
  expect(Object.keys(showing)).toEqual(tabSignals.map(({ id }) => id));
  for (const { id, points } of tabSignals) {
    const marks = { ...nothing, ...showing[id] };
    const along = id === "one-click" ? ["unsubscribe"] : [];
    expect(tabSignals.filter(({ times }) => times(marks) > 0).map((signal) => signal.id)).toEqual([...along, id]);
    const strongest = tabs.reduce((best, tab) => ((points[tab] ?? 0) > (points[best] ?? 0) ? tab : best));
    const moved = chooseTab(marks).promotions - chooseTab(nothing).promotions;
    expect(Math.sign(moved), id).toBe(strongest === "promotions" ? 1 : -1);
  }
});

test("List-Unsubscribe-Post without List-Unsubscribe is no sign", () => {
  expect(chooseTab({ ...nothing, fields: new Set(["list-unsubscribe-post"]) })).toEqual(chooseTab(nothing));
});

test("several words of an offer count more than one, up to three", () => {
  const odds = [1, 3, 9].map((offers) => chooseTab({ ...nothing, offers }).promotions);
  expect(odds[1]).toBeGreaterThan(odds[0] ?? 1);
  expect(odds[2]).toBe(odds[1]);
});

test.each<[Tab, Partial<TabMarks>]>([
  ["primary", { kind: "personal" }],
  ["primary", { kind: "personal", answers: true, isFromMailbox: true }],
  ["updates", { kind: "transactional", isTransaction: true }],
  ["updates", { kind: "transactional", isTransaction: true, fields: new Set(["list-unsubscribe"]) }],
  ["promotions", { kind: "bulk", fields: new Set(["list-unsubscribe"]), offers: 2, pictures: 9 }],
  ["forums", { kind: "bulk", isListPost: true, fields: new Set(["list-unsubscribe"]) }],
  ["social", { kind: "bulk", isFromSocialNetwork: true, fields: new Set(["list-unsubscribe"]) }],
])("the tab %s is the likeliest for a message with %o", (tab, marks) => {
  expect(chooseTab({ ...nothing, ...marks }).likeliest).toBe(tab);
});

describe("the signs in a real message", () => {
  const page = (body: string) => ({
    ...receipt,
    from: "Shop <news@a.example>",
    headers: ["MIME-Version: 1.0", "Content-Type: text/html", "List-Unsubscribe: <https://a.example/u>"],
    body: `<html lang="en"><body>${body}</body></html>\r\n`,
  });
  const reasonsOf = async (letter: Parameters<typeof judge>[0]) =>
    (await judge(letter)).gmail.reasons.map(({ text }) => text);

  test("the signs in a real message include images, links, and words of an offer", async () => {
    const picture = '<p>Roses<img src="https://a.example/a.png" alt="Rose" width="200" height="100"></p>';
    const reasons = await reasonsOf(page(`<p>Sale: 20% off, only today</p>${picture.repeat(8)}`));
    expect(reasons).toContain("It has many images.");
    expect(reasons).toContain("It mentions prices, discounts, or sales.");
    const links = Array.from({ length: 15 }, (_, at) => `<a href="https://a.example/${at}">Rose ${at}</a>`);
    expect(await reasonsOf(page(links.join(" ")))).toContain("It has many links.");
  });

  test("the signs in a real message include a campaign name in a link and the markup of an offer", async () => {
    const link = '<a href="https://a.example/x?utm_source=n&amp;utm_campaign=rose">Roses</a>';
    expect(await reasonsOf(page(link))).toContain("Its links have campaign tags.");
    const markup = '<div itemscope itemtype="http://schema.org/DiscountOffer">Roses</div>';
    expect((await reasonsOf(page(markup))).join()).toContain(
      "If it reaches the inbox, it will likely land in the Promotions tab. This tab is part of the inbox, not spam.,Its schema.org markup describes an offer, which Gmail shows only in the Promotions tab.,It has a List-Unsubscribe header, which is typical of mail to subscribers.,The body has no visible unsubscribe link.,The message is short HTML without a plain-text part.,SPF and DKIM are both aligned with the From domain, which has an enforced DMARC policy.,The message has HTML but no plain-text part.,A message does not show how often recipients reported your mail as spam, and how Gmail rates your domain and IP address. These unknowns may change the result.",
    );
  });

  test("the signs in a real message treat a reply from a mailbox provider's server as personal", async () => {
    const reverse = { PTR: ["mail-1.google.com"] };
    const zone = { "20.2.0.192.in-addr.arpa": reverse, "mail-1.google.com": { A: ["192.0.2.20"] } };
    const letter = { ...receipt, from: "Ann <ann@a.example>", body: "Yes.\r\n", zone };
    const reasons = await reasonsOf({ ...letter, headers: ["In-Reply-To: <9@b.example>"] });
    expect(reasons).toContain("It was sent from a mailbox provider's servers, which is typical of personal mail.");
    expect(reasons).toContain("Its headers refer to an earlier message.");
  });
});
