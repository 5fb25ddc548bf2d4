// Weights for each of Gmail's tabs, in natural log-odds. Gmail publishes the tabs but no rules. These are priors based
// on typical newsletters, receipts, lists and personal mail. Grbovic et al. (CIKM 2014) found that such classes can be
// separated by sender and content with at most about 90% precision, so we claim no more.

import type { TabMarks } from "./tab-marks.ts";
import signals from "./tab-signals.json" with { type: "json" };

export const tabs = ["primary", "promotions", "updates", "social", "forums"] as const;
export type Tab = (typeof tabs)[number];

type TabSignal = {
  readonly id: string;
  readonly says: string;
  /** How often it counts; 0 if it does not apply. */
  readonly times: (marks: TabMarks) => number;
  readonly points: Partial<Readonly<Record<Tab, number>>>;
};

const once = (holds: boolean) => (holds ? 1 : 0);
const between = (count: number, least: number, below: number) => once(count >= least && count < below);
const maxOffers = 3;

/** Before any evidence: personal mail is more likely than a social network's. */
export const tabBase: Readonly<Record<Tab, number>> = {
  primary: 1,
  promotions: 0,
  updates: 0.3,
  social: -3,
  forums: -3,
};

const times: Readonly<Record<keyof typeof signals, TabSignal["times"]>> = {
  unsubscribe: ({ fields }) => once(fields.has("list-unsubscribe")),
  "one-click": ({ fields }) => once(fields.has("list-unsubscribe") && fields.has("list-unsubscribe-post")),
  "list-post": ({ isListPost }) => once(isListPost),
  service: ({ esp }) => once(esp !== null),
  transactional: ({ kind }) => once(kind === "transactional"),
  transaction: ({ isTransaction }) => once(isTransaction),
  "transaction-markup": ({ hasTransactionMarkup }) => once(hasTransactionMarkup),
  "offer-markup": ({ hasOfferMarkup }) => once(hasOfferMarkup),
  offer: ({ offers }) => Math.min(maxOffers, offers),
  "some-pictures": ({ pictures }) => between(pictures, 3, 8),
  "many-pictures": ({ pictures }) => once(pictures >= 8),
  "some-links": ({ links }) => between(links, 6, 15),
  "many-links": ({ links }) => once(links >= 15),
  designed: ({ htmlBytes, layoutTables }) => once(htmlBytes > 20_000 || layoutTables >= 3),
  counting: ({ countsReaders }) => once(countsReaders),
  campaign: ({ namesCampaign }) => once(namesCampaign),
  "social-network": ({ isFromSocialNetwork }) => once(isFromSocialNetwork),
  letter: ({ kind, links, pictures, fields }) =>
    once(kind === "personal" && links <= 2 && pictures === 0 && !fields.has("list-unsubscribe")),
  answer: ({ answers }) => once(answers),
  mailbox: ({ isFromMailbox }) => once(isFromMailbox),
};

const ids = Object.keys(signals) as readonly (keyof typeof signals)[];
export const tabSignals: readonly TabSignal[] = ids.map((id) => ({ id, ...signals[id], times: times[id] }));
