// The evidence of a finding beyond its sentence: one line per value, each with its name in words.

import names from "./evidence-names.json" with { type: "json" };
import { toSentence } from "./plain-words.ts";

export type EvidenceRow = { readonly name: string; readonly value: string };

/** How values are formatted for the reader. */
type ValueFormat = { readonly duration: (ms: number) => string; readonly moment: (time: string) => string };
type Terms = ValueFormat & { readonly isSaid: (value: string) => boolean };

const firstTime = Date.UTC(1980);

/** Other values are parts of the sentence, codes, or counts that mean nothing without it. They are not shown. */
export const evidenceNames: ReadonlyMap<string, string> = new Map([
  ...names.sameAsKey.split(" ").map((name) => [name, name] as const),
  ...Object.entries(names.named),
]);

/** `said`: the sentence and the fix next to it, whose words are not repeated. */
export function toEvidenceRows(
  evidence: Readonly<Record<string, unknown>>,
  said: readonly (string | null)[],
  told: ValueFormat,
): EvidenceRow[] {
  const texts = said.flatMap((text) => (text === null ? [] : [toPlain(text)]));
  const rows = toRows(evidence, "", "", { ...told, isSaid: (value) => isSaid(value, texts) });
  return rows.map(({ name, value }) => ({ name: toSentence(name), value }));
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

/** A member of a list is one row, whose lines are its values. */
function toRows(value: unknown, key: string, name: string, terms: Terms): EvidenceRow[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== "object")) return toRow(name, value.map(String), terms);
    if (value.length === 1) return toRows(value[0], key, name, terms);
    return value.flatMap((one, index) => {
      const lines = toRows(one, key, "", terms).map((row) => `${row.name}: ${row.value}`);
      return lines.length === 0 ? [] : [{ name: `${name} ${index + 1}`, value: lines.join("\n") }];
    });
  }
  if (typeof value === "object")
    return Object.entries(value).flatMap(([inner, one]) => {
      const words = evidenceNames.get(inner);
      return words === undefined ? [] : toRows(one, inner, name === "" ? words : `${name} ${words}`, terms);
    });
  return toRow(name, [toText(value, key, terms)], terms);
}

function toRow(name: string, lines: readonly string[], { isSaid }: Terms): EvidenceRow[] {
  const value = lines.join("\n");
  return isSaid(value) ? [] : [{ name, value }];
}

/** Times and durations are in milliseconds, and their keys say so. */
function toText(value: unknown, key: string, { duration, moment }: ValueFormat): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return String(value);
  if (key.endsWith("Ms")) return duration(value);
  if ((key === "at" || key.endsWith("At")) && value > firstTime) return moment(new Date(value).toISOString());
  return String(value);
}
