import { toTimestamp, toTimestampOrNull } from "../api/primitives.ts";
import type { Transport } from "../api/transport.ts";
import type { SmtpSession } from "../mail/session.ts";

export function toTransport(session: SmtpSession): Transport {
  const { tls } = session;
  return {
    source: session.source,
    client_address: session.clientAddress,
    client_port: session.clientPort,
    client_name: session.clientName,
    reverse_name: null,
    via: session.via,
    helo: session.helo,
    protocol: session.protocol,
    tls: tls && { version: tls.version, cipher: tls.cipher, server_name: tls.serverName },
    mail_from: session.mailFrom,
    mail_parameters: [...session.mailParameters],
    rcpt_to: [...session.rcptTo],
    rcpt_parameters: session.rcptParameters.map((parameters) => [...parameters]),
    pipelining: session.pipelining,
    smtp_utf8: session.smtpUtf8,
    connected_at: toTimestampOrNull(session.connectedAt),
    data_started_at: toTimestampOrNull(session.dataStartedAt),
    data_ended_at: toTimestampOrNull(session.dataEndedAt),
    transcript: session.transcript.map(({ at, from, line }) => ({ at: toTimestamp(at), from, line })),
  };
}
