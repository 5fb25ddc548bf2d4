// Mail that others must send: whether a message is the expected one, when it is due, and what a message or a deadline
// means for the monitor.

import { parseMailboxes } from "../../../analyzer/mail/headers/address.ts";
import { fold, type SearchableText } from "../../../analyzer/mail/text/searchable.ts";
import type { ExpectedMatch, ExpectedTerms } from "../contract/expected.ts";
import { instantOf, localDayOf, weekdayOf, weekdays } from "./local-time.ts";

export type ArrivedMail = {
  readonly inboxId: string | null;
  readonly label: string | null;
  /** The first address in From. */
  readonly address: string | null;
  readonly subject: string | null;
  /** Null if it isn't known. */
  readonly text: SearchableText | null;
  /** A bounce, complaint, or report counts only for a monitor that names its sender. */
  readonly isNotice: boolean;
};

export function toFirstAddress(from: string | null): string | null {
  return from === null ? null : (parseMailboxes(from).list[0]?.address ?? null);
}

const minuteMs = 60_000;

/**
 * `wrong-words`: from there, but without the words, or with one that must be missing. `unclear`: the words may be in the
 * rest of a text that was cut.
 */
export function matchMail(
  { sender, ...match }: ExpectedMatch,
  mail: ArrivedMail,
): "expected" | "unclear" | "wrong-words" | null {
  if (!wasSentThere(match, mail)) return null;
  if (sender !== null && !fits(sender, mail.address)) return null;
  if (sender === null && mail.isNotice) return null;
  if (!hasSubject(match, mail)) return "wrong-words";
  return judgeText(match, mail);
}

/** All that is known of a message that can't be read. */
export function wasSentThere(
  { inboxId, label }: Pick<ExpectedMatch, "inboxId" | "label">,
  mail: Pick<ArrivedMail, "inboxId" | "label">,
): boolean {
  return (inboxId === null || inboxId === mail.inboxId) && (label === null || fits(label, mail.label));
}

function hasSubject(
  { subjectContains, subjectLacks }: Pick<ExpectedMatch, "subjectContains" | "subjectLacks">,
  { subject }: Pick<ArrivedMail, "subject">,
): boolean {
  if (subjectContains !== null && !contains(subject, subjectContains)) return false;
  return subjectLacks === null || !contains(subject, subjectLacks);
}

function judgeText(
  { textContains }: Pick<ExpectedMatch, "textContains">,
  { text }: Pick<ArrivedMail, "text">,
): "expected" | "unclear" | "wrong-words" {
  if (textContains === null || text?.folded.includes(fold(textContains))) return "expected";
  return text === null || text.isCut ? "unclear" : "wrong-words";
}

function contains(text: string | null, part: string): boolean {
  return text !== null && fold(text).includes(fold(part));
}

