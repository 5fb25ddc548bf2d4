// Weights for each of Gmail's tabs, in natural log-odds. Gmail publishes the tabs but no rules. These are priors based
// on typical newsletters, receipts, lists and personal mail. Grbovic et al. (CIKM 2014) found that such classes can be
// separated by sender and content with at most about 90% precision, so we claim no more.

import type { TabMarks } from "./tab-marks.ts";

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

export const tabSignals: readonly TabSignal[] = [
  {
    id: "unsubscribe",
    says: "It has a List-Unsubscribe header, which is typical of mail to subscribers.",
    times: ({ fields }) => once(fields.has("list-unsubscribe")),
    points: { promotions: 1.2, updates: 0.2, forums: 0.3, primary: -1 },
  },
  {
    id: "one-click",
    says: "It has a one-click unsubscribe header.",
    times: ({ fields }) => once(fields.has("list-unsubscribe") && fields.has("list-unsubscribe-post")),
    points: { promotions: 0.6, primary: -0.4 },
  },
  {
    id: "list-post",
    says: "It was posted to a mailing list.",
    times: ({ isListPost }) => once(isListPost),
    points: { forums: 5, primary: -0.8, promotions: -1.2 },
  },
  {
    id: "service",
    says: "It was sent through an email service.",
    times: ({ esp }) => once(esp !== null),
    points: { promotions: 0.8, updates: 0.4, primary: -0.8 },
  },
  {
    id: "transactional",
    says: "It looks like a transactional message.",
    times: ({ kind }) => once(kind === "transactional"),
    points: { promotions: -0.5, updates: 1.2, primary: -0.2 },
  },
  {
    id: "transaction",
    says: "It is about an order, a payment, a password, or a code.",
    times: ({ isTransaction }) => once(isTransaction),
    points: { promotions: -0.8, updates: 1.5 },
  },
  {
    id: "transaction-markup",
    says: "Its schema.org markup describes an order, a booking, or something to view, confirm, or track.",
    times: ({ hasTransactionMarkup }) => once(hasTransactionMarkup),
    points: { promotions: -0.5, updates: 1.8, primary: -0.3 },
  },
  {
    id: "offer-markup",
    says: "Its schema.org markup describes an offer, which Gmail shows only in the Promotions tab.",
    times: ({ hasOfferMarkup }) => once(hasOfferMarkup),
    points: { promotions: 2.5, updates: -0.5, primary: -1 },
  },
  {
    id: "offer",
    says: "It mentions prices, discounts, or sales.",
    times: ({ offers }) => Math.min(maxOffers, offers),
    points: { promotions: 0.5, primary: -0.2 },
  },
  {
    id: "some-pictures",
    says: "It has several images.",
    times: ({ pictures }) => between(pictures, 3, 8),
    points: { promotions: 0.5, updates: 0.1, primary: -0.4 },
  },
  {
    id: "many-pictures",
    says: "It has many images.",
    times: ({ pictures }) => once(pictures >= 8),
    points: { promotions: 1, updates: 0.1, primary: -0.4 },
  },
  {
    id: "some-links",
    says: "It has several links.",
    times: ({ links }) => between(links, 6, 15),
    points: { promotions: 0.4, primary: -0.4 },
  },
  {
    id: "many-links",
    says: "It has many links.",
    times: ({ links }) => once(links >= 15),
    points: { promotions: 0.9, primary: -0.4 },
  },
  {
    id: "designed",
    says: "It has a designed layout.",
    times: ({ htmlBytes, layoutTables }) => once(htmlBytes > 20_000 || layoutTables >= 3),
    points: { promotions: 0.5, updates: 0.2, primary: -0.4 },
  },
  {
    id: "counting",
    says: "It tracks opens or clicks.",
    times: ({ countsReaders }) => once(countsReaders),
    points: { promotions: 0.4, updates: 0.2, primary: -0.3 },
  },
  {
    id: "campaign",
    says: "Its links have campaign tags.",
    times: ({ namesCampaign }) => once(namesCampaign),
    points: { promotions: 0.6, primary: -0.2 },
  },
  {
    id: "social-network",
    says: "It was sent by a social network.",
    times: ({ isFromSocialNetwork }) => once(isFromSocialNetwork),
    points: { social: 6, promotions: -1, primary: -0.5 },
  },
  {
    id: "letter",
    says: "It is a simple personal email with few links and no images.",
    times: ({ kind, links, pictures, fields }) =>
      once(kind === "personal" && links <= 2 && pictures === 0 && !fields.has("list-unsubscribe")),
    points: { primary: 2, promotions: -1.5, updates: -0.5 },
  },
  {
    id: "answer",
    says: "Its headers refer to an earlier message.",
    times: ({ answers }) => once(answers),
    points: { primary: 1.5, promotions: -1 },
  },
  {
    id: "mailbox",
    says: "It was sent from a mailbox provider's servers, which is typical of personal mail.",
    times: ({ isFromMailbox }) => once(isFromMailbox),
    points: { primary: 1, promotions: -0.8, updates: -0.3 },
  },
];
