// What a strict server would refuse in the bytes of a message (RFC 5321 §2.3.8, §4.5.3.1.6; RFC 5322 §2.1.1). Lines
// with correct endings are found by searching. From the first other line on, bytes are read one by one, because a
// message may consist of bare line ends.

import { isAscii } from "node:buffer";

export type LineFacts = {
  readonly bareLf: number;
  readonly bareCr: number;
  readonly nul: number;
  /** In octets, without the line end. */
  readonly longestLine: number;
  readonly hasEightBit: boolean;
};

export type LinePosition = {
  readonly offset: number;
  /** The first line is 1. */
  readonly line: number;
};

export type Occurrences = { readonly count: number; readonly first: LinePosition | null };

export type Lines = {
  readonly count: number;
  readonly bareLf: Occurrences;
  readonly bareCr: Occurrences;
  readonly nul: Occurrences;
  readonly longest: LinePosition & { readonly bytes: number };
  readonly hasEightBit: boolean;
  /** The line number of each requested offset. */
  readonly lineOf: (offset: number) => number;
};

const CR = 13;
const LF = 10;

type LineReading = Pick<Lines, "bareLf" | "bareCr" | "nul" | "hasEightBit"> & {
  readonly longestLine: { readonly bytes: number };
};

export function toLineFacts({ bareLf, bareCr, nul, longestLine, hasEightBit }: LineReading): LineFacts {
  return { bareLf: bareLf.count, bareCr: bareCr.count, nul: nul.count, longestLine: longestLine.bytes, hasEightBit };
}

/** `offsets` are those whose lines will be requested. */
export function readLines(raw: Uint8Array, offsets: Iterable<number> = []): Lines {
  const numbering = createNumbering(offsets);
  const [bareLf, bareCr, nul] = [new Counter(), new Counter(), new Counter()];
  let line = 1;
  let begin = 0;
  let longest = { bytes: 0, offset: 0, line };
  const endLine = (end: number, next: number) => {
    if (end - begin > longest.bytes) longest = { bytes: end - begin, offset: begin, line };
    numbering.number(next, line);
    begin = next;
  };
  const seeLf = (at: number) => {
    const isBare = raw[at - 1] !== CR;
    if (isBare) bareLf.add(at, line);
    endLine(isBare ? at : at - 1, at + 1);
    line++;
  };
  const seeCrLf = (at: number) => {
    endLine(at, at + 2);
    line++;
  };
  for (let at = readCleanLines(raw, seeCrLf); at < raw.length; at++) {
    const byte = raw[at] ?? 0;
    if (byte > CR) continue;
    if (byte === LF) seeLf(at);
    else if (byte === CR && raw[at + 1] !== LF) bareCr.add(at, line);
    else if (byte === 0) nul.add(at, line);
  }
  endLine(raw.length, Number.POSITIVE_INFINITY);
  const lineOf = (offset: number) => numbering.lines.get(offset) ?? line;
  return {
    count: line,
    bareLf: bareLf.toOccurrences(),
    bareCr: bareCr.toOccurrences(),
    nul: nul.toOccurrences(),
    longest,
    hasEightBit: !isAscii(raw),
    lineOf,
  };
}

/**
 * Reports the end of each line that CR LF ends and that contains neither alone. Returns the beginning of the first
 * other line.
 */
function readCleanLines(raw: Uint8Array, see: (at: number) => void): number {
  if (raw.includes(0)) return 0;
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("latin1");
  let begin = 0;
  for (;;) {
    const isEmpty = raw[begin] === CR && raw[begin + 1] === LF;
    const at = isEmpty ? begin : text.indexOf("\n", begin) - 1;
    if (at < begin || raw[at] !== CR || (!isEmpty && text.indexOf("\r", begin) !== at)) return begin;
    see(at);
    begin = at + 2;
  }
}

/** Assigns line numbers to offsets in ascending order while the lines are read. */
function createNumbering(offsets: Iterable<number>) {
  const wanted = [...new Set(offsets)].sort((one, other) => one - other);
  const lines = new Map<number, number>();
  let asked = 0;
  let next = wanted[0] ?? Number.POSITIVE_INFINITY;
  const number = (end: number, line: number) => {
    while (next < end) {
      lines.set(next, line);
      next = wanted[++asked] ?? Number.POSITIVE_INFINITY;
    }
  };
  return { lines, number };
}

class Counter {
  #count = 0;
  #first: LinePosition | null = null;

  add(offset: number, line: number): void {
    this.#first ??= { offset, line };
    this.#count++;
  }

  toOccurrences(): Occurrences {
    return { count: this.#count, first: this.#first };
  }
}
