// Delivers messages either through the operator's relay, over pooled connections, or directly to our own listener. Both
// use nodemailer.

import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createTransport } from "nodemailer";
import {
  isInNetworks,
  isLoopback,
  type ListenAddress,
  parseNetworks,
  toPlainAddress,
} from "../../../analyzer/addresses.ts";
import type { SendTransport } from "../../../analyzer/mail/send-token.ts";
import { messageOf } from "../../../platform/errors.ts";
import { openBoundedLine } from "../../../platform/system/bounded-line.ts";
import type { Loopback, OwnMark } from "../../intake/work/loopback.ts";
import { type Relay, readRelay } from "./relay-url.ts";
import { isBrokenOff, type Rejection, type SmtpError, toRejection, toReply, toWords } from "./smtp-words.ts";

export type Outgoing = {
  readonly mark: OwnMark;
  readonly mailFrom: string;
  readonly rcptTo: string;
  readonly raw: Uint8Array;
  /** For samples: the HELO name, which is not our own. These use TLS, as good servers do. */
  readonly helo?: string;
};

export type MailTransport = {
  readonly transport: SendTransport;
  /**
   * Resolves with the receiving server's reply when it has accepted the message; throws a TransportFailure if not.
   */
  readonly deliver: (outgoing: Outgoing, signal: AbortSignal) => Promise<string>;
  readonly close: () => void;
};

/** A delivery error with a message for users, free of secrets. */
export class TransportFailure extends Error {
  readonly rejection: Rejection | null;
  /** The session broke off, so the other server may have accepted the message. */
  readonly isUncertain: boolean;

  constructor(message: string, rejection: Rejection | null = null, isUncertain = false) {
    super(message);
    this.rejection = rejection;
    this.isUncertain = isUncertain;
  }
}

export function toFailureWords(error: unknown): string {
  return error instanceof TransportFailure ? error.message : `Internal error: ${messageOf(error)}`;
}

const patience = { connectionTimeout: 10_000, greetingTimeout: 30_000 };
const silenceMs = 45_000;
const relayConnections = 5;
const strictTls = { minVersion: "TLSv1.2" } as const;

/** `name`: our HELO name. */
export function createRelayTransport(url: string, name: string): MailTransport {
  const relay = readRelay(url);
  const transport = createTransport({ ...toRelayOptions(relay, name), pool: true, maxConnections: relayConnections });
  return {
    transport: "relay",
    deliver: async ({ mailFrom, rcptTo, raw }, signal) => {
      try {
        const message = { envelope: { from: mailFrom, to: [rcptTo] }, raw: Buffer.from(raw), signal };
        const { response } = await transport.sendMail(message);
        return toReply(response, relay);
      } catch (error) {
        throw toRelayFailure(error, relay, signal);
      }
    },
    close: () => transport.close(),
  };
}

export function toRelayFailure(error: unknown, relay: Relay, signal: AbortSignal): TransportFailure {
  const words = toWords(error, "The relay", relay, signal);
  const rejection = toRejection(error, relay);
  const isUncertain = rejection === null && (signal.aborted || isBrokenOff(error as Partial<SmtpError>));
  return new TransportFailure(words, rejection, isUncertain);
}

/** Connects and logs in. Throws the library's errors. */
export async function logInto(relay: Relay, name: string, signal: AbortSignal, address?: string): Promise<void> {
  await createTransport(toRelayOptions(relay, name, { address, signal })).verify();
}

export function toTrialWords(error: unknown, relay: Relay, signal: AbortSignal): string {
  return signal.aborted ? "The relay did not answer all of our commands in time." : toWords(error, "The relay", relay);
}

type LineTerms = {
  /** Connects there, but the certificate must be for the host. */
  readonly address?: string | undefined;
  /** Closes the connection. */
  readonly signal?: AbortSignal;
};

