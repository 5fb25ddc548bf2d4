// Symbols of spam scanners in one bounded form.

import type { ScannerResult } from "../checks/infrastructure-facts.ts";
import { toStorableCut } from "../mail/text/bounds.ts";

// Limits on what a scanner can put into a report. It belongs to the operator, but its text quotes the message.

type ScannerSymbol = ScannerResult["symbols"][number];

const maxSymbols = 200;

const maxNameLength = 100;

const maxTextLength = 300;

/** Highest score first, in a stable order. */
export function toSymbols(symbols: readonly ScannerSymbol[]): ScannerSymbol[] {
  return symbols
    .map(({ name, points, text }) => ({
      name: toWords(name, maxNameLength),
      points: toHundredths(points),
      text: text === null ? null : toWords(text, maxTextLength) || null,
    }))
    .toSorted((one, other) => Math.abs(other.points) - Math.abs(one.points) || compare(one.name, other.name))
    .slice(0, maxSymbols);
}

/** One line, without control characters. */
export function toWords(text: string, maxLength: number): string {
  // Cut first, so that nothing reads the whole text.
  const cut = toStorableCut(text, 2 * maxLength);
  return toStorableCut(cut.replace(/[\s\p{Cc}]+/gu, " ").trim(), maxLength);
}

/** Scores are sums of floating-point weights: 4.999999 is meant as 5. */
export function toHundredths(points: number): number {
  return Math.round(points * 100) / 100 || 0;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
