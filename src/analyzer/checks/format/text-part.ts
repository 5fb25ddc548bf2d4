import type { BodyText, Message } from "../../mail/mime/message.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import { mayHoldOtherLetters } from "../scripts.ts";
import { arePartsCut } from "./header-lines.ts";

// Compares the words of the plain-text part and the HTML part.

/** Characters compared per body: enough for a verdict, and fast. */
const maxCompared = 2_000;
const maxMarkupRead = 5_000;
const address = /https?:\/\/\S+/gi;
/** In scripts without spaces, each character counts as a word. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}\p{M}]+/gu;

/** Several times as fast, for the Western European letters of most texts. */
const latinWord = /[a-z0-9\u00aa\u00b2\u00b3\u00b5\u00b9\u00ba\u00bc-\u00be\u00df-\u00f6\u00f8-\u024f]+/g;

/** In lowercase and without URLs: plain text spells links out, HTML doesn't. */
function wordsIn(text: string): string[] {
  const read = text.slice(0, 4 * maxCompared);
  const prose = read.includes("://") ? read.replace(address, " ") : read;
  const words = prose.slice(0, maxCompared).toLowerCase();
  return words.match(mayHoldOtherLetters(words) ? word : latinWord) ?? [];
}

/** The share of distinct words of the shorter body that the other also has. Stops counting at `enough`. */
export function shareOfWords(words: readonly string[], others: readonly string[], enough: number): number {
  const some = new Set(words);
  const both = new Set<string>();
  for (const word of others)
    if (some.has(word) && both.add(word).size / some.size >= enough) return both.size / some.size;
  const fewer = Math.min(some.size, new Set(others).size);
  return fewer === 0 ? 0 : both.size / fewer;
}

const tag =
  /<\/?(?:a|b|body|br|center|div|em|font|h[1-6]|head|hr|html|i|img|li|meta|ol|p|script|span|strong|style|table|tbody|td|th|title|tr|ul)(?:\s[^<>]{0,2000})?\/?>/gi;
const styleBlock = /\{\s{0,20}[a-z-]{2,30}\s{0,20}:[^{}]{1,1000}\}/gi;

/** Counts tags and style blocks. */
function countMarkup(text: string): number {
  const read = text.slice(0, maxMarkupRead);
  if (!read.includes("<") && !read.includes("{")) return 0;
  return (read.match(tag)?.length ?? 0) + (read.match(styleBlock)?.length ?? 0);
}

export const textPart = defineCheck({
  id: "text-part",
  helpPage: "fix-plain-text",
  label: "Plain-text part",
  owner: "content",
  asks: "whether HTML mail has an equivalent plain-text part",
  why: "Watches, screen readers, and filters use the plain-text part.",
  refs: ["RFC 2046 §5.1.4"],
  needs: ["message", "html"],
  kinds: ["bulk", "transactional", "personal"],
  passes: "The message has a plain-text part with {length} characters.",
  findings: {
    missing: {
      severity: "minor",
      cost: 8,
      title: "No plain-text part",
      says: "The message has HTML but no plain-text part.",
      fix: "Send multipart/alternative with text/plain first and text/html second.",
      why: "Watches, screen readers, and filters use the plain-text part. HTML-only mail is common, so this check costs few points.",
    },
    "wrong-order": {
      severity: "minor",
      cost: 8,
      title: "Plain text after HTML",
      owner: "email-service",
      says: "The plain-text part comes after the HTML, so email clients show the plain text.",
      fix: "Put text/plain before text/html.",
    },
    differs: {
      severity: "minor",
      cost: 8,
      title: "Plain text differs from HTML",
      says: "The plain-text part and the HTML have different content ({overlap}% of words in common).",
      fix: "Create both parts from the same content.",
    },
    stub: {
      severity: "minor",
      cost: 3,
      title: "Plain-text part is a stub",
      says: 'The plain-text part contains only "{text}".',
      fix: "Add the message's content to the plain-text part.",
    },
    markup: {
      severity: "minor",
      cost: 3,
      title: "HTML code in plain text",
      says: "The plain-text part contains HTML code.",
      fix: "Convert the HTML to plain text.",
    },
  },
  run({ message, html }) {
    if (message.isEmpty) return notApplicable("The message is empty.");
    if (!message.html) return notApplicable("The message has no HTML.");
    const { text } = message;
    const order = toOrder(message);
    if (!text || !order.hasText || text.text.trim() === "")
      return arePartsCut(message) ? skipped("too-large") : [{ finding: "missing", evidence: order }];
    const words = wordsIn(text.text);
    const wrong = order.isTextLast ? [{ finding: "wrong-order" as const, evidence: order }] : [];
    // Image-only HTML has no words to compare. `image-balance` reports it.
    const compared = html.visibleChars < fewCharacters ? [] : compare(text, words, wordsIn(html.visibleText));
    const all = [...wrong, ...compared, ...findMarkup(text, html.visibleText)];
    return all.length > 0 ? all : passed({ length: text.text.trim().length });
  },
});

/** Leaves out attachments inside multipart/alternative. */
function toOrder({ alternatives }: Message) {
  const types = alternatives
    .filter(({ disposition, filename }) => disposition !== "attachment" && filename === null)
    .map(({ type }) => type);
  const firstText = types.indexOf("text/plain");
  return {
    alternatives: types.slice(0, 10),
    hasText: firstText >= 0,
    isTextLast: firstText > types.lastIndexOf("text/html"),
  };
}

const fewCharacters = 100;
const fewWords = 20;
const manyWords = 100;
const leastCompared = 30;
const leastShare = 0.3;
const longestStub = 200;
/** A text of only URLs may be longer. It can't be compared. */
const longestRead = 10_000;

function compare({ text }: BodyText, words: readonly string[], shown: readonly string[]): Raised<"stub" | "differs">[] {
  const evidence = { textWords: words.length, htmlWords: shown.length };
  if (words.length < fewWords && text.length < longestRead && shown.length > manyWords) {
    const stub = text.replace(/\s+/g, " ").trim();
    return [{ finding: "stub", data: { text: toStorableCut(stub, longestStub) }, evidence }];
  }
  if (words.length <= leastCompared || shown.length <= leastCompared) return [];
  const share = shareOfWords(words, shown, leastShare);
  return share < leastShare ? [{ finding: "differs", data: { overlap: Math.floor(share * 100) }, evidence }] : [];
}

const maxMarkup = 3;

/** Code that the HTML shows as well is the message's content. */
function findMarkup({ text }: BodyText, visibleText: string): Raised<"markup">[] {
  const count = countMarkup(text);
  const isCode = count > maxMarkup && count - countMarkup(visibleText) > maxMarkup;
  return isCode ? [{ finding: "markup", evidence: { pieces: count } }] : [];
}