/** Without backtracking: each piece between two stars is found as early as possible. */
export function fits(pattern: string, value: string | null): boolean {
  if (value === null) return false;
  const [first = "", ...rest] = fold(pattern).split("*");
  const text = fold(value);
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** A time span in which the mail must arrive. */
export type ExpectedWindow = {
  readonly opensAt: number;
  /** When it is expected. */
  readonly by: number;
  /** With the grace period. */
  readonly expectedBy: number;
};

/** Schedules name at least one day of the week, and there is one time zone in which a day is skipped. */
const mostDays = 9;

/** The first deadline after this time. */
function deadlineAfter(schedule: Extract<ExpectedTerms["schedule"], { type: "daily" }>, after: number): number {
  const today = localDayOf(after, schedule.timeZone);
  for (let step = -1; step <= mostDays; step++) {
    const day = today.add({ days: step });
    if (!schedule.days.includes(weekdayOf(day))) continue;
    const by = instantOf(day, schedule.by, schedule.timeZone);
    if (by > after) return by;
  }
  throw new Error("A schedule without days has no deadline.");
}

/** The window after one that ended at `after`: for intervals, when the last message arrived. */
function windowAfter({ schedule, graceMinutes }: ExpectedTerms, after: number): ExpectedWindow {
  const graceMs = graceMinutes * minuteMs;
  if (schedule.type === "interval") {
    const by = after + schedule.everyMinutes * minuteMs;
    return { opensAt: after, by, expectedBy: by + graceMs };
  }
  const by = deadlineAfter(schedule, after);
  return { opensAt: by - schedule.opensMinutes * minuteMs, by, expectedBy: by + graceMs };
}

/** The first window of a new or changed monitor, whose mail can't have arrived before. */
export function firstWindow(terms: ExpectedTerms, now: number): ExpectedWindow {
  let window = windowAfter(terms, now);
  while (window.opensAt < now) window = windowAfter(terms, window.by);
  return window;
}

/** The window that follows. It opens when this one's grace period is over, if not later. */
export function nextWindow(
  terms: ExpectedTerms,
  last: Pick<ExpectedWindow, "by" | "expectedBy">,
  now: number,
): ExpectedWindow {
  if (terms.schedule.type === "interval") return windowAfter(terms, now);
  const next = windowAfter(terms, last.by);
  // Windows that passed while the server was down are left out.
  const window = next.expectedBy > now ? next : currentWindow(terms, now);
  return { ...window, opensAt: Math.max(window.opensAt, last.expectedBy) };
}

/** The first whose grace period isn't over. */
function currentWindow(terms: ExpectedTerms, now: number): ExpectedWindow {
  return windowAfter(terms, now - terms.graceMinutes * minuteMs);
}

/** The longest time between two deadlines. */
export function periodOf({ schedule }: Pick<ExpectedTerms, "schedule">): number {
  if (schedule.type === "interval") return schedule.everyMinutes * minuteMs;
  const dayMs = 1_440 * minuteMs;
  const at = [...new Set(schedule.days.map((day) => weekdays.indexOf(day)))].sort((a, b) => a - b);
  const gaps = at.map((day, index) => ((at[(index + 1) % at.length] ?? day) - day + 7) % 7 || 7);
  return Math.max(...gaps) * dayMs;
}

/** When the server couldn't receive mail. */
export type Outage = { readonly from: number; readonly to: number };

/** Senders try again at growing intervals, and most within this time. */
const retryMs = 60 * minuteMs;
/** How long messages that arrived in time, but aren't analyzed yet, hold back an alert. */
const unreadPatienceMs = 60 * minuteMs;

type DueVerdict =
  | { readonly outcome: "wait"; readonly until: number }
  | { readonly outcome: "missing" | "unread" | "interrupted" };

type DueFacts = {
  readonly now: number;
  readonly window: Pick<ExpectedWindow, "opensAt" | "by" | "expectedBy">;
  readonly outages: readonly Outage[];
  /** Messages from before the deadline that wait for their analysis. */
  readonly unread: boolean;
};

/** What it means that the expected mail isn't there. */
export function judgeMissing({ now, window, outages, unread }: DueFacts): DueVerdict {
  const { opensAt, expectedBy } = window;
  if (now < expectedBy) return { outcome: "wait", until: expectedBy };
  const touching = outages.filter(({ from, to }) => from < expectedBy && to > opensAt);
  const over = Math.max(...touching.map(({ to }) => to + retryMs));
  if (touching.length > 0 && now < over && over > expectedBy) return { outcome: "wait", until: over };
  if (touching.some(({ to }) => to >= expectedBy)) return { outcome: "interrupted" };
  if (!unread) return { outcome: "missing" };
  const until = now + minuteMs;
  return now < expectedBy + unreadPatienceMs ? { outcome: "wait", until } : { outcome: "unread" };
}

/** For lists, alerts, and logs: "45 minutes", "2 hours 5 minutes", "3 days 2 hours". */
export function toSpanWords(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / minuteMs));
  const parts = [
    { count: Math.floor(minutes / 1_440), one: "day" },
    { count: Math.floor((minutes % 1_440) / 60), one: "hour" },
    { count: minutes % 60, one: "minute" },
  ];
  const shown = parts.filter(({ count }) => count > 0).slice(0, 2);
  return shown.map(({ count, one }) => `${count} ${one}${count === 1 ? "" : "s"}`).join(" ");
}
