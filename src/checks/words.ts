// Sentences with places to fill: `No DMARC record at {name}.` A part in double brackets is left out when what it names is
// not there: `Use your own domain[[; at {esp} this is called domain authentication]].`

import { toVisible } from "../visible-text.ts";

export type Filling = string | number | null | readonly string[];
export type Data = Readonly<Record<string, Filling>>;

const optionalPart = /\[\[([^[\]]*)\]\]/g;
const place = /\{(\w+)\}/g;
const maxListed = 5;

/** Throws for a place that `data` does not fill: a fault of the check. */
export function fill(sentence: string, data: Data): string {
  if (!sentence.includes("{")) return sentence;
  const withParts = sentence.includes("[[") ? fillParts(sentence, data) : sentence;
  return withParts.replace(place, (_, name: string) => {
    const value = data[name];
    if (value === undefined || value === null) throw new Error(`{${name}} is not filled in: ${sentence}`);
    return toText(value);
  });
}

function fillParts(sentence: string, data: Data): string {
  return sentence.replace(optionalPart, (_, part: string) =>
    placesIn(part).every((name) => isThere(data[name])) ? part : "",
  );
}

/** The names that must be filled, then those that may be missing. */
export function placesOf(sentence: string): { readonly needed: string[]; readonly optional: string[] } {
  const optional = [...sentence.matchAll(optionalPart)].flatMap(([, part = ""]) => placesIn(part));
  return { needed: placesIn(sentence.replace(optionalPart, "")), optional };
}

function placesIn(text: string): string[] {
  return [...text.matchAll(place)].flatMap(([, name]) => name ?? []);
}

function isThere(value: Filling | undefined): boolean {
  return (
    value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)
  );
}

/** A list as a person says it: "a, b and c"; long ones are cut. */
function toText(value: Exclude<Filling, null>): string {
  if (typeof value === "string") return toOneLine(value);
  if (typeof value === "number") return String(value);
  const shown = value.slice(0, maxListed).map(toOneLine);
  if (value.length > maxListed) return `${shown.join(", ")} and ${value.length - maxListed} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : (shown[0] ?? "none");
}

/** Tried once for a run of blanks, however long. */
const breaks = /(?<![ \t])[ \t]*[\r\n]\s*/g;
/** Joiners stay: emoji and many scripts are spelt with them. */
const unruly = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** As nearly all texts are: printable ASCII. */
const isOrderly = /^[ -~]*$/;

/** What a stranger wrote neither breaks the sentence nor moves a cursor. */
function toOneLine(text: string): string {
  return isOrderly.test(text) ? text : text.replace(breaks, " ").replace(unruly, toVisible);
}
