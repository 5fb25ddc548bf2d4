// Sentences with places to fill: `No DMARC record at {name}.` A part in double brackets is left out if one of its values is
// missing: `Use your own domain[[; at {esp} this is called domain authentication]].`

import { toVisible } from "../visible-text.ts";

type Filling = string | number | null | readonly string[];
export type Data = Readonly<Record<string, Filling>>;

const optionalPart = /\[\[([^[\]]*)\]\]/g;
const place = /\{(\w+)\}/g;
const maxListed = 5;

/** Throws if `data` has no value for a place, which is a bug in the check. */
export function fill(sentence: string, data: Data): string {
  if (!sentence.includes("{")) return sentence;
  let filled = "";
  for (const part of readSentence(sentence))
    if (!part.isOptional || part.places.every((name) => isThere(data[name]))) filled += fillPart(part, data);
  // An optional part at an end may leave a space.
  return filled.trim();
}

function fillPart({ texts, places }: Part, data: Data): string {
  let filled = texts[0] ?? "";
  for (const [at, name] of places.entries()) {
    const value = data[name];
    if (value === undefined || value === null) throw new Error(`{${name}} is not filled in: ${texts.join("…")}`);
    filled += toText(value) + texts[at + 1];
  }
  return filled;
}

/** A part inside or outside double brackets: texts, with a place between each two. */
type Part = { readonly isOptional: boolean; readonly texts: readonly string[]; readonly places: readonly string[] };

/** Cached, because dozens are filled for every message. */
const sentences = new Map<string, readonly Part[]>();

function readSentence(sentence: string): readonly Part[] {
  const known = sentences.get(sentence);
  if (known) return known;
  const parts = sentence.split(optionalPart).map((text, at): Part => {
    const pieces = text.split(place);
    const isText = (_: string, index: number) => index % 2 === 0;
    return {
      isOptional: at % 2 === 1,
      texts: pieces.filter(isText),
      places: pieces.filter((_, index) => index % 2 === 1),
    };
  });
  sentences.set(sentence, parts);
  return parts;
}

/** The names that need a value, and those that may be missing. */
export function placesOf(sentence: string): { readonly needed: string[]; readonly optional: string[] } {
  const parts = readSentence(sentence);
  const placesIn = (wanted: boolean) =>
    parts.flatMap(({ isOptional, places }) => (isOptional === wanted ? places : []));
  return { needed: placesIn(false), optional: placesIn(true) };
}

function isThere(value: Filling | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** Formats a list as "a, b, and c". Long lists are cut. */
function toText(value: Exclude<Filling, null>): string {
  if (typeof value === "string") return toOneLine(value);
  if (typeof value === "number") return String(value);
  const shown = value.slice(0, maxListed).map(toOneLine);
  if (value.length > maxListed) return `${shown.join(", ")}, and ${value.length - maxListed} more`;
  const [first = "none", second] = shown;
  if (shown.length < 3) return second === undefined ? first : `${first} and ${second}`;
  return `${shown.slice(0, -1).join(", ")}, and ${shown.at(-1)}`;
}

/** Matches a run of blanks only once, so long runs stay cheap. */
const breaks = /(?<![ \t])[ \t]*[\r\n]\s*/g;
/** Joiners are kept, because emoji and many scripts need them. */
const unruly = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Printable ASCII, like nearly all texts. */
const isOrderly = /^[ -~]*$/;

/** Text from a message must not break the sentence or move the cursor. */
function toOneLine(text: string): string {
  return isOrderly.test(text) ? text : text.replace(breaks, " ").replace(unruly, toVisible);
}
