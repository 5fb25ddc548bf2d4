// What a stricter server would have refused in the bytes of a message (RFC 5321 §2.3.8, §4.5.3.1.6; RFC 5322 §2.1.1).
// Byte by byte and not by searching for line ends, because a message may consist of them.

import { isAscii } from "node:buffer";

export type LineFacts = {
  readonly bareLf: number;
  readonly bareCr: number;
  readonly nul: number;
  /** In octets, without the line end. */
  readonly longestLine: number;
  readonly hasEightBit: boolean;
};

export type Place = {
  readonly offset: number;
  /** The first line is 1. */
  readonly line: number;
};

export type Occurrences = { readonly count: number; readonly first: Place | null };

export type Lines = {
  readonly count: number;
  readonly bareLf: Occurrences;
  readonly bareCr: Occurrences;
  readonly nul: Occurrences;
  readonly longest: Place & { readonly bytes: number };
  readonly hasEightBit: boolean;
  /** The line of each offset asked for. */
  readonly lineOf: (offset: number) => number;
};

const CR = 13;
const LF = 10;

export function readLineFacts(raw: Uint8Array): LineFacts {
  const { bareLf, bareCr, nul, longest, hasEightBit } = readLines(raw);
  return {
    bareLf: bareLf.count,
    bareCr: bareCr.count,
    nul: nul.count,
    longestLine: longest.bytes,
    hasEightBit,
  };
}

/** `offsets`: whose lines will be asked for. */
export function readLines(raw: Uint8Array, offsets: Iterable<number> = []): Lines {
  return { ...findBareBytes(raw), ...measureLines(raw, offsets), hasEightBit: !isAscii(raw) };
}

function findBareBytes(raw: Uint8Array): Record<"bareLf" | "bareCr" | "nul", Occurrences> {
  const counts = { bareLf: 0, bareCr: 0, nul: 0 };
  const firsts: { [Kind in keyof typeof counts]?: Place } = {};
  let line = 1;
  const add = (kind: keyof typeof counts, offset: number) => {
    counts[kind]++;
    firsts[kind] ??= { offset, line };
  };
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at] ?? 0;
    if (byte > CR) continue;
    if (byte === LF) {
      if (raw[at - 1] !== CR) add("bareLf", at);
      line++;
    } else if (byte === CR && raw[at + 1] !== LF) add("bareCr", at);
    else if (byte === 0) add("nul", at);
  }
  const of = (kind: keyof typeof counts) => ({ count: counts[kind], first: firsts[kind] ?? null });
  return { bareLf: of("bareLf"), bareCr: of("bareCr"), nul: of("nul") };
}

function measureLines(
  raw: Uint8Array,
  offsets: Iterable<number>,
): Pick<Lines, "count" | "longest" | "lineOf"> {
  const wanted = [...new Set(offsets)].sort((one, other) => one - other);
  const numbers = new Map<number, number>();
  let asked = 0;
  let line = 1;
  let begin = 0;
  let longest = { bytes: 0, offset: 0, line };
  const numberUntil = (next: number) => {
    for (; (wanted[asked] ?? next) < next; asked++) numbers.set(wanted[asked] ?? 0, line);
  };
  for (let at = 0; at <= raw.length; at++) {
    if (at < raw.length && raw[at] !== LF) continue;
    const end = raw[at] === LF && raw[at - 1] === CR ? at - 1 : at;
    if (end - begin > longest.bytes) longest = { bytes: end - begin, offset: begin, line };
    if (asked < wanted.length) numberUntil(at + 1);
    begin = at + 1;
    if (at < raw.length) line++;
  }
  return { count: line, longest, lineOf: (offset) => numbers.get(offset) ?? line };
}
