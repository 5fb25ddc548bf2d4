// The library's line parser with a DATA of our own behind it, and an ear for pipelining.

import { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { CR, type DataReader, LF } from "./data-reader.ts";

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
    const lineEnd = this._dataMode ? -1 : this.#lookAhead(chunk);
    const isOneLine = lineEnd >= 0 && lineEnd === chunk.length - 1;
    if (isOneLine && lineEnd <= this._maxCommandLength && this._remainder === "" && !this.isClosed)
      this.#readLine(chunk.subarray(0, chunk[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd), next);
    else super._write(chunk, encoding, next);
  }

  /** Where its first line ends. */
  #lookAhead(chunk: Buffer): number {
    const lineEnd = chunk.indexOf(LF);
    const isTogether = lineEnd >= 0 && lineEnd < chunk.length - 1;
    if (isTogether) this.pipelined = true;
    this.#together = isTogether ? chunk : nothing;
    this.#readUpTo = 0;
    return lineEnd;
  }

  /** A command by itself, as nearly all come: the library's loop over the lines of a chunk costs as much as what answers it. */
  #readLine(line: Buffer, next: () => void): void {
    let isOver = false;
    this.oncommand(line, () => {
      if (isOver) return;
      isOver = true;
      next();
    });
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
