// A healthy newsletter: a wool shop writes to its subscribers, with one-click unsubscribe.

import {
  type Letter,
  postal,
  site,
  toFooter,
  toHeading,
  toLink,
  toPage,
  toParagraph,
  toPicture,
  toRow,
} from "./letter.ts";

const leave = `${site}/leave/7d1f0c`;
const title = "Three yarns for the cold months";
const preview = "A sturdy grey, a moss that drapes, and socks in four shades of ochre.";
const banner = toPicture(
  "letters/november.jpg",
  { width: 600, height: 240 },
  "Skeins of grey, green and ochre wool on an oak table",
);

const paragraphs = [
  "the first frost came on Tuesday, and with it the parcels from the mill. We have spent the week winding, labelling and arguing about which of the three new yarns is the best.",
  "Fell Grey is spun from the fleece of the sheep that you can see from our window. It is sturdy, a little rough at first, and softer after every wash: a yarn for a jumper that outlives its owner.",
  "Moss is a blend with silk. It drapes well, shows every stitch, and suits a simple pattern. Anna has knitted a shawl from it that now hangs in the shop, and no one walks past without touching it.",
  "Ochre Sock lives up to its name. Four shades, enough in each ball for a pair, and strong at the heel. We have written down our favourite pattern for it, and you may print it for your knitting bag.",
];

const reason = "You receive this newsletter once a month because you signed up on our site.";

const wayOutText = `Unsubscribe from this newsletter: ${leave}`;
const wayOut = toLink(leave, "Unsubscribe from this newsletter");

type NewsletterParts = {
  /** Replaces the banner of the healthy one. */
  readonly banner?: string;
  /** Complete paragraphs after the standard ones. */
  readonly more?: readonly string[];
  readonly moreText?: string;
  readonly hasWayOut?: boolean;
  readonly greeting?: string;
  /** The header fields that let an email client unsubscribe. */
  readonly hasWayOutFields?: boolean;
};

export function toNewsletter({
  more = [],
  moreText = "",
  hasWayOut = true,
  hasWayOutFields = hasWayOut,
  greeting = "Dear Robin,",
  ...parts
}: NewsletterParts = {}): Letter {
  const words = [greeting, ...paragraphs].map(toParagraph);
  const shop = toParagraph(`All three are ${toLink(`${site}/yarns`, "on the shelf and in the online shop")}.`);
  return {
    from: "Meadow and Thread <letters@meadow.example>",
    subject: title,
    fields: [
      ["Reply-To", "Meadow and Thread <hello@meadow.example>"],
      ["List-Id", "Letters from Meadow and Thread <letters.meadow.example>"],
      ["Feedback-ID", "november:letters:news:meadow"],
      ...(hasWayOutFields ? wayOutFields : []),
    ],
    text: [
      title,
      greeting,
      ...paragraphs,
      `All three are on the shelf and in the online shop: ${site}/yarns`,
      ...(moreText === "" ? [] : [moreText]),
      ...(hasWayOut ? [`${reason}\n${wayOutText}`] : [reason]),
      `${postal}\n`,
    ]
      .map(fold)
      .join("\n\n"),
    html: toPage({
      title,
      preview,
      rows: [
        `<tr><td>${parts.banner ?? banner}</td></tr>`,
        toRow(toHeading(title), ...words.map(fold), shop, ...more),
        toFooter(hasWayOut ? `${reason}\n${wayOut}.` : reason, postal),
      ],
    }),
    files: [],
  };
}

const wayOutFields = [
  ["List-Unsubscribe", `<${leave}>,\n <mailto:leave+7d1f0c@meadow.example>`],
  ["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"],
] as const;

/** Lines that every program accepts (RFC 5322 §2.1.1). */
export function fold(words: string): string {
  return words.replace(/(.{60,76}?) (?=.)/g, "$1\n");
}

/** From the same shop, with nothing to read except its images. */
export function toPictureLetter(): Letter {
  const size = { width: 600, height: 900 };
  return {
    ...toNewsletter(),
    text: `Three yarns\n\n${wayOutText}\n`,
    html: toPage({
      title,
      preview: "",
      rows: [
        `<tr><td>${toPicture("letters/november-top.jpg", size, "Three yarns")}</td></tr>`,
        `<tr><td>${toPicture("letters/november-end.jpg", size, "In the shop now")}</td></tr>`,
        toFooter(`${wayOut}.`),
      ],
    }),
  };
}
