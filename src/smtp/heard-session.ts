// What a connection has heard → the evidence that is kept with a message.

import type { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
import type { SmtpSession } from "../mail/session.ts";
import type { Mail, Rcpt } from "./envelope-commands.ts";
import type { Arrival } from "./front.ts";

export type Heard = Pick<
  SmtpSession,
  "pipelining" | "earlyTalk" | "unawaited" | "connectedAt" | "dataStartedAt" | "dataEndedAt" | "transcript"
> & {
  readonly arrival: Arrival;
  /** As sent; the library knows it in lower case only. */
  readonly helo: string;
  readonly mail: Mail;
  readonly rcpts: readonly Rcpt[];
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

export function toSession(library: Library, heard: Heard): SmtpSession {
  const { arrival, helo, mail, rcpts, ...times } = heard;
  return {
    source: "smtp",
    ...toClient(library, arrival),
    helo: library.hostNameAppearsAs ? helo : null,
    protocol: toProtocol(library, mail),
    tls: toTls(library),
    mailFrom: mail.path,
    mailParameters: mail.parameters,
    rcptTo: rcpts.map(({ path }) => path),
    rcptParameters: rcpts.map(({ parameters }) => parameters),
    smtpUtf8: mail.smtpUtf8,
    ...times,
  };
}

function toClient(
  { remoteAddress, remotePort, _xClient, _originalRemoteAddress }: Library,
  arrival: Arrival,
): Pick<SmtpSession, "clientAddress" | "clientPort" | "clientName" | "via"> {
  const name = _xClient.get("NAME");
  const isXclient = _xClient.has("ADDR");
  return {
    // XCLIENT may say that it does not know either.
    clientAddress: _xClient.get("ADDR") === false ? null : remoteAddress,
    clientPort: toPort(remotePort),
    clientName: typeof name === "string" && name !== "" ? name : null,
    via: isXclient ? { how: "xclient", address: _originalRemoteAddress } : arrival.via,
  };
}

/** XCLIENT may say anything. */
function toPort(told: unknown): number | null {
  const port = Number(told);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

/** RFC 3848; with SMTPUTF8 by RFC 6531 §4.3. */
function toProtocol({ openingCommand, secure }: Library, { smtpUtf8 }: Mail): string {
  const word = smtpUtf8 ? "UTF8SMTP" : openingCommand === "EHLO" ? "ESMTP" : "SMTP";
  return secure ? `${word}S` : word;
}

function toTls({ tlsOptions, session }: Library): SmtpSession["tls"] {
  if (!tlsOptions) return null;
  const { version, name } = tlsOptions;
  return { version, cipher: name, serverName: session.servername || null };
}
