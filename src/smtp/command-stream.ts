// The library's line parser with a DATA of our own behind it, and an ear for pipelining.

import { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { type DataReader, LF } from "./data-reader.ts";

const nothing = Buffer.alloc(0);

export class CommandStream extends SMTPStream {
  /** A command came together with the one before, which had no answer yet. */
  pipelined = false;
  /** Of commands that came together: what is not yet read of them begins at `#readUpTo`. */
  #together: Buffer = nothing;
  #readUpTo = 0;
  #reader: DataReader | null = null;
  #ended: (resume: () => void) => void = () => {};

  /** Called of each command, in its order. */
  passCommand(): void {
    const lineEnd = this.#together.indexOf(LF, this.#readUpTo);
    this.#readUpTo = lineEnd < 0 ? this.#together.length : lineEnd + 1;
  }

  /** What came together with the command in hand, behind it. */
  get behindCommand(): Buffer {
    return this.#together.subarray(this.#readUpTo);
  }

  /** `ended` is called at the end of DATA; nothing more is read until it calls `resume`. */
  readData(reader: DataReader, ended: (resume: () => void) => void): void {
    this.#reader = reader;
    this.#ended = ended;
    this._dataMode = true;
  }

  override _write(
    chunk: Buffer,
    encoding: BufferEncoding | "buffer",
    next: (error?: Error | null) => void,
  ): void {
    if (!this._dataMode) this.#lookAhead(chunk);
    super._write(chunk, encoding, next);
  }

  #lookAhead(chunk: Buffer): void {
    const isTogether = isMoreThanALine(chunk);
    if (isTogether) this.pipelined = true;
    this.#together = isTogether ? chunk : nothing;
    this.#readUpTo = 0;
  }

  override _feedDataStream(chunk: Buffer, done: (error?: Error | null) => void): void {
    const used = this.#reader?.feed(chunk) ?? null;
    if (used === null) {
      done();
      return;
    }
    this._dataMode = false;
    this.#reader = null;
    this.#ended(() => {
      if (this.isClosed) done();
      else this._write(chunk.subarray(used), "buffer", done);
    });
  }
}

function isMoreThanALine(chunk: Buffer): boolean {
  const lineEnd = chunk.indexOf(LF);
  return lineEnd >= 0 && lineEnd < chunk.length - 1;
}
