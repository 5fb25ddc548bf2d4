// Reads DATA as exactly the bytes that it carried. Written here, because the library's own stream also removes a dot after a
// bare LF, which changes what was signed. RFC 5321 §4.5.2: only CRLF begins a line, only a lone dot on such a line ends the
// message (VU#302671), and a dot before anything else on such a line is removed.

import type { MessageMemory } from "./message-memory.ts";

export const CR = 13;
export const LF = 10;
const DOT = 46;
const dottedLine = Buffer.from("\r\n.");

/** How much of `CRLF . CR LF` the bytes so far end with. DATA begins at the start of a line. */
type Matched = "nothing" | "cr" | "crlf" | "dot" | "dotCr";

export type Heard =
  | { readonly outcome: "message"; readonly raw: Uint8Array }
  /** The rest was read and discarded, so that the client gets the reason. */
  | { readonly outcome: "tooBig" | "noMemory" };

export type DataReader = {
  /** How many bytes of the chunk belong to DATA, including its end. Null until the end has arrived. */
  readonly feed: (chunk: Buffer) => number | null;
  /** Call once, after the end. The bytes do not change until `release`. */
  readonly heard: () => Heard;
  /** Gives the memory back when the bytes are no longer needed. They are overwritten. */
  readonly release: () => void;
  /** Used in place of `release` if the bytes may still be read. */
  readonly abandon: () => void;
};

type DataReaderOptions = {
  readonly maxBytes: number;
  /** Allocated as bytes arrive, and never because a client announces a size. */
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

  /** A byte where a line begins, or where the previous chunk ended within an end of DATA. */
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
      buffer === null ? { outcome: trouble ?? "tooBig" } : { outcome: "message", raw: buffer.subarray(0, length) },
    release: () => leave(memory.giveBack),
    abandon: () => leave(memory.abandon),
  };
}

const nothing = Buffer.alloc(0);
const crByte = Buffer.from([CR]);

/** Only possible dotted lines are read byte by byte, because a message may consist of empty lines. */
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
