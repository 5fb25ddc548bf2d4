// Messages made by dice for the law of the score: a text of some kind, in some form, and of each thing that the rules ask
// for nothing, a flawed attempt, or the right thing.

import { createDice, type Dice } from "../../scripts/dice.ts";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import { newRsaKey, type SignOptions, toKeyRecord } from "../analyzer/mail/signing/sign.ts";
import type { Header, Letter } from "../fixtures/messages/letter.ts";
import { ownHost, receivedAt, recipient, senderKey, signature, toMailDate, zone } from "../fixtures/messages/sender.ts";

/** From nothing over what is flawed to what the rules ask for. Never less for more. */
export const ingredients = {
  dkim: ["none", "service", "weak", "partial", "good"],
  spf: ["none", "lint", "good"],
  dmarc: ["none", "lint", "p=none", "good"],
  unsubscribeHeader: ["none", "insecure", "mailto", "good"],
  oneClick: ["none", "wrong", "good"],
  unsubscribeLink: ["none", "login", "good"],
  alts: ["none", "short", "good"],
  text: ["none", "stub", "good"],
  messageId: ["none", "local", "good"],
  date: ["none", "form", "good"],
  ptr: ["none", "generic", "good"],
  tls: ["none", "good"],
} as const;

export type Ingredient = keyof typeof ingredients;
export const names = Object.keys(ingredients) as readonly Ingredient[];
export type Recipe = Readonly<Record<Ingredient, string>> & {
  readonly words: (typeof wordings)[number];
  readonly form: "html" | "plain";
  /** Nothing of what a bulk sender writes, or some of it. */
  readonly marks: readonly Header[];
  readonly isTracked: boolean;
  readonly hasPixel: boolean;
};

type Words = {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: readonly string[];
  readonly pictures: number;
  readonly links: number;
};

const wordings: readonly Words[] = [
  {
    from: "Harrow Lane Books <newsletter@a.example>",
    to: "Ellen Marsh",
    subject: "Black Friday: 30% off everything",
    text: [
      "Our biggest sale of the year has begun: 30% off everything until Sunday night.",
      "Use the code BOOKS30 at the till. Free shipping on all orders over 40 pounds, this weekend only.",
      "Shop now: new novels, garden books and cookbooks are waiting for you on our shelves.",
    ],
    pictures: 3,
    links: 4,
  },
  {
    from: "Harrow Lane Books <letters@a.example>",
    to: "Ellen Marsh",
    subject: "Three books for the long evenings",
    text: [
      "The clocks have gone back, and we have been reading. These three have stayed with us since.",
      "A sea journey that never arrives, a history of hedges, and soups that take a whole afternoon.",
      "You receive this letter because you asked for it in our shop. Come and see us on Saturday.",
    ],
    pictures: 2,
    links: 3,
  },
  {
    from: "Harrow Lane Books <orders@a.example>",
    to: "Ellen Marsh",
    subject: "Your order 20417 is confirmed",
    text: [
      "Thank you for your order number 20417. We have packed two books, and they leave us tomorrow.",
      "You paid 31.40 pounds by card. The parcel should be with you on Thursday or Friday this week.",
      "If anything is missing or wrong, answer this message and Anna will put it right for you.",
    ],
    pictures: 1,
    links: 1,
  },
  {
    from: "Harrow Lane Books <no-reply@a.example>",
    to: "Ellen Marsh",
    subject: "Reset your password",
    text: [
      "Somebody asked to reset the password of your account at our shop. If it was you, use the link below.",
      "The link works for one hour. If it was not you, there is nothing that you need to do today.",
    ],
    pictures: 0,
    links: 1,
  },
  {
    from: "Anna Harrow <anna@a.example>",
    to: "Ellen Marsh",
    subject: "Lunch on Thursday?",
    text: [
      "Hi Ellen, are you free for lunch on Thursday? I could be at the station by half past twelve.",
      "Tom says that the place by the river has opened again, and I would love to see it with you.",
      "Love, Anna",
    ],
    pictures: 0,
    links: 0,
  },
  {
    from: "Winner Office <office@a.example>",
    to: "undisclosed",
    subject: "Act now: your free gift is waiting!!!",
    text: [
      "Congratulations! You are a winner and your free gift is waiting. Act now, this offer ends today.",
      "Click here to claim your prize money, risk free and 100% guaranteed. No credit check is needed.",
    ],
    pictures: 1,
    links: 2,
  },
];

