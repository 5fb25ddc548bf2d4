// A small IMAP server on loopback that says what a test wants: a mailbox with Gmail's categories, or anything hostile.

import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { createSelfSigned } from "../src/platform/system/self-signed.ts";

export type ImapCommand = {
  readonly tag: string;
  /** In capitals, with UID where that is a part of it: `UID FETCH`. */
  readonly name: string;
  readonly line: string;
};

export type ImapPeer = {
  readonly say: (text: string) => void;
  /** Ends with the connection. */
  readonly isGone: () => boolean;
  readonly hangUp: () => void;
  /** The folder that is open. */
  readonly folder: () => string;
};

/** True: it has done something instead of the usual. */
export type ImapAnswer = (command: ImapCommand, peer: ImapPeer) => boolean;

export type ImapMessage = { readonly uid: number; readonly source: string; readonly category?: string };

export type ImapServerOptions = {
  readonly tls?: "implicit" | "starttls";
  readonly capabilities?: string;
  readonly greet?: (peer: ImapPeer) => void;
  readonly answer?: ImapAnswer;
  /** Of INBOX. */
  readonly messages?: readonly ImapMessage[];
};

export type ImapServer = AsyncDisposable & {
  readonly port: number;
  readonly ca: string;
  readonly heard: readonly string[];
};

/** One for all: of two with one name only the first would be looked at. */
const pair = createSelfSigned(["localhost"], Date.now());
const greeting = "* OK ready\r\n";

export async function startImapServer(options: ImapServerOptions = {}): Promise<ImapServer> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    const isImplicit = options.tls !== "starttls";
    const stream = isImplicit ? new TLSSocket(socket, { isServer: true, ...pair }) : socket;
    if (isImplicit) stream.on("error", () => {});
    serve(stream, options, heard);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    ca: pair.cert,
    heard,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function serve(stream: Socket, options: ImapServerOptions, heard: string[]): void {
  let rest = "";
  let folder = "";
  const peer: ImapPeer = {
    say: (text) => void (stream.destroyed || stream.write(Buffer.from(text, "latin1"))),
    isGone: () => stream.destroyed,
    hangUp: () => stream.destroy(),
    folder: () => folder,
  };
  stream.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("latin1")).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      heard.push(line);
      const [, tag = "*", name = ""] = /^(\S+) ((?:UID )?\S+)/i.exec(line) ?? [];
      const command = { tag, name: name.toUpperCase(), line };
      if (command.name === "EXAMINE") folder = line.split(" ")[2]?.replaceAll('"', "") ?? "";
      if (!options.answer?.(command, peer)) answerAsUsual(command, peer, options);
    }
  });
  if (options.greet) options.greet(peer);
  else peer.say(greeting);
}

function answerAsUsual(command: ImapCommand, peer: ImapPeer, options: ImapServerOptions): void {
  const { tag, name } = command;
  if (name === "IDLE") peer.say("+ idling\r\n");
  else peer.say(`${untagged(command, peer, options)}${tag} OK ${name} done\r\n`);
  if (name === "LOGOUT") peer.hangUp();
}

function untagged(
  { name, line }: ImapCommand,
  peer: ImapPeer,
  { capabilities = "IMAP4rev1", messages = [] }: ImapServerOptions,
): string {
  const here = peer.folder() === "INBOX" ? messages : [];
  const next = (list: readonly ImapMessage[]) => list.reduce((uid, one) => Math.max(uid, one.uid + 1), 1);
  if (name === "CAPABILITY") return `* CAPABILITY ${capabilities}\r\n`;
  if (name === "LIST") return '* LIST () "/" INBOX\r\n* LIST (\\Junk) "/" Junk\r\n';
  if (name === "EXAMINE")
    return `* ${here.length} EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT ${next(here)}] ok\r\n`;
  if (name === "STATUS")
    return `* STATUS ${line.split(" ")[2]} (UIDNEXT ${next(line.includes("INBOX") ? messages : [])} UIDVALIDITY 7)\r\n`;
  if (name === "UID SEARCH") {
    const found = here.filter(({ category }) => category !== undefined && line.includes(`category:${category}`));
    return `* SEARCH ${found.map(({ uid }) => uid).join(" ")}\r\n`;
  }
  return name === "UID FETCH" ? here.map((message, at) => toRow(message, at + 1, line)).join("") : "";
}

function toRow({ uid, source }: ImapMessage, number: number, line: string): string {
  const date = new Date().toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, "$1-$2-$3 $4 +0000");
  const body = line.includes("BODY.PEEK") ? ` BODY[]<0> {${source.length}}\r\n${source}` : "";
  return `* ${number} FETCH (UID ${uid} INTERNALDATE "${date}"${body})\r\n`;
}
