// The senders that are rehearsed: Postfix with a short queue, nodemailer and msmtp as an app uses them, and one that does
// everything wrong.

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { SMTPServer } from "smtp-server";
import { startPostfix } from "../real-clients/postfix.ts";
import { findProgramLack, runProgram } from "../real-clients/program.ts";
import type { Port } from "../real-clients/swaks.ts";
import { makeFolder, type RehearsalWorld, receiverName } from "./world.ts";

export type Mail = { readonly from: string; readonly to: string; readonly bytes: Buffer };

export type Sender = {
  readonly name: string;
  readonly findLack: () => string | null;
  /** Hands it over once. A failure is the sender's own affair. */
  readonly send: (mail: Mail) => Promise<void>;
  readonly end: () => Promise<void>;
};

export type Home = {
  readonly port: number;
  /** What came home, newest last. */
  readonly bounces: readonly string[];
  readonly close: () => Promise<void>;
};

/** Takes the bounces. */
export async function startHome(): Promise<Home> {
  const bounces: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        bounces.push(Buffer.concat(chunks).toString("latin1"));
        done();
      });
    },
  });
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  return { port, bounces, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Retries after a second or two, where Postfix usually waits five minutes. */
const hastyQueue = {
  minimal_backoff_time: "1s",
  maximal_backoff_time: "2s",
  queue_run_delay: "1s",
  default_destination_concurrency_failed_cohort_limit: "100",
  smtp_helo_name: "mail.a.example",
};

type PostfixTerms = {
  readonly name: string;
  readonly clientAddress: string;
  readonly home: Home | null;
  /** Requires TLS with a valid certificate for the receiver's name. */
  readonly isStrict?: boolean;
};

export async function startQueue(
  world: RehearsalWorld,
  { name, clientAddress, home, isStrict = false }: PostfixTerms,
): Promise<Sender> {
  const folder = makeFolder(world, name);
  const port = await world.openAs(clientAddress);
  // Beside its folder, which must be empty.
  const transports = `${folder}.transports`;
  const toReceiver = `/@seed\\.example$/ smtp:[${port.host}]:${port.port}`;
  writeFileSync(transports, `${toReceiver}\n/@/ smtp:[127.0.0.1]:${home?.port ?? port.port}\n`);
  const authority = `${folder}.pem`;
  writeFileSync(authority, world.certificate);
  const strict = {
    smtp_tls_security_level: "verify",
    smtp_tls_verify_cert_match: receiverName,
    smtp_tls_CAfile: authority,
  };
  const client = await startPostfix(name, folder, port, {
    ...hastyQueue,
    ...(home !== null && { transport_maps: `regexp:${transports}` }),
    ...(isStrict && strict),
  });
  return {
    name,
    findLack: client.findLack,
    send: ({ bytes, ...envelope }) => client.send({ name, bytes }, envelope),
    end: async () => await client.end?.(),
  };
}

/** An app that builds the message again for each try, as its code usually does. */
export function createApp(port: Port): Sender {
  const transport = createTransport({ ...port, name: "app.a.example", tls: { rejectUnauthorized: false } });
  return {
    name: "nodemailer",
    findLack: () => null,
    send: async ({ from, to }) => {
      const message = { from, to, subject: "Your receipt", text: "Thank you for your order." };
      await transport.sendMail(message).catch(() => {});
    },
    end: async () => transport.close(),
  };
}

/** Verifies the receiver's certificate. */
export function createStrictApp(port: Port, certificate: string): Sender {
  const transport = createTransport({
    ...port,
    name: "app.a.example",
    requireTLS: true,
    tls: { ca: [certificate], servername: receiverName },
  });
  const messageId = `<${randomUUID()}@a.example>`;
  return {
    name: "nodemailer with requireTLS",
    findLack: () => null,
    send: async ({ from, to }) => {
      const message = { from, to, subject: "Your receipt", text: "Thank you for your order.", messageId };
      await transport.sendMail(message).catch(() => {});
    },
    end: async () => transport.close(),
  };
}

export function createMsmtp({ host, port }: Port): Sender {
  const place = [`--host=${host}`, `--port=${port}`, "--auth=off", "--domain=cron.a.example"];
  const encrypted = ["--tls=on", "--tls-starttls=on", "--tls-certcheck=off"];
  return {
    name: "msmtp",
    findLack: () => findProgramLack("msmtp", "msmtp"),
    send: async ({ from, to, bytes }) => {
      const text = Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
      await runProgram("msmtp", [...place, ...encrypted, `--from=${from}`, "--", to], text).catch(() => {});
    },
    end: async () => {},
  };
}

/**
 * No TLS, a new Message-ID for each try, no look at the announced limit, five seconds of patience, and another try at once,
 * whatever the reply.
 */
export function createBadSender({ host, port }: Port): Sender {
  const say = async (to: string, from: string): Promise<void> => {
    const socket = connect({ host, port });
    socket.on("error", () => {});
    const body = `From: ${from}\r\nTo: ${to}\r\nSubject: Act now\r\nMessage-ID: <${randomUUID()}@a.example>\r\n\r\n`;
    const filler = `${"buy ".repeat(15)}\r\n`.repeat(50);
    const lines = ["EHLO bad.a.example", `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, "DATA", `${body}${filler}.`];
    const replies = readReplies(socket);
    await replies();
    for (const line of lines) {
      socket.write(`${line}\r\n`);
      if (!/^[23]/.test(await Promise.race([replies(), pause(5_000, "")]))) break;
    }
    socket.destroy();
  };
  return {
    name: "bad sender",
    findLack: () => null,
    send: async ({ from, to }) => await say(to, from),
    end: async () => {},
  };
}

function readReplies(socket: ReturnType<typeof connect>): () => Promise<string> {
  let text = "";
  let isGone = false;
  let wake = () => {};
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    wake();
  });
  socket.on("close", () => {
    isGone = true;
    wake();
  });
  return async () => {
    for (;;) {
      const found = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(text);
      if (found) {
        text = text.slice(found[0].length);
        return found[0];
      }
      if (isGone) return "";
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}