const weakKey = newRsaKey(1_024);
const site = "https://www.a.example";
const leave = `${site}/u/9f27c4d1b6`;

export function throwRecipe(seed: number): Recipe {
  const dice = createDice(seed * 7_919 + 17);
  for (let warmUp = 0; warmUp < 5; warmUp += 1) dice(2);
  const levels = Object.entries(ingredients).map(([name, each]) => [name, pick(each, dice)] as const);
  return {
    ...(Object.fromEntries(levels) as Record<Ingredient, string>),
    words: pick(wordings, dice),
    form: dice(3) === 0 ? "plain" : "html",
    marks: marks.filter(() => dice(4) === 0),
    isTracked: dice(3) === 0,
    hasPixel: dice(3) === 0,
  };
}

const marks: readonly Header[] = [
  ["List-Id", "Letters from Harrow Lane <letters.a.example>"],
  ["Feedback-ID", "letter47:books:news:harrowlane"],
  ["Precedence", "bulk"],
  ["Auto-Submitted", "auto-generated"],
];

function pick<T>(list: readonly T[], dice: Dice): T {
  const picked = list[dice(list.length)];
  if (picked === undefined) throw new Error("There is nothing to pick from.");
  return picked;
}

export function cook(recipe: Recipe): Letter {
  return {
    headers: [],
    text: "",
    html: "",
    files: [],
    signatures: toSignatures(recipe),
    beforeSigning: () => toMessage(recipe),
    afterSigning: (message) => message,
    heard: {
      ...ownHost,
      helo: "mail.a.example",
      mailFrom: "letters+9f27c4d1b6@bounce.a.example",
      isPlain: recipe.tls === "none",
    },
    zone: toZone(recipe),
  };
}

export const withLevel =
  (name: Ingredient, level: string) =>
  (recipe: Recipe): Recipe => ({ ...recipe, [name]: level });

function toSignatures({ dkim }: Recipe): SignOptions[] {
  if (dkim === "none") return [];
  if (dkim === "service") return [{ ...signature, domain: "esp.example" }];
  if (dkim === "weak") return [{ ...signature, key: weakKey, selector: "weak" }];
  if (dkim === "partial") return [{ ...signature, names: ["from", "subject"] }];
  return [signature];
}

function toZone({ spf, dmarc, ptr }: Recipe): Zone {
  const bounce = { MX: [{ preference: 10, exchange: "mx1.a.example" }] };
  const spfRecords = {
    none: [],
    lint: ["v=spf1 include:_spf.a.example a:gone.a.example ptr ?all"],
    good: ["v=spf1 include:_spf.a.example -all"],
  };
  const dmarcRecords = {
    none: [],
    lint: ["v=DMARC1; p=none; pct=20; rua=mailto:dmarc@elsewhere.example; fo=7"],
    "p=none": ["v=DMARC1; p=none"],
    good: ["v=DMARC1; p=quarantine; rua=mailto:dmarc@a.example"],
  };
  const reverse = { none: [], generic: ["203-0-113-7.dynamic.isp.example"], good: ["mail.a.example"] };
  return {
    ...zone,
    "esp.example": { A: ["198.51.100.90"] },
    "s2026._domainkey.esp.example": { TXT: [toKeyRecord(senderKey)] },
    "weak._domainkey.a.example": { TXT: [toKeyRecord(weakKey)] },
    "bounce.a.example": { ...bounce, TXT: spfRecords[spf as "none"] ?? [] },
    "_dmarc.a.example": { TXT: dmarcRecords[dmarc as "none"] ?? [] },
    "7.113.0.203.in-addr.arpa": { PTR: reverse[ptr as "none"] ?? [] },
    "203-0-113-7.dynamic.isp.example": { A: ["203.0.113.7"] },
  };
}

