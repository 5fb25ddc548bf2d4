import { toTimestamp, toTimestampOrNull } from "../api/primitives.ts";
import type { Transport } from "../api/transport.ts";
import type { LineFacts } from "../mail/line-facts.ts";
import type { SmtpSession } from "../mail/session.ts";
import type { Report } from "../reports/report.ts";

/** Part of it is found out by the analysis. */
export function toTransport(session: SmtpSession, report: Report | null): Transport {
  const { tls } = session;
  return {
    source: session.source,
    client_address: session.clientAddress,
    client_port: session.clientPort,
    client_name: session.clientName,
    reverse_name: report && toReverseName(report.surroundings.ptr),
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
    body: report && toBody(report.lines),
    connected_at: toTimestampOrNull(session.connectedAt),
    data_started_at: toTimestampOrNull(session.dataStartedAt),
    data_ended_at: toTimestampOrNull(session.dataEndedAt),
    looped: session.looped === true,
    transcript: session.transcript.map(({ at, from, line }) => ({ at: toTimestamp(at), from, line })),
  };
}

function toBody({ bareLf, bareCr, nul, longestLine, hasEightBit }: LineFacts): Transport["body"] {
  return {
    bare_lf: bareLf,
    bare_cr: bareCr,
    nul,
    longest_line: longestLine,
    has_eight_bit: hasEightBit,
  };
}

/** The first name that leads back, else the first. */
function toReverseName(ptr: Report["surroundings"]["ptr"]): string | null {
  return ptr.known ? (ptr.value.confirmed[0] ?? ptr.value.names[0] ?? null) : null;
}
