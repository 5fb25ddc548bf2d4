import type { Html } from "../../mail/html/page.ts";
import type { Links } from "../../mail/links/links.ts";
import type { Message } from "../../mail/mime/message.ts";
import { templateMarksIn } from "../../mail/urls/patterns.ts";
import { defineCheck, notApplicable } from "../check.ts";
import type { Fact } from "../fact.ts";
import { ownLinesOf } from "./own-words.ts";
import { withoutMeantMarks } from "./personal-marks.ts";
import { maxRaised, shown } from "./shown.ts";

const maxMarks = 20;
const maxRead = 100_000;

export const placeholders = defineCheck({
  id: "placeholders",
  helpPage: "fix-wording",
  label: "Merge tags",
  owner: "content",
  asks: "whether merge tags were left unreplaced",
  why: "Every recipient notices this mistake. Code, quoted messages, and intentional tags do not count.",
  refs: ["no standard (template practice)"],
  needs: ["message"],
  wants: ["html", "links", "kind"],
  byKind: true,
  passes: "No unreplaced merge tags found.",
  findings: {
    "left-over": {
      severity: "major",
      cost: 32,
      title: "Unreplaced merge tag",
      says: 'The merge tag "{mark}" was not replaced (in {places}).[[ Others: {others}.]]',
      fix: "Fill in the field, and set a default value in the template.",
    },
    suspected: {
      severity: "minor",
      cost: 3,
      title: "Possible unfilled placeholder",
      says: '"{text}" in {place} looks like a missing value or placeholder text.',
      fix: "Fill in the value, and set a default for fields that may be empty.",
    },
  },
  run({ message, html, links, kind }) {
    if (kind.known && kind.value.mailingList)
      return notApplicable("Mailing list posts are not made from templates and may contain code.");
    const isPersonal = kind.known && kind.value.kind === "personal";
    const written = textsOf(message, html, links);
    const texts = isPersonal ? withoutMeantMarks({ texts: written, isReply: isReply(message) }) : written;
    const places = placesByMark(texts);
    const [first, ...others] = places;
    const marks = others.slice(0, maxRaised).map(([mark]) => shown(mark));
    return [
      // All tags have one cause: the template was not filled in.
      ...(first
        ? [{ finding: "left-over" as const, data: { mark: shown(first[0]), places: [...first[1]], others: marks } }]
        : []),
      // People also type "Hi ," and write about null.
      ...(isPersonal ? [] : suspectsIn(texts)).map((data) => ({ finding: "suspected" as const, data })),
    ];
  },
});

export function isReply({ headers, subject }: Message): boolean {
  return headers.some(({ key }) => key === "in-reply-to") || /^(?:re|aw|sv|fwd?|wg) ?:/i.test(subject ?? "");
}

type Texts = readonly (readonly [place: string, text: string])[];

function textsOf(message: Message, html: Fact<Html>, links: Fact<Links>): Texts {
  const texts: [string, string][] = [["the subject", message.subject ?? ""]];
  if (html.known) texts.push(["the HTML", html.value.ownText]);
  // Hidden in the body, but shown first in the inbox.
  if (html.known && html.value.preview?.from === "hidden") texts.push(["the preview text", html.value.preview.text]);
  texts.push(["the plain text", ownLinesOf(message)]);
  const marks = links.known ? links.value.list.flatMap(({ placeholder }) => placeholder ?? []) : [];
  texts.push(["a link URL", marks.slice(0, maxMarks).join("\n")]);
  return texts.map(([place, text]) => [place, text.slice(0, maxRead)]);
}

function placesByMark(texts: Texts): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  for (const [place, text] of texts)
    for (const mark of templateMarksIn(text, maxMarks)) places.set(mark, (places.get(mark) ?? new Set()).add(place));
  return places;
}

/** Matches both cases letter by letter, because the rest of the pattern must distinguish "null" from "Null". */
const inAnyCase = (words: string) => words.replace(/\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);

const greeting = inAnyCase(
  "dear|hello|hi|hey|good morning|good afternoon|good evening|hallo|liebe|lieber|guten tag|sehr geehrte|sehr geehrter|bonjour|bonsoir|cher|chère|hola|estimado|estimada|buenos días|ciao|gentile|caro|cara|olá|prezado|prezada|beste|geachte|cześć|witaj",
);
const sum = inAnyCase("total|amount|price|subtotal|summe|betrag|preis|montant|prix|importe|precio");

const nothing = "(?:undefined|null|NaN)(?![\\w-])";

/** What software prints for a missing value. Elsewhere these are words and names. */
const suspects: readonly RegExp[] = [
  new RegExp(String.raw`^[ \t]{0,9}(?:${greeting})[ \u00a0]{1,9},`, "mu"),
  new RegExp(String.raw`^[ \t]{0,9}(?:${greeting})[ \u00a0](?:\p{L}{1,12}\.?[ \u00a0]){0,2}${nothing}`, "mu"),
  /[$€£¥][ \u00a0]?(?:undefined|NaN)(?![\w-])|[€£¥][ \u00a0]?null(?![\w-])/u,
  /(?<![\w-])(?:undefined|null|NaN)[ \u00a0]?(?:[$€£¥]|(?:EUR|USD|GBP|CHF)\b)/u,
  new RegExp(String.raw`\b(?:${sum})[ \u00a0]?:[ \u00a0]{0,9}${nothing}`, "u"),
];
/** A quick test: no suspect matches without one of these, and most texts have none. */
const sign = /undefined|null|NaN|[ \u00a0],/;

function suspectsIn(texts: Texts): { readonly text: string; readonly place: string }[] {
  const found = new Map<string, string>();
  for (const [place, text] of texts) {
    if (!sign.test(text)) continue;
    for (const suspect of suspects) {
      const words = shown(suspect.exec(text)?.[0].trim() ?? "");
      if (words !== "" && !found.has(words)) found.set(words, place);
    }
  }
  return [...found].slice(0, maxRaised).map(([text, place]) => ({ text, place }));
}
