// Mail from the operator's own mail server by LMTP (RFC 2033). It has one reply for each recipient after DATA. The client
// is that server and not the sender, so what is known about the sender's session is what the server wrote on top of the
// message: a name counts only if the server calls itself that in LHLO, or if the operator set it.

import { randomBytes } from "node:crypto";
import { chmod, lstat, rename, unlink } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { basename, dirname, join } from "node:path";
import { isPrivate, toPlainAddress } from "../../../analyzer/addresses.ts";
import { type SmtpSession, sessionOfRecipients } from "../../../analyzer/mail/session/session.ts";
import { Refusal } from "../../../platform/errors.ts";
import { type LmtpAddress, toLmtpWords } from "../../../platform/settings/setting-kinds.ts";
import { toListenRefusal } from "../../../platform/system/listening.ts";
import type { Log } from "../../../platform/system/log.ts";
import type { RehearsalAnswer } from "../rules/answers.ts";
import type { Recipient } from "../work/route-recipient.ts";
import type { DataReader } from "./data-reader.ts";
import type { Arrival } from "./front.ts";
import type { ReplyName } from "./replies.ts";
import type { MailRoom, SmtpRoom } from "./room.ts";
import { createSparseLog } from "./sparse-log.ts";
import { type Keeping, keepMessage, readMessage, type Transaction, whyNotStored } from "./transaction.ts";

export type Answer = ReplyName | RehearsalAnswer;

/** One answer to a message that came by SMTP, and one for each recipient by LMTP. */
export async function answerMessage(
  reader: DataReader,
  transaction: Transaction,
  session: SmtpSession,
  room: SmtpRoom,
  keeping: Keeping,
): Promise<readonly Answer[]> {
  if (room.isLmtp) return await keepForEach(reader, transaction, session, room);
  return [await keepMessage(reader, transaction, session, room, keeping)];
}

/**
 * One reply for each recipient, in RCPT order. Each workspace's test is stored on its own, so that trouble with one
 * doesn't make the client send the message to the others again.
 */
async function keepForEach(
  reader: DataReader,
  { recipients }: Transaction,
  session: SmtpSession,
  room: MailRoom,
): Promise<ReplyName[]> {
  const read = readMessage(reader, room);
  if ("refusal" in read) return recipients.map(() => read.refusal);
  const whole = toLmtpSession(session);
  const owners = Map.groupBy(recipients, ({ workspaceId }) => workspaceId);
  const outcomes = new Map<string, ReplyName>();
  const keep = async (workspaceId: string, own: readonly Recipient[]) => {
    const seen = owners.size === 1 ? whole : sessionOfRecipients(whole, toAddresses(own));
    try {
      await room.receive({ raw: read.raw, session: seen, recipients: own });
      outcomes.set(workspaceId, "kept");
    } catch (error) {
      reader.abandon(); // the code that failed to store it may still hold the bytes
      outcomes.set(workspaceId, whyNotStored(error, whole, room));
    }
  };
  await Promise.all([...owners].map(([workspaceId, own]) => keep(workspaceId, own)));
  return recipients.map(({ workspaceId }) => outcomes.get(workspaceId) ?? "notNow");
}

/** The envelope is the sender's. Everything about the connection is about the operator's own server. */
function toLmtpSession(session: SmtpSession): SmtpSession {
  const { helo } = session;
  return {
    ...session,
    door: { kind: "lmtp" },
    trusted: helo === null ? [] : [helo],
    protocol: "LMTP",
    clientAddress: null,
    clientPort: null,
    clientName: null,
    via: null,
    helo: null,
    tls: null,
    pipelining: false,
    earlyTalk: false,
    unawaited: [],
  };
}

function toAddresses(recipients: readonly Recipient[]): string[] {
  return recipients.map(({ address }) => address);
}

// The sockets that LMTP clients connect to.

