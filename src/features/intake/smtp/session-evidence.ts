// Turns what a connection has received into the evidence that is stored with a message.

import type { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
import type { SmtpSession } from "../../../analyzer/mail/session/session.ts";
import type { Mail, Rcpt } from "./envelope-commands.ts";
import type { Arrival } from "./front.ts";

type Heard = Pick<SmtpSession, "connectedAt" | "dataStartedAt" | "dataEndedAt" | "transcript"> & {
  readonly arrival: Arrival;
  /** As sent. The library only has it in lower case. */
  readonly helo: string;
  readonly mail: Mail;
  readonly rcpts: readonly Rcpt[];
  readonly impatience: Pick<SmtpSession, "pipelining" | "earlyTalk" | "unawaited">;
};

type Library = Pick<
  SMTPConnection,
  | "remoteAddress"
  | "remotePort"
  | "hostNameAppearsAs"
  | "openingCommand"
  | "secure"
  | "tlsOptions"
  | "session"
  | "_xClient"
  | "_originalRemoteAddress"
>;

/**
 * Written field by field, because this runs for each message before its 250, and spreading objects costs ten times as much.
 */
export function toSession(library: Library, heard: Heard): SmtpSession {
  const { _xClient, _originalRemoteAddress } = library;
  const { arrival, mail, rcpts, impatience } = heard;
  const name = _xClient.get("NAME");
  return {
    door: { kind: "smtp" },
    // XCLIENT may say that the address is unknown.
    clientAddress: _xClient.get("ADDR") === false ? null : library.remoteAddress,
    clientPort: toPort(library.remotePort),
    clientName: typeof name === "string" && name !== "" ? name : null,
    via: _xClient.has("ADDR") ? { how: "xclient", address: _originalRemoteAddress } : arrival.via,
    helo: library.hostNameAppearsAs ? heard.helo : null,
    protocol: toProtocol(library, mail),
    tls: toTls(library),
    mailFrom: mail.path,
    mailParameters: mail.parameters,
    rcptTo: rcpts.map(({ path }) => path),
    rcptParameters: rcpts.map(({ parameters }) => parameters),
    smtpUtf8: mail.smtpUtf8,
    pipelining: impatience.pipelining,
    earlyTalk: impatience.earlyTalk,
    unawaited: impatience.unawaited,
    connectedAt: heard.connectedAt,
    dataStartedAt: heard.dataStartedAt,
    dataEndedAt: heard.dataEndedAt,
    transcript: heard.transcript,
  };
}

/** A client that XCLIENT names came through a proxy, as with the PROXY header. */
export function toClient({ _xClient, remoteAddress, _originalRemoteAddress }: Library, arrival: Arrival): Arrival {
  if (!_xClient.has("ADDR")) return arrival;
  return { ...arrival, address: remoteAddress, via: { how: "xclient", address: _originalRemoteAddress } };
}

/** In EHLO or HELO. */
export function toHelloName(command: Buffer): string {
  return command.toString().trim().split(/\s+/)[1] ?? "";
}

/** As in Postfix, the name from XCLIENT stays until the client sends another. Null if XCLIENT gives none. */
export function takeXclientHelo(
  library: Pick<SMTPConnection, "_xClient" | "hostNameAppearsAs" | "openingCommand">,
): string | null {
  const helo = library._xClient.get("HELO");
  if (typeof helo !== "string" || helo === "") return null;
  library.hostNameAppearsAs = helo.toLowerCase();
  library.openingCommand = library._xClient.get("PROTO") === "SMTP" ? "HELO" : "EHLO";
  return helo;
}

/** XCLIENT may contain anything. */
function toPort(told: unknown): number | null {
  const port = Number(told);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

/** RFC 3848, and RFC 6531 §4.3 with SMTPUTF8. */
function toProtocol({ openingCommand, secure }: Library, { smtpUtf8 }: Mail): string {
  const word = smtpUtf8 ? "UTF8SMTP" : openingCommand === "EHLO" ? "ESMTP" : "SMTP";
  return secure ? `${word}S` : word;
}

function toTls({ tlsOptions, session }: Library): SmtpSession["tls"] {
  if (!tlsOptions) return null;
  const { version, name } = tlsOptions;
  return { version, cipher: name, serverName: session.servername || null };
}
