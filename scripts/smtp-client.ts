// A small SMTP client for scripts and tests: sends one message over one connection and returns the server's replies.

import { connect, type Socket } from "node:net";

export type SmtpTalk = { readonly host: string; readonly port: number; readonly localAddress?: string };

export type Mail = {
  readonly from: string;
  readonly to: readonly string[];
  /** Text with any line ends, or the exact bytes. */
  readonly body: string | Buffer;
};

/** The last reply: 250 if the message was accepted, else the refusal. Rejects if the connection breaks first. */
export async function sendMail(address: SmtpTalk, mail: Mail): Promise<string> {
  const session = await openSession(address);
  try {
    return await session.send(mail);
  } finally {
    session.close();
  }
}

export type SmtpSession = {
  /** The two halves of `send`: up to 354, then the message. */
  readonly begin: (mail: Mail) => Promise<string | null>;
  readonly finish: (mail: Mail) => Promise<string>;
  readonly send: (mail: Mail) => Promise<string>;
  readonly close: () => void;
};

/** A connection for any number of messages. `client` is passed with XCLIENT. */
export async function openSession(
  address: SmtpTalk,
  client?: { readonly address: string; readonly helo: string },
): Promise<SmtpSession> {
  const socket = connect(address);
  socket.setNoDelay(true);
  const replies = readReplies(socket);
  await replies();
  const say = (line: string) => {
    socket.write(`${line}\r\n`);
    return replies();
  };
  await say("EHLO client.example");
  if (client) await say(`XCLIENT ADDR=${client.address} HELO=${client.helo}`);
  /** Up to the 354 after DATA. Returns a refusal if one comes first. */
  const begin = async ({ from, to }: Mail): Promise<string | null> => {
    for (const line of [`MAIL FROM:<${from}>`, ...to.map((recipient) => `RCPT TO:<${recipient}>`), "DATA"]) {
      const reply = await say(line);
      if (!/^[23]/.test(reply)) return reply;
    }
    return null;
  };
  const finish = ({ body }: Mail) => {
    const isText = typeof body === "string";
    const lines = isText ? body.replace(/\r?\n/g, "\r\n") : body.toString("latin1");
    socket.write(lines.replace(/(^|\r\n)\./g, "$1.."), isText ? "utf8" : "latin1");
    return say(!isText && lines.endsWith("\r\n") ? "." : "\r\n.");
  };
  return { begin, finish, send: async (mail) => (await begin(mail)) ?? finish(mail), close: () => socket.destroy() };
}

function readReplies(socket: Socket): () => Promise<string> {
  const ready: string[] = [];
  const waiting: { resolve: (reply: string) => void; reject: (error: Error) => void }[] = [];
  let pending = "";
  let broken: Error | null = null;
  const breakOff = (error: Error) => {
    broken ??= error;
    for (const { reject } of waiting.splice(0)) reject(broken);
  };
  socket.on("data", (chunk: Buffer) => {
    pending += chunk.toString();
    // The last line of a reply has a space after its code.
    for (let match = lastLine.exec(pending); match; match = lastLine.exec(pending)) {
      const reply = pending.slice(0, match.index + match[0].length).trimEnd();
      pending = pending.slice(match.index + match[0].length);
      const next = waiting.shift();
      if (next) next.resolve(reply);
      else ready.push(reply);
    }
  });
  socket.on("error", breakOff);
  socket.on("close", () => breakOff(new Error("connection closed")));
  return () =>
    new Promise((resolve, reject) => {
      const reply = ready.shift();
      if (reply !== undefined) resolve(reply);
      else if (broken) reject(broken);
      else waiting.push({ resolve, reject });
    });
}

const lastLine = /^\d{3} .*\r\n/m;
