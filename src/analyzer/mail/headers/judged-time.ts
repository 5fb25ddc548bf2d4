// The time at which a message is judged: signatures expire, and clocks are compared with it. For a message that our
// listener accepted it is the arrival. A file may be old, so it is the time that the person gives, or the date of the
// newest Received header, which the last server to accept the message wrote.

import { doors, hasOwnSession } from "../session/doors.ts";
import type { SmtpSession } from "../session/session.ts";
import { fieldsNamed, type HeaderSection } from "./fields.ts";
import { parseReceived } from "./received.ts";

export type JudgedTime = {
  readonly at: number;
  /**
   * arrival: a message without a session doesn't say when it was received, so the time of the analysis or upload is
   * used. unusable: the same, because its newest Received header has no date or an impossible one.
   */
  readonly from: "session" | "said" | "received" | "arrival" | "unusable";
};

/** Mail with such headers can't be older. */
const earliest = Date.UTC(1990, 0, 1);

/** RFC 5321 §4.5.4.1: servers give up after 4 to 5 days. */
const longestQueueMs = 6 * 86_400_000;

/** A header may be slightly ahead of our clock. It then counts as now. */
const toleranceMs = 10 * 60_000;

/** Completes the name of a field: why no message can have been received at the given time. */
export function whyNotReceivedAt(at: number, now: number): string | null {
  const wanted = "give the time when the message was received";
  if (at > now + toleranceMs) return `is in the future; ${wanted}`;
  return at < earliest ? `is before 1990; ${wanted}` : null;
}

export function toJudgedTime(
  section: HeaderSection,
  session: Pick<SmtpSession, "door" | "saidReceivedAt">,
  arrivedAt: number,
): JudgedTime {
  const { arrives } = doors[session.door.kind];
  if (hasOwnSession(session)) return { at: arrivedAt, from: "session" };
  if (session.saidReceivedAt !== undefined) return { at: Math.min(session.saidReceivedAt, arrivedAt), from: "said" };
  const [newest] = fieldsNamed(section, "received");
  // Mail may arrive after some days in a queue.
  const none = arrives ? "session" : "arrival";
  if (newest === undefined) return { at: arrivedAt, from: none };
  // Only the topmost line is certainly the receiver's. The sender may have written those below.
  const { at } = parseReceived(newest.value);
  const first = arrives ? arrivedAt - longestQueueMs : earliest;
  if (at !== null && at >= first && at <= arrivedAt + toleranceMs)
    return { at: Math.min(at, arrivedAt), from: "received" };
  return { at: arrivedAt, from: arrives ? "session" : "unusable" };
}
