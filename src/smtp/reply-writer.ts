// Everything that is said to one client: the transcript hears it, and what refuses is counted. Replies that go on with a
// message leave together at the end of a round of the event loop: a client of many connections answers faster than we
// speak, so that told one by one it falls asleep behind each reply, and to wake it costs us more than to write.

import type { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
import { type ReplyName, replies } from "./replies.ts";
import type { Transcript } from "./transcript.ts";

export type ReplyWriter = {
  readonly reply: (name: ReplyName) => void;
  /** A line of ours with a code below 400, at the end of the round. */
  readonly assent: (line: string) => void;
  readonly say: (code: number, lines: readonly string[]) => void;
  /** Says what waits for the end of the round. */
  readonly finish: () => void;
  readonly forgiveErrors: () => void;
};

export type ReplyWriterOptions = {
  readonly transcript: Pick<Transcript, "hear">;
  readonly maxErrors: number;
  readonly atRoundEnd: (work: () => void) => void;
  readonly writeLines: (lines: string) => void;
  /** As the library does, which keeps account of what is 400 or more. */
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
    if (errors >= maxErrors && code !== 421) reply("tooManyErrors");
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

/** Of all connections, which are heard first: does what it is given once nothing more came in this round of the event loop. */
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

// What the library does with every command and every reply, for those that come with each message: its general way, with
// a look at what each may be, costs more than all that is done for them.

/** Answers what the handler is to call when it is done: until then the client waits for us, and no idle time-out runs. */
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

/** ASCII of ours alone, because nothing in it is made harmless; and below 400: the library keeps account of the others. */
export function writeLines(library: Pick<SMTPConnection, "_upgrading" | "_socket">, lines: string): void {
  const { _upgrading, _socket } = library;
  // While TLS is begun they would stand in plain text among its records.
  if (!_upgrading && _socket.readyState === "open") _socket.write(lines, "latin1");
}
