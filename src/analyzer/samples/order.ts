// A healthy order confirmation: a message for one person, from the same shop.

import {
  type AttachedFile,
  type Letter,
  postal,
  site,
  toFooter,
  toHeading,
  toLink,
  toPage,
  toParagraph,
  toRow,
} from "./letter.ts";
import { fold } from "./newsletter.ts";

const number = "MT-20417";
const title = `Your order ${number}`;
const orderUrl = `${site}/orders/${number}`;
const paragraphs = [
  `thank you for your order ${number}. Six balls of Fell Grey and one pair of cherry needles are packed and will be sent tomorrow morning.`,
  "You paid 71.40 pounds by card. The parcel goes to Robin Vale, 9 Chapel Street, Settle, and should be with you on Thursday or Friday.",
  "If anything is missing or wrong, reply to this message. Anna reads every reply and will put it right.",
];

type OrderParts = {
  readonly from?: string;
  readonly more?: readonly string[];
  readonly moreText?: readonly string[];
  readonly files?: readonly AttachedFile[];
};

export function toOrder({ from, more = [], moreText = [], files = [] }: OrderParts = {}): Letter {
  const words = ["Dear Robin,", ...paragraphs].map(toParagraph).map(fold);
  const follow = toParagraph(`You can follow the parcel ${toLink(orderUrl, "on your order page")}.`);
  return {
    from: from ?? "Meadow and Thread <orders@meadow.example>",
    subject: `${title} is packed`,
    fields: [],
    text: [
      title,
      "Dear Robin,",
      ...paragraphs,
      `You can follow the parcel on your order page: ${orderUrl}`,
      ...moreText,
      `${postal}\n`,
    ]
      .map(fold)
      .join("\n\n"),
    html: toPage({
      title,
      preview: "It will be sent tomorrow morning.",
      rows: [toRow(toHeading(title), ...words, follow, ...more), toFooter(postal)],
    }),
    files,
  };
}
