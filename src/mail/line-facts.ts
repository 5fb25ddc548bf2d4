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
  const reader = new LineReader(raw, offsets);
  for (let at = 0; at < raw.length; at++) if ((raw[at] ?? 0) <= CR) reader.see(at);
  return reader.end();
}

class LineReader {
  readonly #raw: Uint8Array;
  readonly #wanted: readonly number[];
  readonly #lines = new Map<number, number>();
  readonly #bareLf = new Counter();
  readonly #bareCr = new Counter();
  readonly #nul = new Counter();
  #longest = { bytes: 0, offset: 0, line: 1 };
  #line = 1;
  #begin = 0;
  #asked = 0;

  constructor(raw: Uint8Array, offsets: Iterable<number>) {
    this.#raw = raw;
    this.#wanted = [...new Set(offsets)].sort((one, other) => one - other);
  }

  see(at: number): void {
    const byte = this.#raw[at];
    if (byte === LF) {
      const isBare = this.#raw[at - 1] !== CR;
      if (isBare) this.#bareLf.add(at, this.#line);
      this.#endLine(isBare ? at : at - 1, at + 1);
      this.#line++;
    } else if (byte === CR && this.#raw[at + 1] !== LF) this.#bareCr.add(at, this.#line);
    else if (byte === 0) this.#nul.add(at, this.#line);
  }

  end(): Lines {
    this.#endLine(this.#raw.length, Number.POSITIVE_INFINITY);
    const last = this.#line;
    return {
      count: last,
      bareLf: this.#bareLf,
      bareCr: this.#bareCr,
      nul: this.#nul,
      longest: this.#longest,
      hasEightBit: !isAscii(this.#raw),
      lineOf: (offset) => this.#lines.get(offset) ?? last,
    };
  }

  #endLine(end: number, next: number): void {
    const bytes = end - this.#begin;
    if (bytes > this.#longest.bytes) this.#longest = { bytes, offset: this.#begin, line: this.#line };
    let offset = this.#wanted[this.#asked];
    while (offset !== undefined && offset < next) {
      this.#lines.set(offset, this.#line);
      offset = this.#wanted[++this.#asked];
    }
    this.#begin = next;
  }
}

class Counter implements Occurrences {
  count = 0;
  first: Place | null = null;

  add(offset: number, line: number): void {
    this.first ??= { offset, line };
    this.count++;
  }
}
