// What a stricter server would have refused in the bytes of a message (RFC 5321 §2.3.8, §4.5.3.1.6; RFC 5322 §2.1.1).

import { isAscii } from "node:buffer";

export type LineFacts = {
  readonly bareLf: number;
  readonly bareCr: number;
  readonly nul: number;
  /** In octets, without the line end. */
  readonly longestLine: number;
  readonly hasEightBit: boolean;
};

const CR = 13;
const LF = 10;

export function readLineFacts(raw: Uint8Array): LineFacts {
  let bareLf = 0;
  let longestLine = 0;
  let begin = 0;
  for (const end of positionsOf(LF, raw)) {
    const isBare = raw[end - 1] !== CR;
    if (isBare) bareLf++;
    longestLine = Math.max(longestLine, end - begin - (isBare ? 0 : 1));
    begin = end + 1;
  }
  let bareCr = 0;
  for (const position of positionsOf(CR, raw)) if (raw[position + 1] !== LF) bareCr++;
  let nul = 0;
  for (const _ of positionsOf(0, raw)) nul++;
  return {
    bareLf,
    bareCr,
    nul,
    longestLine: Math.max(longestLine, raw.length - begin),
    hasEightBit: !isAscii(raw),
  };
}

function* positionsOf(byte: number, raw: Uint8Array): Generator<number> {
  for (let at = raw.indexOf(byte); at >= 0; at = raw.indexOf(byte, at + 1)) yield at;
}
