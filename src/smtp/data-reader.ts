// DATA → exactly the bytes that it carried. Written here, because the library's own stream takes a dot off behind a bare
// LF too, which changes what was signed.
// RFC 5321 §4.5.2: a line is begun by CRLF and nothing else, a lone dot on such a line is the end and nothing else is
// (VU#302671), and a dot before anything else on such a line is taken off.

import type { MessageMemory } from "./message-memory.ts";

export const CR = 13;
export const LF = 10;
const DOT = 46;
const dottedLine = Buffer.from("\r\n.");

/** What of `CRLF . CR LF` the bytes so far end with. At the beginning of DATA a line begins without a CRLF. */
type Matched = "nothing" | "cr" | "crlf" | "dot" | "dotCr";

export type Heard =
  | { readonly outcome: "message"; readonly raw: Uint8Array }
  /** The rest was read and thrown away, so that the client hears why. */
  | { readonly outcome: "tooBig" | "noMemory" };

export type DataReader = {
  /** How many bytes of the chunk belong to DATA, its end included, once the end has come; null while it has not. */
  readonly feed: (chunk: Buffer) => number | null;
  /** Once, after the end. The bytes stay as they are until `release`. */
  readonly heard: () => Heard;
  /** Gives the memory back, once nobody needs the bytes any more: they are written over. */
  readonly release: () => void;
  /** In place of `release`, where somebody may still read them. */
  readonly abandon: () => void;
};

type DataReaderOptions = {
  readonly maxBytes: number;
  /** Asked for as bytes arrive, never on the word of a client. */
  readonly memory: MessageMemory;
};

export function createDataReader({ maxBytes, memory }: DataReaderOptions): DataReader {
  let matched: Matched = "crlf";
  let buffer: Buffer | null = nothing;
  let length = 0;
  let trouble: "tooBig" | "noMemory" | null = null;

  function leave(how: (buffer: Buffer) => void): void {
    if (buffer !== null) how(buffer);
    buffer = null;
  }

  function dropFor(why: "tooBig" | "noMemory"): void {
    trouble = why;
    leave(memory.giveBack);
  }

  function keep(bytes: Buffer, start: number, end: number): void {
    if (buffer === null || end <= start) return;
    const needed = length + end - start;
    if (needed > maxBytes) {
      dropFor("tooBig");
      return;
    }
    if (needed > buffer.length) {
      const grown = memory.grow(buffer, needed, maxBytes);
      if (grown === null) {
        dropFor("noMemory");
        return;
      }
      buffer = grown;
    }
    bytes.copy(buffer, length, start, end);
    length = needed;
  }

  /** A byte at a seam: where a line begins, or where the chunk before ended in the middle of an end. */
  function step(chunk: Buffer, position: number): boolean {
    const before = matched;
    const after = follow(before, chunk[position] ?? 0);
    if (after === "end") return true;
    matched = after;
    if (after === "dot" || after === "dotCr") return false;
    if (before === "dotCr") keep(crByte, 0, 1);
    keep(chunk, position, position + 1);
    return false;
  }

  return {
    feed: (chunk) => {
      let position = 0;
      while (position < chunk.length) {
        if (goesOn(matched, chunk[position])) {
          const ended = step(chunk, position);
          position += 1;
          if (ended) return position;
          continue;
        }
        const found = chunk.indexOf(dottedLine, position);
        const end = found < 0 ? chunk.length : found + dottedLine.length - 1;
        keep(chunk, position, end);
        matched = found < 0 ? endingOf(chunk) : "crlf";
        position = end;
      }
      return null;
    },
    heard: () =>
      buffer === null
        ? { outcome: trouble ?? "tooBig" }
        : { outcome: "message", raw: buffer.subarray(0, length) },
    release: () => leave(memory.giveBack),
    abandon: () => leave(memory.abandon),
  };
}

const nothing = Buffer.alloc(0);
const crByte = Buffer.from([CR]);

/** Only what may be a dotted line is read byte by byte: a message may consist of empty ones. */
function goesOn(matched: Matched, byte: number | undefined): boolean {
  if (matched === "crlf") return byte === DOT;
  if (matched === "cr") return byte === LF;
  return matched !== "nothing";
}

function follow(matched: Matched, byte: number): Matched | "end" {
  if (matched === "crlf" && byte === DOT) return "dot";
  if (matched === "dot" && byte === CR) return "dotCr";
  if (matched === "dotCr" && byte === LF) return "end";
  if (byte === CR) return "cr";
  return byte === LF && matched === "cr" ? "crlf" : "nothing";
}

function endingOf(chunk: Buffer): Matched {
  const last = chunk.at(-1);
  if (last === CR) return "cr";
  return last === LF && chunk.at(-2) === CR ? "crlf" : "nothing";
}
