import type { BodyText, Message } from "../../mail/message.ts";
import { toStorableCut } from "../../mail/storable.ts";
import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import { arePartsCut } from "./header-lines.ts";
import { countMarkup, shareOfWords, wordsIn } from "./prose.ts";

export const textPart = defineCheck({
  id: "text-part",
  area: "format",
  label: "Plain-text part",
  owner: "content",
  asks: "whether HTML comes with an equal text",
  why: "Watches, screen readers and filters use it. HTML without text is common and weighs little.",
  refs: ["RFC 2046 §5.1.4"],
  needs: ["message", "html"],
  kinds: ["bulk", "transactional", "personal"],
  domain: "no",
  passes: "Beside the HTML stands a text of {length} characters.",
  findings: {
    missing: {
      severity: "minor",
      cost: 8,
      title: "No plain-text part",
      says: "The message has HTML only.",
      fix: "Send multipart/alternative with text/plain first and text/html second.",
    },
    "wrong-order": {
      severity: "minor",
      cost: 8,
      title: "Plain text after HTML",
      owner: "email-service",
      says: "The text part comes after the HTML, so readers show the text.",
      fix: "Put text/plain first.",
    },
    differs: {
      severity: "minor",
      cost: 8,
      title: "Plain text differs from HTML",
      says: "Text and HTML say different things ({overlap}% of words in common).",
      fix: "Make the text from the same content.",
    },
    stub: {
      severity: "minor",
      cost: 3,
      title: "Plain-text part is a stub",
      says: 'The text part is only "{text}".',
      fix: "Write the content into it.",
    },
    markup: {
      severity: "minor",
      cost: 3,
      title: "HTML code in plain text",
      says: "The text part contains HTML code.",
      fix: "Convert it to plain text.",
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
    // Of pictures alone nothing can be compared; image-balance tells them.
    const compared = html.visibleChars < fewCharacters ? [] : compare(text, words, wordsIn(html.visibleText));
    const all = [...wrong, ...compared, ...findMarkup(text, html.visibleText)];
    return all.length > 0 ? all : passed({ length: text.text.trim().length });
  },
});

/** Files among the alternatives are none of them. */
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
/** A text of addresses alone may be longer; then nobody knows how many words stand behind them. */
const longestRead = 10_000;

function compare(
  { text }: BodyText,
  words: readonly string[],
  shown: readonly string[],
): Raised<"stub" | "differs">[] {
  const evidence = { textWords: words.length, htmlWords: shown.length };
  if (words.length < fewWords && text.length < longestRead && shown.length > manyWords) {
    const stub = text.replace(/\s+/g, " ").trim();
    return [{ finding: "stub", data: { text: toStorableCut(stub, longestStub) }, evidence }];
  }
  if (words.length <= leastCompared || shown.length <= leastCompared) return [];
  const share = shareOfWords(words, shown, leastShare);
  return share < leastShare
    ? [{ finding: "differs", data: { overlap: Math.floor(share * 100) }, evidence }]
    : [];
}

const maxMarkup = 3;

/** Code that the HTML shows too is what the message is about. */
function findMarkup({ text }: BodyText, visibleText: string): Raised<"markup">[] {
  const count = countMarkup(text);
  const isCode = count > maxMarkup && count - countMarkup(visibleText) > maxMarkup;
  return isCode ? [{ finding: "markup", evidence: { pieces: count } }] : [];
}
