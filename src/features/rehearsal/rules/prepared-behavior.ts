// What a sender did on the connection that a probe prepared: one without STARTTLS, with a certificate for another name, or
// with a size limit below its message.

import type { Attempt, ConnectionAttempt, MessageAttempt } from "./attempt.ts";
import { type Observation, observe } from "./observation.ts";

type PreparedProbe = "no-tls" | "bad-cert" | "size";

export function judgePreparation(probe: PreparedProbe, attempts: readonly Attempt[]): Observation[] {
  const at = attempts.findIndex(({ special }) => special === probe);
  const prepared = attempts[at];
  if (prepared === undefined) return [];
  const before = attempts.slice(0, at).filter((attempt) => attempt.kind === "message");
  const later = attempts.slice(at + 1).filter((attempt) => attempt.kind === "message");
  const usedTls = before.some(({ tls }) => tls !== null);
  const usual = usedTls || probe === "size" ? [] : [observe("tls.unused")];
  const observed = prepared.kind === "connection" ? ofConnection(probe, prepared) : ofMessage(probe, prepared, usedTls);
  const after = prepared.kind === "connection" ? ofLater(probe, prepared, later, usedTls) : [];
  return [observed, ...after, ...usual];
}

/** Both standards forbid delivery. Opportunistic TLS does not. */
const ifPolicy =
  "That is usual for opportunistic TLS. If your seed domain has an MTA-STS policy in enforce mode or DANE records, the sender should have refused.";

function ofMessage(probe: PreparedProbe, { tls }: MessageAttempt, usedTls: boolean): Observation {
  if (probe === "size") return observe("size.smaller");
  if (probe === "no-tls") return observe("no-tls.delivered", { policy: usedTls ? ifPolicy : null });
  return tls === null ? observe("bad-cert.plain") : observe("bad-cert.delivered", { tls, policy: ifPolicy });
}

function ofConnection(probe: PreparedProbe, { reached }: ConnectionAttempt): Observation {
  if (probe === "size") return ofSize(reached);
  if (reached === "mail" || reached === "envelope" || reached === "data") return observe(`${probe}.stopped`);
  if (probe === "no-tls") return observe("no-tls.refused");
  if (reached === "ehlo") return observe("bad-cert.left");
  const how = {
    "handshake-failed": "It ended the TLS handshake.",
    handshake: "It closed the connection after the TLS handshake, without sending mail.",
  }[reached];
  return observe("bad-cert.refused", { how });
}

function ofLater(
  probe: PreparedProbe,
  { reached }: ConnectionAttempt,
  [next]: readonly MessageAttempt[],
  usedTls: boolean,
): Observation[] {
  if (next === undefined) return [];
  if (probe === "size" && (reached === "mail" || reached === "data")) return [observe("size.repeated")];
  // A sender that falls back to plain text gives up what it insisted on.
  return probe === "bad-cert" && usedTls && next.tls === null ? [observe("bad-cert.fell-back")] : [];
}

function ofSize(reached: ConnectionAttempt["reached"]): Observation {
  switch (reached) {
    case "mail":
      return observe("size.declared");
    case "data":
      return observe("size.ignored");
    case "envelope":
      return observe("size.stopped");
    default:
      return observe("size.respected");
  }
}
