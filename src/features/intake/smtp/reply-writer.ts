// Writes all replies to one client, adds them to the transcript and counts errors. Replies that continue a message are sent
// together at the end of a round of the event loop. A client with many connections answers faster than we write. With single
// replies it would fall asleep after each one, and waking it costs more than writing.

import type { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
import { type ReplyName, replies } from "./replies.ts";
import type { Transcript } from "./transcript.ts";

export type ReplyWriter = {
  readonly reply: (name: ReplyName) => void;
  /** Sends one of our lines with a code below 400 at the end of the round. */
  readonly assent: (line: string) => void;
  readonly say: (code: number, lines: readonly string[]) => void;
  /** Sends what waits for the end of the round. */
  readonly finish: () => void;
  readonly forgiveErrors: () => void;
};

export type ReplyWriterOptions = {
  readonly transcript: Pick<Transcript, "hear">;
  readonly maxErrors: number;
  readonly atRoundEnd: (work: () => void) => void;
  readonly writeLines: (lines: string) => void;
  /** As in the library, which counts replies of 400 and above. */
  readonly send: (code: number, lines: string[]) => void;
};

export function createReplyWriter({
  transcript,
  maxErrors,
  atRoundEnd,
  writeLines,
  send,
}: ReplyWriterOptions): ReplyWriter {
  let unsent = "";
  let errors = 0;

  function finish(): void {
    const lines = unsent;
    unsent = "";
    if (lines !== "") writeLines(lines);
  }

  function assent(line: string): void {
    transcript.hear("server", line);
    if (unsent === "") atRoundEnd(finish);
    unsent += `${line}\r\n`;
  }

  function say(code: number, lines: readonly string[]): void {
    lines.forEach((line, index) => {
      transcript.hear("server", `${code}${index < lines.length - 1 ? "-" : " "}${line}`);
    });
    finish();
    send(code, [...lines]);
    if (code >= 400 && code !== 421 && code !== 452) errors += 1;
    if (code !== 421 && errors >= maxErrors) reply("tooManyErrors");
  }

  function reply(name: ReplyName): void {
    const [code, enhanced, sentence] = replies[name];
    if (code < 400) assent(`${code} ${enhanced} ${sentence}`);
    else say(code, [`${enhanced} ${sentence}`]);
  }

  return {
    reply,
    assent,
    say,
    finish,
    forgiveErrors: () => {
      errors = 0;
    },
  };
}

/** Runs a task for all connections when no more input arrives in this round of the event loop. */
export function createRoundEnd(): ReplyWriterOptions["atRoundEnd"] {
  let works: (() => void)[] = [];
  const end = () => {
    const ended = works;
    works = [];
    for (const work of ended) work();
  };
  return (work) => {
    if (works.push(work) === 1) setImmediate(end);
  };
}

// Does what the library does with every command and reply, for the commands of each message. The library's general way checks
// each of them, which costs more than all the rest.

/** Returns what the handler must call when it is done. Until then the client waits for us, so no idle timeout runs. */
export function handOn(
  library: Pick<SMTPConnection, "_handlerPending" | "_whenWritable">,
  resume: () => void = () => {},
): () => void {
  library._handlerPending = true;
  return () => {
    library._handlerPending = false;
    library._whenWritable(resume);
  };
}

/** Only our own ASCII text, because it is not escaped. Only codes below 400, because the library counts the others. */
export function writeLines(library: Pick<SMTPConnection, "_upgrading" | "_socket">, lines: string): void {
  const { _upgrading, _socket } = library;
  // During the TLS handshake, these replies would be plain text between its records.
  if (!_upgrading && _socket.readyState === "open") _socket.write(lines, "latin1");
}
