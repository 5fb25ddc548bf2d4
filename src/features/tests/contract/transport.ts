// The SMTP session of a test, or what is claimed or recorded about it. Snake case, like the whole test resource
// (src/decisions.md, "Resources").

import { z } from "zod";
import type { LineFacts } from "../../../analyzer/mail/mime/line-facts.ts";
import { doorKinds, hasOwnSession, sentParts } from "../../../analyzer/mail/session/doors.ts";
import type { SmtpSession } from "../../../analyzer/mail/session/session.ts";
import {
  type ReportedDoor,
  toDoorWords,
  toRecordWords,
  toReportedDoor,
  toUnknownWords,
  toVerdictWords,
} from "../../../analyzer/reports/door.ts";
import type { Report } from "../../../analyzer/reports/report.ts";
import { timestamp, toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";

const address = z.string().nullable();

export const transport = z
  .strictObject({
    source: z
      .enum(["smtp", "claimed"])
      .describe(
        "`claimed`: Assay did not see the SMTP session; `door` says why. `null` means that no value was provided or recorded.",
      ),
    door: z
      .strictObject({
        kind: z
          .enum(doorKinds)
          .describe(
            "How the message came in. `lmtp`: from the operator's own mail server, in tests of earlier versions.",
          ),
        mailbox: z.string().nullable().describe("The mailbox that it was read from."),
        provider: z.string().nullable().describe("The provider that posted it."),
        recorded_by: z
          .string()
          .nullable()
          .describe("The server whose headers say what is known about the sender's session."),
        says: z.string().describe("The same as a sentence, without its period."),
        record_says: z.string().nullable().describe("What that server recorded, as a sentence."),
        verdicts_say: z
          .string()
          .nullable()
          .describe(
            "What the provider says that it found (SPF, DKIM, DMARC, spam, virus), as a sentence. Not Assay's results.",
          ),
        unknown: z
          .array(z.strictObject({ what: z.enum(sentParts), says: z.string() }))
          .describe("What can't be known about a message that came in this way. Empty for SMTP."),
      })
      .describe("How the message came in, and what that way can't know."),
    client_address: address,
    client_port: z.int().nullable(),
    client_name: z.string().nullable().describe("As provided by XCLIENT."),
    reverse_name: z
      .string()
      .nullable()
      .describe("The client's reverse DNS name. `null` until analyzed, if it has none, or if DNS did not respond."),
    via: z
      .strictObject({ how: z.enum(["proxy-v1", "proxy-v2", "xclient"]), address: z.string() })
      .nullable()
      .describe("Source of the client's address, if not the connection itself."),
    helo: z.string().nullable(),
    protocol: z.string(),
    tls: z.strictObject({ version: z.string(), cipher: z.string(), server_name: z.string().nullable() }).nullable(),
    mail_from: address.describe("As sent. Empty for the null reverse-path."),
    mail_parameters: z.array(z.string()),
    rcpt_to: z.array(z.string()).describe("Only this workspace's addresses."),
    rcpt_parameters: z.array(z.array(z.string())),
    pipelining: z.boolean(),
    smtp_utf8: z.boolean(),
    body: z
      .strictObject({
        bare_lf: z.int(),
        bare_cr: z.int(),
        nul: z.int(),
        longest_line: z.int(),
        has_eight_bit: z.boolean(),
      })
      .nullable()
      .describe("What a stricter server would have rejected in the DATA bytes. `null` until analyzed."),
    connected_at: timestamp.nullable(),
    data_started_at: timestamp.nullable(),
    data_ended_at: timestamp.nullable(),
    looped: z.boolean().describe("Whether this server sent the message to itself, not over the internet."),
    transcript: z.array(z.strictObject({ at: timestamp, from: z.enum(["client", "server"]), line: z.string() })),
  })
  .meta({ id: "Transport" });

export type Transport = z.infer<typeof transport>;

/** The analysis determines part of it. */
export function toTransport(session: SmtpSession, report: Report | null): Transport {
  const { tls } = session;
  return {
    source: hasOwnSession(session) ? "smtp" : "claimed",
    door: toDoor(report?.door ?? toReportedDoor(session, null)),
    client_address: session.clientAddress,
    client_port: session.clientPort,
    client_name: session.clientName,
    // The name belongs to the outgoing server if one is assumed.
    reverse_name: report && !report.authentication.assumed?.address ? toReverseName(report.surroundings.ptr) : null,
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

export function toDoor(door: ReportedDoor): Transport["door"] {
  const words = toUnknownWords(door);
  return {
    kind: door.kind,
    mailbox: door.mailbox,
    provider: door.provider,
    recorded_by: door.recordedBy,
    says: toDoorWords(door),
    record_says: toRecordWords(door),
    verdicts_say: toVerdictWords(door),
    unknown: door.unknown.map((what, index) => ({ what, says: words[index] ?? what })),
  };
}

function toBody({ bareLf, bareCr, nul, longestLine, hasEightBit }: LineFacts): Transport["body"] {
  return { bare_lf: bareLf, bare_cr: bareCr, nul, longest_line: longestLine, has_eight_bit: hasEightBit };
}

/** The first confirmed name, otherwise the first. */
function toReverseName(ptr: Report["surroundings"]["ptr"]): string | null {
  return ptr.known ? (ptr.value.confirmed[0] ?? ptr.value.names[0] ?? null) : null;
}
