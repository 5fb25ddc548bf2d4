// What a sender did on the connection that a probe prepared: one without STARTTLS, with a certificate for another name, or
// with a size limit below its message.

import type { Attempt, ConnectionAttempt, MessageAttempt } from "./attempt.ts";
import type { Observation } from "./behavior.ts";

type PreparedProbe = "no-tls" | "bad-cert" | "size";

export function judgePreparation(probe: PreparedProbe, attempts: readonly Attempt[]): Observation[] {
  const at = attempts.findIndex(({ special }) => special === probe);
  const prepared = attempts[at];
  if (prepared === undefined) return [];
  const before = attempts.slice(0, at).filter((attempt) => attempt.kind === "message");
  const later = attempts.slice(at + 1).filter((attempt) => attempt.kind === "message");
  const usedTls = before.some(({ tls }) => tls !== null);
  const usual = usedTls || probe === "size" ? [] : [withoutTls];
  const observed = prepared.kind === "connection" ? ofConnection(probe, prepared) : ofMessage(probe, prepared, usedTls);
  const after = prepared.kind === "connection" ? ofLater(probe, prepared, later, usedTls) : [];
  return [...observed, ...after, ...usual];
}

/** Both standards forbid delivery. Opportunistic TLS does not. */
const policySections = "RFC 8461 §5, RFC 7672 §2.2";
const opportunisticSection = "RFC 7435 §3";
const sizeSection = "RFC 1870 §4";
const ifPolicy =
  "That is usual for opportunistic TLS. If your seed domain has an MTA-STS policy in enforce mode or DANE records, the sender should have refused.";

const withoutTls: Observation = {
  id: "tls.unused",
  tone: "info",
  section: null,
  says: "The first connection didn't use TLS either, although STARTTLS was offered, so the probe shows little.",
};

function ofMessage(probe: PreparedProbe, { tls }: MessageAttempt, usedTls: boolean): Observation[] {
  if (probe === "no-tls")
    return [
      {
        id: "no-tls.delivered",
        tone: "info",
        section: `${opportunisticSection}, ${policySections}`,
        says: `Sent the message without encryption when STARTTLS wasn't offered.${usedTls ? ` ${ifPolicy}` : ""}`,
      },
    ];
  if (probe === "bad-cert")
    return tls === null
      ? [
          {
            id: "bad-cert.plain",
            tone: "info",
            section: null,
            says: "Sent the message without starting TLS on the connection with the wrong certificate.",
          },
        ]
      : [
          {
            id: "bad-cert.delivered",
            tone: "info",
            section: `${opportunisticSection}, ${policySections}`,
            says: `Accepted a self-signed certificate for another name, and sent the message over it (${tls}). ${ifPolicy}`,
          },
        ];
  return [
    {
      id: "size.smaller",
      tone: "info",
      section: sizeSection,
      says: "Sent a smaller message that fits the announced limit.",
    },
  ];
}

function ofConnection(probe: PreparedProbe, { reached }: ConnectionAttempt): Observation[] {
  if (probe === "size") return [ofSize(reached)];
  const section = policySections;
  if (reached === "mail" || reached === "envelope" || reached === "data")
    return [
      {
        id: `${probe}.stopped`,
        tone: "info",
        section: null,
        says: "Began the message on the prepared connection, but didn't finish it.",
      },
    ];
  if (probe === "no-tls")
    return [
      {
        id: "no-tls.refused",
        tone: "info",
        section,
        says: "Ended the connection without sending mail when STARTTLS wasn't offered. It seems to require TLS here.",
      },
    ];
  const how = {
    "handshake-failed": "It ended the TLS handshake.",
    handshake: "It closed the connection after the TLS handshake, without sending mail.",
    ehlo: "It closed the connection before STARTTLS.",
  }[reached];
  const isRefusal = reached !== "ehlo";
  return [
    {
      id: isRefusal ? "bad-cert.refused" : "bad-cert.left",
      tone: isRefusal ? "good" : "info",
      section,
      says: `${isRefusal ? "Refused a self-signed certificate for another name. " : ""}${how}`,
    },
  ];
}

function ofLater(
  probe: PreparedProbe,
  { reached }: ConnectionAttempt,
  [next]: readonly MessageAttempt[],
  usedTls: boolean,
): Observation[] {
  if (next === undefined) return [];
  if (probe === "size" && (reached === "mail" || reached === "data"))
    return [
      {
        id: "size.repeated",
        tone: "bad",
        section: "RFC 5321 §4.2.1",
        says: "Sent the message again after the rejection (552). It should be returned to its author instead.",
      },
    ];
  // A sender that falls back to plain text gives up what it insisted on.
  if (probe !== "bad-cert" || !usedTls || next.tls !== null) return [];
  return [
    {
      id: "bad-cert.fell-back",
      tone: "bad",
      section: policySections,
      says: "After refusing the certificate, it sent the message without encryption, so the refusal protected nothing.",
    },
  ];
}

function ofSize(reached: ConnectionAttempt["reached"]): Observation {
  switch (reached) {
    case "mail":
      return {
        id: "size.declared",
        tone: "good",
        section: "RFC 1870 §6",
        says: "Declared the message's size in MAIL, so it was refused (552) before any content was sent.",
      };
    case "data":
      return {
        id: "size.ignored",
        tone: "bad",
        section: sizeSection,
        says: "Sent the whole message, although the server had announced a smaller limit. It was refused (552) only at the end.",
      };
    case "envelope":
      return {
        id: "size.stopped",
        tone: "info",
        section: sizeSection,
        says: "Ended the connection before the content. It may have noticed the announced limit late.",
      };
    default:
      return {
        id: "size.respected",
        tone: "good",
        section: sizeSection,
        says: "Read the announced size limit, and ended the connection without sending the message.",
      };
  }
}