function toMessage(recipe: Recipe): string {
  const { words } = recipe;
  const list = { none: null, insecure: `<http://www.a.example/u/9f27>`, mailto: "<mailto:leave+9f27@a.example>" };
  const header = list[recipe.unsubscribeHeader as "none"];
  const unsubscribe = header === undefined ? `<${leave}>, <mailto:leave+9f27@a.example>` : header;
  const ids = { none: null, local: "<9f27c4d1b6@localhost.localdomain>", good: "<9f27c4d1b6.47@mail.a.example>" };
  const dates = { none: null, form: "Fri, 20 Nov 26 09:59:56 GMT", good: toMailDate(receivedAt - 4_000) };
  const posts = { none: null, wrong: "One-Click", good: "List-Unsubscribe=One-Click" };
  const headers: (readonly [string, string | null])[] = [
    ["From", words.from],
    ["To", `${words.to} <${recipient}>`],
    ["Subject", words.subject],
    ["Date", dates[recipe.date as "none"]],
    ["Message-ID", ids[recipe.messageId as "none"]],
    ["List-Unsubscribe", unsubscribe],
    // Without the other header it is a remark that nobody reads.
    ["List-Unsubscribe-Post", unsubscribe === null ? null : posts[recipe.oneClick as "none"]],
    ...recipe.marks,
    ["MIME-Version", "1.0"],
  ];
  const head = headers.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return [...head, ...toBody(recipe)].join("\r\n");
}

function toBody(recipe: Recipe): string[] {
  if (recipe.form === "plain") return toPart("plain", toText(recipe));
  if (recipe.text === "none") return toPart("html", toHtml(recipe));
  const text = recipe.text === "stub" ? ["Please see the HTML version."] : toText(recipe);
  return [
    'Content-Type: multipart/alternative; boundary="=_mail"',
    "",
    "--=_mail",
    ...toPart("plain", text),
    "--=_mail",
    ...toPart("html", toHtml(recipe)),
    "--=_mail--",
    "",
  ];
}

function toPart(kind: "plain" | "html", lines: readonly string[]): string[] {
  return [`Content-Type: text/${kind}; charset=utf-8`, "Content-Transfer-Encoding: 7bit", "", ...lines];
}

function linksOf({ words, isTracked }: Recipe): string[] {
  return Array.from(
    { length: words.links },
    (_, index) => `${site}/shelf/${index}${isTracked ? "?utm_source=mail&utm_campaign=november" : ""}`,
  );
}

function wayOutOf({ unsubscribeLink }: Recipe): string | null {
  if (unsubscribeLink === "none") return null;
  return unsubscribeLink === "login" ? `${site}/login?next=unsubscribe` : leave;
}

function toText(recipe: Recipe): string[] {
  const wayOut = wayOutOf(recipe);
  return [
    ...recipe.words.text,
    ...linksOf(recipe),
    "Harrow Lane Books, 12 Harrow Lane, York YO1 7HZ",
    ...(wayOut === null ? [] : [`Unsubscribe: ${wayOut}`]),
    "",
  ];
}

const toAlt: Readonly<Record<string, (index: number) => string>> = {
  none: () => "",
  short: (index) => ` alt="img${index}"`,
  good: () => ' alt="A stack of new novels on a wooden table by the window"',
};

function toHtml(recipe: Recipe): string[] {
  const { words, alts, hasPixel } = recipe;
  const wayOut = wayOutOf(recipe);
  const pictures = Array.from(
    { length: words.pictures },
    (_, index) =>
      `<p><img src="https://img.a.example/${index}.jpg" width="600" height="200"${toAlt[alts]?.(index) ?? ""}></p>`,
  );
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${words.subject}</title></head><body>`,
    `<h1>${words.subject}</h1>`,
    ...pictures,
    ...words.text.map((paragraph) => `<p>${paragraph}</p>`),
    ...linksOf(recipe).map((href, index) => `<p><a href="${href.replaceAll("&", "&amp;")}">See shelf ${index}</a></p>`),
    "<p>Harrow Lane Books, 12 Harrow Lane, York YO1 7HZ</p>",
    ...(wayOut === null ? [] : [`<p><a href="${wayOut}">Unsubscribe</a></p>`]),
    ...(hasPixel ? ['<img src="https://img.a.example/open/9f27" width="1" height="1" alt="">'] : []),
    "</body></html>",
    "",
  ];
}
