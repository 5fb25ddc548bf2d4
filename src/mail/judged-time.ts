// The moment by which a message is judged: signatures expire and clocks are compared with it. Of a message that our own
// listener took it is the arrival. A file is older than the hour in which somebody analyzes it, so it is the time that the
// person gives, or the date of the newest Received header, which the last server to take the message wrote.

import { fieldsNamed, type HeaderSection } from "./header-fields.ts";
import { parseReceived } from "./received.ts";
import type { SmtpSession } from "./session.ts";

export type JudgedTime = {
  readonly at: number;
  /** arrival: nothing tells when a message without a session was received, so it's the time of the analysis or upload. */
  readonly from: "session" | "said" | "received" | "arrival";
};

/** No mail with such headers is older. */
const earliest = Date.UTC(1990, 0, 1);
/** A header may be ahead of our clock by a little, and is then taken for now. */
const toleranceMs = 10 * 60_000;
/** The topmost ones that could be read are near the top; a message of lines without dates has none. */
const maxLinesRead = 20;

export function toJudgedTime(
  section: HeaderSection,
  session: Pick<SmtpSession, "source" | "saidReceivedAt">,
  arrivedAt: number,
): JudgedTime {
  if (session.source === "smtp") return { at: arrivedAt, from: "session" };
  if (session.saidReceivedAt !== undefined)
    return { at: Math.min(session.saidReceivedAt, arrivedAt), from: "said" };
  for (const { value } of fieldsNamed(section, "received").slice(0, maxLinesRead)) {
    const { at } = parseReceived(value);
    if (at !== null && at >= earliest && at <= arrivedAt + toleranceMs)
      return { at: Math.min(at, arrivedAt), from: "received" };
  }
  return { at: arrivedAt, from: "arrival" };
}
