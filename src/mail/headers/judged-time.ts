// The moment by which a message is judged: signatures expire, and clocks are compared with it. For a message that our
// own listener accepted it is the arrival. For a file it is the time that the person gives, or the date of the newest
// Received header, which the last server to accept the message wrote.

import type { SmtpSession } from "../session/session.ts";
import { fieldsNamed, type HeaderSection } from "./fields.ts";
import { parseReceived } from "./received.ts";

// The moment by which a message is judged: signatures expire and clocks are compared with it. Of a message that our own
// listener took it is the arrival. A file is older than the hour in which somebody analyzes it, so it is the time that the
// person gives, or the date of the newest Received header, which the last server to take the message wrote.

export type JudgedTime = {
  readonly at: number;
  /**
   * arrival: nothing tells when a message without a session was received, so it's the time of the analysis or upload.
   * unusable: so too, because its newest Received header has no date or an impossible one.
   */
  readonly from: "session" | "said" | "received" | "arrival" | "unusable";
};

/** No mail with such headers is older. */
const earliest = Date.UTC(1990, 0, 1);

/** A header may be ahead of our clock by a little, and is then taken for now. */
const toleranceMs = 10 * 60_000;

/** Completes the name of a field: why no message was received at the time that a person gives. */
export function whyNotReceivedAt(at: number, now: number): string | null {
  const wanted = "give the time when the message was received";
  if (at > now + toleranceMs) return `is in the future; ${wanted}`;
  return at < earliest ? `is before 1990; ${wanted}` : null;
}

export function toJudgedTime(
  section: HeaderSection,
  session: Pick<SmtpSession, "source" | "saidReceivedAt">,
  arrivedAt: number,
): JudgedTime {
  if (session.source === "smtp") return { at: arrivedAt, from: "session" };
  if (session.saidReceivedAt !== undefined)
    return { at: Math.min(session.saidReceivedAt, arrivedAt), from: "said" };
  const [newest] = fieldsNamed(section, "received");
  if (newest === undefined) return { at: arrivedAt, from: "arrival" };
  // Only the topmost is the receiver's for certain: those below may be the sender's.
  const { at } = parseReceived(newest.value);
  return at !== null && at >= earliest && at <= arrivedAt + toleranceMs
    ? { at: Math.min(at, arrivedAt), from: "received" }
    : { at: arrivedAt, from: "unusable" };
}
