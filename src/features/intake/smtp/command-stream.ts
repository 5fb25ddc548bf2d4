// The library's line parser with our own handling of DATA, and detection of pipelining.

import { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { CR, type DataReader, LF } from "./data-reader.ts";

const nothing = Buffer.alloc(0);

export class CommandStream extends SMTPStream {
  /** A command arrived together with the one before it, which had no reply yet. */
  pipelined = false;
  /** Commands that arrived together. The unread ones begin at `#readUpTo`. */
  #together: Buffer = nothing;
  #readUpTo = 0;
  #reader: DataReader | null = null;
  #ended: (resume: () => void) => void = () => {};

  /** `refuse`: a line was too long, and the connection ends. */
  static create(
    maxCommandLength: number | undefined,
    hear: (command: Buffer, resume?: () => void) => void,
    refuse: () => void,
  ): CommandStream {
    const stream = new CommandStream({ maxCommandLength });
    stream.oncommand = hear;
    stream.on("error", refuse);
    return stream;
  }

  /** Called for each command, in order. */
  passCommand(): void {
    const lineEnd = this.#together.indexOf(LF, this.#readUpTo);
    this.#readUpTo = lineEnd < 0 ? this.#together.length : lineEnd + 1;
  }

  /** What arrived after the current command, in the same chunk. */
  get behindCommand(): Buffer {
    return this.#together.subarray(this.#readUpTo);
  }

  /** `ended` is called at the end of DATA. Nothing more is read until it calls `resume`. */
  readData(reader: DataReader, ended: (resume: () => void) => void): void {
    this.#reader = reader;
    this.#ended = ended;
    this._dataMode = true;
  }

  override _write(chunk: Buffer, encoding: BufferEncoding | "buffer", next: (error?: Error | null) => void): void {
    const lineEnd = this._dataMode ? -1 : this.#lookAhead(chunk);
    const isOneLine = lineEnd >= 0 && lineEnd === chunk.length - 1;
    if (isOneLine && lineEnd <= this._maxCommandLength && this._remainder === "" && !this.isClosed)
      this.#readLine(chunk.subarray(0, chunk[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd), next);
    else super._write(chunk, encoding, next);
  }

  /** The end of its first line. */
  #lookAhead(chunk: Buffer): number {
    const lineEnd = chunk.indexOf(LF);
    const isTogether = lineEnd >= 0 && lineEnd < chunk.length - 1;
    if (isTogether) this.pipelined = true;
    this.#together = isTogether ? chunk : nothing;
    this.#readUpTo = 0;
    return lineEnd;
  }

  /** Most commands arrive alone. For these, the library's loop over the lines of a chunk would cost as much as the reply. */
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
