// Signs in a message that can decide its Gmail tab.

import type { KnownFacts } from "../checks/facts.ts";
import { readOpening } from "../checks/infer-kind.ts";
import type { Esp, KindFact } from "../checks/kind.ts";
import { offersIn, transactionsIn } from "../checks/kind-signs.ts";
import { offerTypes, transactionTypes } from "../checks/kind-word-tables.ts";
import { fromDomainOf } from "../checks/party.ts";
import type { Html } from "../mail/html/page.ts";
import type { Links } from "../mail/links/links.ts";
import type { Message } from "../mail/mime/message.ts";
import { socialHosts } from "../mail/urls/link-tables.ts";
import { findDomain } from "../mail/urls/patterns.ts";
import type { Reason } from "./provider.ts";
import { type Tab, tabBase, tabSignals, tabs } from "./tabs-table.ts";

export type TabMarks = {
  readonly kind: KindFact["kind"];
  readonly isListPost: boolean;
  readonly esp: Esp | null;
  readonly fields: ReadonlySet<string>;
  /** Number of different offer ideas. */
  readonly offers: number;
  /** It is about an order, a payment, a password or a code. */
  readonly isTransaction: boolean;
  readonly hasOfferMarkup: boolean;
  readonly hasTransactionMarkup: boolean;
  readonly pictures: number;
  readonly links: number;
  readonly namesCampaign: boolean;
  readonly countsReaders: boolean;
  readonly htmlBytes: number;
  readonly layoutTables: number;
  readonly answers: boolean;
  /** It came from a mailbox provider's servers, which is typical of personal mail. */
  readonly isFromMailbox: boolean;
  readonly isFromSocialNetwork: boolean;
};

/** Null if the message is unknown. */
export function readTabMarks(facts: Partial<KnownFacts>): TabMarks | null {
  const message = toKnown(facts.message);
  const kind = toKnown(facts.kind);
  if (message === null || kind === null) return null;
  const html = toKnown(facts.html);
  const links = toKnown(facts.links);
  const images = toKnown(facts.images)?.list ?? [];
  const types = html?.structuredTypes ?? [];
  const domain = fromDomainOf(message);
  return {
    kind: kind.kind,
    isListPost: kind.mailingList,
    esp: kind.esp,
    fields: new Set(message.headers.map(({ key }) => key)),
    ...wordsOf(message, html),
    hasOfferMarkup: types.some((type) => offerTypes.has(type)),
    hasTransactionMarkup: types.some((type) => transactionTypes.has(type)),
    pictures: images.filter(({ visible, isSpacer, tracking }) => visible && !isSpacer && tracking === null).length,
    ...linksOf(links),
    countsReaders:
      images.some(({ tracking }) => tracking !== null) ||
      (links?.list.some(({ tracker }) => tracker !== null) ?? false),
    htmlBytes: html?.decodedBytes ?? 0,
    layoutTables: html?.tables.layout ?? 0,
    answers: message.inReplyTo.length > 0 || message.references.length > 0,
    isFromMailbox: kind.esp === null && isMailboxHost(facts.ptr),
    isFromSocialNetwork: domain !== null && findDomain(domain, socialHosts) !== null,
  };
}

function toKnown<T>(fact: { known: true; value: T } | { known: false } | undefined): T | null {
  return fact?.known ? fact.value : null;
}

function wordsOf(message: Message, html: Html | null): Pick<TabMarks, "offers" | "isTransaction"> {
  const opening = readOpening({ message, html });
  return { offers: offersIn(opening).length, isTransaction: transactionsIn(opening, []).length > 0 };
}

function linksOf(links: Links | null): Pick<TabMarks, "links" | "namesCampaign"> {
  const web = links?.list.filter(({ host, role }) => host !== null && role !== "unsubscribe") ?? [];
  return {
    links: new Set(web.map(({ href }) => href)).size,
    namesCampaign: web.some(({ href }) => href.includes("utm_campaign=")),
  };
}

const mailboxHosts: ReadonlySet<string> = new Set([
  "google.com",
  "outlook.com",
  "yahoo.com",
  "icloud.com",
  "apple.com",
  "gmx.net",
  "protonmail.ch",
]);

function isMailboxHost(ptr: KnownFacts["ptr"] | undefined): boolean {
  return toKnown(ptr)?.confirmed.some((name) => findDomain(name, mailboxHosts) !== null) ?? false;
}

// Signs → Gmail tab. All tabs except Promotions count as the inbox, as in inbox rates.

export type TabOdds = {
  /** The share of inbox mail that goes to Promotions. */
  readonly promotions: number;
  readonly likeliest: Tab;
  readonly reasons: readonly Reason[];
};

const tabNames: Readonly<Record<Tab, string>> = {
  primary: "Primary",
  promotions: "Promotions",
  updates: "Updates",
  social: "Social",
  forums: "Forums",
};

export function chooseTab(marks: TabMarks): TabOdds {
  const holding = tabSignals.flatMap((signal) => {
    const times = signal.times(marks);
    return times > 0 ? [{ ...signal, times }] : [];
  });
  const weightOf = (tab: Tab) =>
    Math.exp(holding.reduce((sum, { points, times }) => sum + times * (points[tab] ?? 0), tabBase[tab]));
  const weights = tabs.map((tab) => ({ tab, weight: weightOf(tab) }));
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  const [first] = [...weights].sort((left, right) => right.weight - left.weight);
  const promotions = weightOf("promotions") / total;
  const likeliest = promotions >= 0.5 ? "promotions" : (first?.tab ?? "primary");
  const rival = likeliest === "promotions" ? "primary" : "promotions";
  const told = holding
    .map(({ says, points, times }) => ({
      says,
      points: Math.round(100 * times * ((points[likeliest] ?? 0) - (points[rival] ?? 0))) / 100,
    }))
    .filter(({ points }) => points > 0)
    .sort((left, right) => right.points - left.points)
    .map(({ says, points }) => ({ text: says, points, finding: null, change: null }));
  return { promotions, likeliest, reasons: [toSummary(likeliest), ...told] };
}

function toSummary(tab: Tab): Reason {
  const which = `If it reaches the inbox, it will likely land in the ${tabNames[tab]} tab.`;
  const text = tab === "primary" ? which : `${which} This tab is part of the inbox, not spam.`;
  return { text, points: 0, finding: null, change: null };
}