type LmtpFront = {
  /** Resolves to the addresses as in the settings, with the ports that the system chose. */
  readonly listen: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

type LmtpFrontOptions = {
  readonly addresses: readonly LmtpAddress[];
  readonly log: Log;
  readonly onClient: (socket: Socket, arrival: Arrival) => void;
};

/** Clients on a Unix socket have no address. */
const thisMachine = "127.0.0.1";
const turnAwayWithinMs = 1_000;

export function createLmtpFront({ addresses, log, onClient }: LmtpFrontOptions): LmtpFront {
  const closers: (() => Promise<void>)[] = [];
  const complain = createSparseLog(log, {
    message: "LMTP client has a public address and was rejected",
    most: 1,
    withinMs: 10_000,
  });

  function accept(socket: Socket, address: LmtpAddress): void {
    socket.on("error", () => {});
    const peer = "path" in address ? thisMachine : toPlainAddress(socket.remoteAddress ?? "");
    const listeningOn = "path" in address ? thisMachine : address.host;
    if (peer === undefined) socket.destroy();
    // What the client hands over counts as recorded by the operator's own server.
    else if (!isPrivate(peer)) turnAway(socket, peer);
    else onClient(socket, { address: peer, port: socket.remotePort ?? 0, via: null, listeningOn });
  }

  function turnAway(socket: Socket, client: string): void {
    complain({ client });
    socket.end("421 4.7.1 LMTP is only for mail servers on this network; use SMTP\r\n");
    socket.setTimeout(turnAwayWithinMs, () => socket.destroy()).resume();
  }

  async function open(address: LmtpAddress): Promise<string> {
    const server = createServer({ noDelay: true }, (socket) => accept(socket, address));
    const release = "path" in address ? await bindPath(server, address.path) : await bindPort(server, address);
    server.on("error", (error) => log.warn("connection not accepted", { reason: error.message }));
    closers.push(async () => {
      server.close();
      await release();
    });
    const bound = server.address();
    return "path" in address || typeof bound !== "object" || bound === null
      ? toLmtpWords(address)
      : toLmtpWords({ host: address.host, port: bound.port });
  }

  return {
    listen: () => Promise.all(addresses.map(open)),
    close: async () => void (await Promise.all(closers.map((close) => close()))),
  };
}

async function bindPort(server: Server, address: Exclude<LmtpAddress, { path: string }>) {
  const setting = { hostSetting: "ASSAY_LMTP_LISTEN", portSetting: "ASSAY_LMTP_LISTEN" };
  const refuse = (cause: unknown) => toListenRefusal(cause, { what: "LMTP", address, ...setting });
  await listen(server, address).catch((cause: unknown) => Promise.reject(refuse(cause)));
  return async () => {};
}

/**
 * The socket gets its permissions under a temporary name before clients can find it, and replaces one that a killed
 * process left. Its group is the one of its directory if that has the setgid bit, as for any file.
 */
async function bindPath(server: Server, path: string): Promise<() => Promise<void>> {
  const problem = await findProblem(path);
  if (problem !== null) throw socketRefusal(path, problem);
  const temporary = join(dirname(path), `.${randomBytes(6).toString("hex")}`);
  try {
    await listen(server, { path: temporary });
    await chmod(temporary, 0o660);
    await rename(temporary, path);
  } catch (cause) {
    server.close();
    const { code = "unknown error" } = cause as NodeJS.ErrnoException;
    throw socketRefusal(path, `the socket could not be created (${code})`);
  }
  const { ino } = await lstat(path);
  return async () => {
    const there = await lstat(path).catch(() => null);
    if (there?.ino === ino) await unlink(path).catch(() => {});
  };
}

/** Why no socket can be created there. A socket that nothing listens on is replaced. */
async function findProblem(path: string): Promise<string | null> {
  const there = await lstat(path).catch((error: NodeJS.ErrnoException) => error);
  if (there instanceof Error) return there.code === "ENOENT" ? findFolderProblem(path) : unreadable(there);
  if (!there.isSocket()) return `${basename(path)} exists and is not a socket. Remove it, or use another name`;
  return (await isAnswered(path)) ? "another program listens on it. Stop it, or use another name" : null;
}

async function findFolderProblem(path: string): Promise<string | null> {
  const folder = await lstat(dirname(path)).catch((error: NodeJS.ErrnoException) => error);
  if (!(folder instanceof Error)) return null;
  return folder.code === "ENOENT" ? `create the directory ${dirname(path)} first` : unreadable(folder);
}

function unreadable({ code }: NodeJS.ErrnoException): string {
  return `it can't be read (${code})`;
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const settle = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", ({ code }: NodeJS.ErrnoException) => settle(code !== "ECONNREFUSED" && code !== "ENOENT"));
  });
}

function socketRefusal(path: string, problem: string): Refusal {
  return new Refusal("conflict", `Cannot listen on the LMTP socket ${path}: ${problem}.`);
}

function listen(server: Server, where: { host: string; port: number } | { path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