export function toRelayOptions(
  { host, port, isImplicitTls, login }: Relay,
  name: string,
  { address = host, signal }: LineTerms = {},
) {
  const mustBeSafe = isImplicitTls || login !== null;
  const servername = toPlainAddress(host) === undefined ? { servername: host } : {};
  return {
    host: address,
    port,
    name,
    ...patience,
    secure: isImplicitTls,
    requireTLS: login !== null && !isImplicitTls,
    socketTimeout: silenceMs,
    // Without a password, unauthenticated TLS is still better than none (RFC 7435).
    tls: { ...strictTls, ...servername, rejectUnauthorized: mustBeSafe },
    ...(login && { auth: login, forceAuth: true }),
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: provide(() => openBoundedLine({ host: address, port, signal })),
  };
}

type LoopTerms = {
  readonly name: string;
  /** Known once the listener is running. */
  readonly listens: () => readonly ListenAddress[];
  /** Addresses that must send a PROXY header. They may include ours. */
  readonly proxyFrom: readonly string[];
  readonly expect: Loopback["expect"];
};

export function createLoopbackTransport(terms: LoopTerms): MailTransport {
  return {
    transport: "loopback",
    deliver: async ({ mark, ...outgoing }, signal) => {
      let socket: Socket | undefined;
      let callOff = () => {};
      try {
        socket = await openLoop(terms, signal);
        callOff = terms.expect({ address: socket.localAddress, port: socket.localPort }, mark);
        return await sendOver(socket, terms.name, outgoing, signal);
      } catch (error) {
        throw new TransportFailure(toWords(error, "This server's SMTP listener", null, signal));
      } finally {
        callOff();
        socket?.destroy();
      }
    },
    close: () => {},
  };
}

async function openLoop({ listens, proxyFrom }: LoopTerms, signal: AbortSignal): Promise<Socket> {
  const { host, port } = pickListener(listens());
  const socket = connect({ host, port, noDelay: true, signal });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve).on("error", reject);
  });
  const own = toPlainAddress(socket.localAddress ?? "");
  if (own !== undefined && isInNetworks(own, parseNetworks(proxyFrom))) socket.write("PROXY UNKNOWN\r\n");
  return socket;
}

/**
 * TLS is used only for samples, because the connection stays on this machine. The certificate is not verified: it may
 * be for other names, and the port identifies the other end.
 */
async function sendOver(
  connection: Socket,
  ownName: string,
  { mailFrom, rcptTo, raw, helo }: Omit<Outgoing, "mark">,
  signal: AbortSignal,
): Promise<string> {
  const isEncrypted = helo !== undefined;
  const transport = createTransport({
    name: helo ?? ownName,
    ...patience,
    socketTimeout: silenceMs,
    secure: false,
    ignoreTLS: !isEncrypted,
    requireTLS: isEncrypted,
    tls: { ...strictTls, rejectUnauthorized: false },
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: provide(() => connection),
  });
  try {
    const message = { envelope: { from: mailFrom, to: [rcptTo] }, raw: Buffer.from(raw), signal };
    return toReply((await transport.sendMail(message)).response, null);
  } finally {
    transport.close();
  }
}

/** For nodemailer, which limits each reply, but not the blank lines between them. It uses no more of a socket. */
function provide(open: () => Duplex) {
  return (_options: unknown, done: (error: null, opened: { connection: Socket }) => void) =>
    done(null, { connection: open() as Socket });
}

/** Prefers an address that is always reachable: wildcard or loopback. */
function pickListener(addresses: readonly ListenAddress[]): ListenAddress {
  const reachable = addresses.map(({ host, port }) => ({ host: toReachable(host), port }));
  const picked = reachable.find(({ host }) => isLoopback(host)) ?? reachable[0];
  if (!picked) throw new TransportFailure("not listening yet");
  return picked;
}

function toReachable(host: string): string {
  const plain = toPlainAddress(host) ?? host;
  if (plain === "0.0.0.0") return "127.0.0.1";
  return plain === "::" ? "::1" : plain;
}
