// Delivers messages either through the operator's relay, over pooled connections, or directly to our own listener. Both
// use nodemailer.

import { connect, type Socket } from "node:net";
import { createTransport } from "nodemailer";
import { isInNetworks, isLoopback, parseNetworks, toPlainAddress } from "../../addresses.ts";
import { messageOf } from "../../errors.ts";
import type { SendTransport } from "../../mail/send-token.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import type { ListenAddress } from "../../setting-kinds.ts";
import { maskSecrets } from "../../system/log.ts";
import { toVisible } from "../../visible-text.ts";
import type { Loopback, OwnMark } from "../intake/loopback.ts";
import { type Relay, readRelay } from "./relay-url.ts";

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

  constructor(message: string, rejection: Rejection | null = null) {
    super(message);
    this.rejection = rejection;
  }
}

/** `isRecipient`: the recipient was rejected for good, and nothing else. */
type Rejection = { readonly reply: string; readonly isRecipient: boolean };

const patience = { connectionTimeout: 10_000, greetingTimeout: 30_000, dnsTimeout: 10_000 };
const silenceMs = 45_000;
const relayConnections = 5;
const longestWords = 1_000;
const strictTls = { minVersion: "TLSv1.2" } as const;

/** `name`: our HELO name. */
export function createRelayTransport(url: string, name: string): MailTransport {
  const relay = readRelay(url);
  const transport = createTransport({
    ...toRelayOptions(relay, name),
    pool: true,
    maxConnections: relayConnections,
  });
  return {
    transport: "relay",
    deliver: async ({ mailFrom, rcptTo, raw }, signal) => {
      try {
        const message = { envelope: { from: mailFrom, to: [rcptTo] }, raw: Buffer.from(raw), signal };
        const { response } = await transport.sendMail(message);
        return toReply(response, relay);
      } catch (error) {
        const words = toWords(error, "The relay", relay, signal);
        throw new TransportFailure(words, toRejection(error, relay));
      }
    },
    close: () => transport.close(),
  };
}

/** Null if the relay is reachable, offers the required TLS and accepts the login. Otherwise the reason. */
export async function whyNoRelay(url: string, name: string): Promise<string | null> {
  const relay = readRelay(url);
  const transport = createTransport(toRelayOptions(relay, name));
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return toWords(error, "The relay", relay);
  } finally {
    transport.close();
  }
}

function toRelayOptions({ host, port, isImplicitTls, login }: Relay, name: string) {
  const mustBeSafe = isImplicitTls || login !== null;
  return {
    ...{ host, port, name, ...patience },
    secure: isImplicitTls,
    requireTLS: login !== null && !isImplicitTls,
    socketTimeout: silenceMs,
    // Without a password, unauthenticated TLS is still better than none (RFC 7435).
    tls: { ...strictTls, rejectUnauthorized: mustBeSafe },
    ...(login && { auth: login, forceAuth: true }),
    ...{ disableFileAccess: true, disableUrlAccess: true },
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
    ...{ name: helo ?? ownName, ...patience, socketTimeout: silenceMs, secure: false },
    ...{ ignoreTLS: !isEncrypted, requireTLS: isEncrypted, tls: { ...strictTls, rejectUnauthorized: false } },
    ...{ disableFileAccess: true, disableUrlAccess: true },
    getSocket: (_options: unknown, done: (error: null, opened: { connection: Socket }) => void) =>
      done(null, { connection }),
  });
  try {
    const message = { envelope: { from: mailFrom, to: [rcptTo] }, raw: Buffer.from(raw), signal };
    return toReply((await transport.sendMail(message)).response, null);
  } finally {
    transport.close();
  }
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

type SmtpError = Error & {
  readonly response?: unknown;
  readonly command?: unknown;
  readonly code?: unknown;
  /** The system's error code. */
  readonly originalCode?: unknown;
  readonly timeoutType?: unknown;
};

const refusedWhat: Readonly<Record<string, string>> = {
  "MAIL FROM": "rejected the sender",
  "RCPT TO": "rejected the recipient",
  DATA: "rejected the message",
  STARTTLS: "rejected STARTTLS",
  EHLO: "rejected our HELO name",
  HELO: "rejected our HELO name",
};

/** Includes the server's response on one line, shortened if needed. `signal`: the delivery's. */
function toWords(error: unknown, who: string, relay: Relay | null, signal?: AbortSignal): string {
  const { response, command } = error as Partial<SmtpError>;
  const what = typeof command === "string" ? whatOf(command) : undefined;
  const words =
    typeof response === "string" && response !== ""
      ? `${who} ${what ?? "rejected a command"}: ${response}`
      : `${who} ${unanswered(error as Partial<SmtpError>, what, signal)}: ${whyAborted(signal) ?? messageOf(error)}`;
  return toReply(words, relay);
}

/** On one line, shortened if needed, and without our password. */
function toReply(text: string, relay: Relay | null): string {
  const shown = text.replace(/[\r\n]+/g, " ");
  return toStorableCut(toVisible(withoutLogin(maskSecrets(shown), relay)), longestWords);
}

function toRejection(error: unknown, relay: Relay): Rejection | null {
  const { response, command } = error as Partial<SmtpError>;
  if (typeof response !== "string" || response === "") return null;
  return { reply: toReply(response, relay), isRecipient: command === "RCPT TO" && response.startsWith("5") };
}

function whatOf(command: string): string | undefined {
  return command.startsWith("AUTH") ? "rejected the login" : refusedWhat[command];
}

const certificateTrouble = /CERT|ALTNAME|_TLS_|SSL/;

function unanswered(error: Partial<SmtpError>, what: string | undefined, signal?: AbortSignal): string {
  const { code, originalCode } = error;
  if (code === "ETLS" || certificateTrouble.test(String(originalCode))) return "does not offer trusted TLS";
  if (code === "EAUTH") return "did not accept the login";
  if (signal && (signal.aborted || isBrokenOff(error)))
    return "did not finish, but may have accepted the message";
  return code === "EMESSAGE" || code === "EENVELOPE"
    ? (what ?? "rejected the message")
    : "could not be reached";
}

/** After connecting, nodemailer does not say how far the session got. The server may have accepted the message. */
function isBrokenOff({ code, originalCode, timeoutType }: Partial<SmtpError>): boolean {
  return (
    code === "ECONNECTION" ||
    timeoutType === "SOCKET_TIMEOUT" ||
    originalCode === "ECONNRESET" ||
    originalCode === "EPIPE"
  );
}

function whyAborted(signal: AbortSignal | undefined): string | undefined {
  return signal?.aborted ? messageOf(signal.reason) : undefined;
}

/** A server may echo credentials in any encoding. */
function withoutLogin(text: string, relay: Relay | null): string {
  if (!relay?.login) return text;
  const { user, pass } = relay.login;
  const base64 = (plain: string) => Buffer.from(plain).toString("base64");
  const forms = [`\0${user}\0${pass}`, pass].flatMap((plain) => [
    base64(plain),
    encodeURIComponent(plain),
    plain,
  ]);
  return forms.filter((form) => form !== "").reduce((masked, form) => masked.replaceAll(form, "…"), text);
}
