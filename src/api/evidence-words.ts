// The evidence of a finding beyond its sentence: one line per value, each with its name in words.

import { toSentence } from "./plain-words.ts";

export type EvidenceRow = { readonly name: string; readonly value: string };

/** How values are formatted for the reader. */
type ValueFormat = { readonly duration: (ms: number) => string; readonly moment: (time: string) => string };

const firstTime = Date.UTC(1980);

/** `said`: the sentence and the fix next to it, whose words are not repeated. */
export function toEvidenceRows(
  evidence: Readonly<Record<string, unknown>>,
  said: readonly (string | null)[],
  told: ValueFormat,
): EvidenceRow[] {
  const texts = said.flatMap((text) => (text === null ? [] : [toPlain(text)]));
  return toRows(evidence, "", told).filter(({ value }) => !isSaid(value, texts));
}

function isSaid(value: string, texts: readonly string[]): boolean {
  return value.split("\n").every((line) => {
    const plain = toPlain(line);
    return texts.some((text) => holds(text, plain) || holds(plain, text));
  });
}

/** Whole words only: "10" does not contain "1". */
function holds(text: string, part: string): boolean {
  if (part === "") return true;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const isWhole = !isJoined(text, at) && !isJoined(text, at + part.length);
    if (isWhole) return true;
  }
  return false;
}

function isJoined(text: string, at: number): boolean {
  return /^[\p{L}\p{N}]{2}$/u.test(text.slice(Math.max(at - 1, 0), at + 1));
}

/** Without code marks, and without the full stop that an entry may or may not have. */
function toPlain(text: string): string {
  return text.replaceAll("`", "").replace(/\s+/g, " ").trim().replace(/\.$/, "").toLowerCase();
}

function toRows(value: unknown, name: string, told: ValueFormat): EvidenceRow[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== "object"))
      return value.length === 0 ? [] : [{ name: toWords(name), value: value.map(String).join("\n") }];
    return value.flatMap((one, index) => toRows(one, `${name} ${index + 1}`, told));
  }
  if (typeof value === "object")
    return Object.entries(value).flatMap(([key, one]) =>
      toRows(one, name === "" ? key : `${name} ${key}`, told),
    );
  return [{ name: toWords(name), value: toText(value, name, told) }];
}

/** Times and durations are in milliseconds, and their names say so. */
function toText(value: unknown, name: string, { duration, moment }: ValueFormat): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return String(value);
  if (/(?:Ms|_ms|(?:^| )skew)$/.test(name)) return duration(value);
  if (/(^|[ _])at$|At$/.test(name) && value > firstTime) return moment(new Date(value).toISOString());
  return String(value);
}

/** `fromDomain` and `body_bytes` as words: "From domain", "Body bytes". */
function toWords(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .replace(/ ms$/, "")
    .split(" ")
    .map((word) => (acronym.test(word) ? word.toUpperCase() : (ownWords.get(word) ?? word)));
  return toSentence(words.join(" "));
}

const acronym = /^(?:arc|bimi|dkim|dmarc|dns|ehlo|helo|html|http|ip|mime|mta|mx|ptr|smtp|spf|tls|ttl|url)$/;

/** Names that the checks use among themselves. */
const ownWords = new Map([
  ["alt", "alt text"],
  ["chars", "characters"],
  ["href", "address"],
  ["px", "pixels"],
  ["src", "image address"],
]);
