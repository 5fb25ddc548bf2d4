import type { MailDate } from "../../mail/headers/date.ts";
import type { Received } from "../../mail/headers/delivery-path.ts";
import { hasOwnSession } from "../../mail/session/doors.ts";
import { defineCheck, passed, type Raised, skipped } from "../check.ts";
import { toDuration } from "../duration.ts";
import type { Fact } from "../fact.ts";
import type { Session } from "../facts.ts";
import { toMailDate } from "./amounts.ts";
import { isHeaderCut, linesNamed, seenIn } from "./header-lines.ts";

export const dateHeader = defineCheck({
  id: "date-header",
  helpPage: "fix-headers",
  label: "Date header",
  owner: "email-service",
  asks: "whether Date is present and correct",
  why: "Open-source spam filters penalize wrong dates heavily.",
  refs: ["RFC 5322 §3.3, §3.6.1", "Yahoo SMTP errors"],
  needs: ["message", "raw"],
  wants: ["session", "received"],
  passes: "Date is {value}.",
  findings: {
    missing: {
      severity: "major",
      title: "No Date header",
      says: "The message has no Date header.",
      fix: "Add `Date: {now}` in the application that creates the message.",
    },
    repeated: {
      severity: "major",
      title: "Multiple Date headers",
      says: "The message has {count} Date headers.",
      fix: "Send only one Date header.",
      gates: [{ provider: "gmail", sender: "any", reply: "550 5.7.1" }],
    },
    unreadable: {
      severity: "major",
      title: "Unreadable Date header",
      says: 'The Date header is unreadable: "{value}" ({problem}).',
      fix: "Use this format: `{now}`.",
      gates: [{ provider: "yahoo", sender: "any", may: true, reply: "554 (Date outside of range)" }],
    },
    form: {
      severity: "minor",
      cost: 3,
      title: "Nonstandard Date format",
      says: 'The Date header is not in the standard format: "{value}" ({problem}).',
      fix: "Use this format: `{now}`.",
    },
    future: {
      severity: "major",
      title: "Date in the future",
      says: "The Date header is {skew} in the future.",
      fix: "Correct the clock and time zone of the sending server.",
      gates: [{ provider: "yahoo", sender: "any", may: true, reply: "554 (Date outside of range)" }],
    },
    ahead: {
      severity: "minor",
      cost: 3,
      title: "Date slightly in the future",
      says: "The Date header is {skew} later than the time of receipt.",
      fix: "Correct the clock and time zone of the sending server.",
    },
    old: {
      severity: "minor",
      cost: 8,
      title: "Old Date header",
      says: "The Date header is {age} old. The message waited before it was sent, or a clock is wrong.",
      fix: "Set Date when you send the message, not when you prepare it.",
    },
    "very-old": {
      severity: "major",
      title: "Very old Date header",
      says: "The Date header is {age} old.",
      fix: "Set Date when you send the message, not when you prepare it.",
      gates: [{ provider: "yahoo", sender: "any", may: true, reply: "554 (Date outside of range)" }],
    },
  },
  run({ message, raw, session, received }) {
    const lines = linesNamed({ raw, message }, "date");
    const [line] = lines;
    const { date } = message;
    const now = () => (session.known ? toMailDate(session.value.receivedAt) : exampleDate);
    if (lines.length > 1) return [{ finding: "repeated", data: { count: lines.length }, evidence: seenIn(lines) }];
    if (!line && isHeaderCut(message)) return skipped("too-large");
    if (!line || !date) return [{ finding: "missing", data: { now: now() } }];
    const { written: value, reading } = date;
    if (!reading.ok)
      return [{ finding: "unreadable", data: { value, problem: reading.problem, now: now() }, evidence: line }];
    const found = [judgeForm(value, reading.date, now), judgeTime(reading.date, session, received)];
    const raised = found.flatMap((one) => (one ? [{ ...one, evidence: line }] : []));
    return raised.length > 0 ? raised : passed({ value });
  },
});

const exampleDate = "Sat, 21 Nov 2026 15:00:00 +0000";

/** Obsolete formats are allowed (§4.3). */
function judgeForm(value: string, { faults }: MailDate, now: () => string): Raised<"form"> | null {
  const problem = faults.includes("form")
    ? "nonstandard format"
    : faults.includes("weekday")
      ? "wrong day of the week"
      : null;
  return problem === null ? null : { finding: "form", data: { value, problem, now: now() } };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** With an undefined zone name, the time may be off by this much. */
const zoneDoubtMs = 14 * hourMs;

/** Compares Date with the time of receipt, minus delays in Received lines. A file may have no time of receipt. */
function judgeTime(
  { at, zoneIsGuess }: MailDate,
  session: Fact<Session>,
  received: Fact<Received>,
): Raised<"future" | "ahead" | "old" | "very-old"> | null {
  if (!session.known || !(hasOwnSession(session.value) || session.value.isReceptionKnown)) return null;
  const doubtMs = zoneIsGuess ? zoneDoubtMs : 0;
  const sinceMs = session.value.receivedAt - at;
  const aheadMs = -sinceMs - doubtMs;
  if (aheadMs > 2 * hourMs) return { finding: "future", data: { skew: toDuration(aheadMs) } };
  if (aheadMs >= 10 * minuteMs) return { finding: "ahead", data: { skew: toDuration(aheadMs) } };
  const ageMs = sinceMs - waitsIn(received) - doubtMs;
  if (ageMs > 96 * hourMs) return { finding: "very-old", data: { age: toDuration(ageMs) } };
  return ageMs >= 24 * hourMs ? { finding: "old", data: { age: toDuration(ageMs) } } : null;
}

/** `delivery-delay` reports these delays. */
function waitsIn(received: Fact<Received>): number {
  return received.known ? received.value.hops.reduce((sum, { delayMs }) => sum + (delayMs ?? 0), 0) : 0;
}
