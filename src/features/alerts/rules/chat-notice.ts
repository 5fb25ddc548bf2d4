// Describes an event for the person on call: what happened, before and after, what to do. Each chat service writes it in its
// own format.

import type { Change } from "../../../analyzer/domains/drift.ts";
import { bounceClasses } from "../../../analyzer/mail/reports/mail-class.ts";
import type { Mechanism } from "../../../analyzer/reports/domain-report.ts";
import type {
  BackupData,
  BounceData,
  DriftData,
  ExpiringTokenData,
  FeedbackProblemData,
  ListedData,
  MonitorData,
} from "./alert-event.ts";
import { adviceOf, authenticationFailure, bounceWords, notSpam } from "./bounce-words-table.ts";
import { toName, toQuote, toSentence, toTime } from "./notice-text.ts";

/** All but the path may hold strangers' text, on one line and bounded (toShown). */
export type ChatNotice = {
  readonly title: string;
  readonly tone: "worse" | "better" | "neutral";
  readonly says: readonly string[];
  /** Quoted exactly: a record, a subject, a receiver's reply. */
  readonly quotes: readonly Quote[];
  /** Empty if there is nothing to do. */
  readonly advice: string;
  /** Distinguishes it from similar events in a list. */
  readonly short: string;
  /** Path of the page in the web app. */
  readonly path: string;
};

export type Quote = { readonly label: string; readonly text: string };

/** `at`: of the event. A delivery may be late. */
export function tokenNotice({ token }: ExpiringTokenData, at: number): ChatNotice {
  const isLastDay = Date.parse(token.expiresAt) - at <= 86_400_000;
  const used = token.lastUsedAt === null ? "It was never used." : `Last used: ${toTime(token.lastUsedAt)}.`;
  return {
    title: `The API token ${toName(token.name)} expires ${isLastDay ? "within a day" : "soon"}`,
    tone: isLastDay ? "worse" : "neutral",
    says: [`It stops working at ${toTime(token.expiresAt)}.`, used],
    quotes: [],
    advice: "Create a new token, use it wherever the old one is used, and revoke the old one.",
    short: `It stops working at ${toTime(token.expiresAt)}.`,
    path: "/settings/tokens",
  };
}

/** Its sentences are our own, but sources, reporters and servers are strangers' words. */
export function feedbackNotice({ domain, problem }: FeedbackProblemData): ChatNotice {
  const { title, says, advice, state } = problem;
  const passes = problem.evidence.detail.passed === problem.evidence.count;
  const isGood = state === "resolved" || (problem.kind === "new-source" && passes);
  return {
    title: `${toName(domain.domain)}: ${toSentence(title)}`,
    tone: state === "resolved" ? "better" : isGood ? "neutral" : "worse",
    says: says.map(toSentence),
    quotes: [],
    advice: advice === "" ? "" : toSentence(advice),
    short: toSentence(says[0] ?? title),
    path: `/domains/${encodeURIComponent(domain.id)}#feedback`,
  };
}

export function listedNotice({ address, state, listing }: ListedData): ChatNotice {
  const { list, code, meaning, means, steps, delistUrl, says, since, until } = listing;
  const isListed = state === "listed";
  const short = `${toName(list)}: ${toSentence(`${meaning} (${code})`)}`;
  return {
    title: `${toName(address.value)} is ${isListed ? "on" : "off"} the blocklist ${toName(list)}`,
    tone: !isListed ? "better" : ["major", "policy", "bad", "abused"].includes(listing.class) ? "worse" : "neutral",
    says: isListed ? [short, means] : [`It was listed from ${toTime(since)} to ${toTime(until ?? since)}.`],
    quotes: isListed ? quoteIf("The list says", says) : [],
    advice: isListed ? `${steps}${delistUrl === null ? "" : ` ${delistUrl}`}` : "",
    short,
    path: `/addresses/${encodeURIComponent(address.id)}`,
  };
}

export function monitorNotice({ monitor, state, reason, lastOkAt }: MonitorData): ChatNotice {
  const isDown = state === "down";
  const says = toSentence(reason.says);
  const last = lastOkAt === null ? "It has not been OK before." : `Last OK: ${toTime(lastOkAt)}.`;
  return {
    title: `${kindNames[monitor.kind]} “${toName(monitor.name)}” is ${isDown ? "down" : "up again"}`,
    tone: isDown ? "worse" : "better",
    says: [says, ...(isDown ? [last] : [])],
    quotes: [],
    advice: isDown ? monitorAdvice[monitor.kind] : "",
    short: says,
    path: `/monitors/${encodeURIComponent(monitor.id)}`,
  };
}

/** Otherwise "Backup is down" reads as if the backup were. */
const kindNames = { canary: "Canary", expected: "Expected mail" } as const;

const monitorAdvice: Readonly<Record<MonitorData["monitor"]["kind"], string>> = {
  canary: "Check the relay and the path to this server.",
  expected: "Check whether the job that sends this mail ran, and whether its mail left.",
};

// Scheduled backups fail, or work again, or only a backup helps.

const backupTitles = {
  failing: "The server’s backup failed",
  working: "The server’s backups work again",
  damaged: "The server’s database is damaged",
};
const backupAdvice = {
  failing: "Check the place in ASSAY_BACKUP_TO and the free disk space, or run assay backup.",
  working: "",
  damaged: "Stop Assay, restore your newest backup with assay restore, and start it again.",
};

export function backupNotice({ state, problem, lastGoodAt, nextTryAt }: BackupData): ChatNotice {
  const last = lastGoodAt === null ? "There is no verified backup." : `Last verified backup: ${toTime(lastGoodAt)}.`;
  const trouble = problem === null ? [] : [toSentence(problem)];
  const next = state === "failing" ? [`The next try is at ${toTime(nextTryAt)}.`] : [];
  return {
    title: backupTitles[state],
    tone: state === "working" ? "better" : "worse",
    says: [...trouble, last, ...next],
    quotes: [],
    advice: backupAdvice[state],
    short: trouble[0] ?? last,
    path: "/settings/server-check",
  };
}

// A bounce or complaint in words. Anyone can write one and send it to a seed address, which the person on call must know. So
// the notice says if it is not verified.

type Bounce = BounceData["bounce"];
type Recipient = Bounce["recipients"][number];

const unvouched = "Not verified: its return path has no Assay token, so anyone could have sent it.";

export function bounceNotice({ bounce }: BounceData): ChatNotice {
  const [first] = bounce.recipients;
  const others = bounce.recipients.length - 1;
  const words = bounce.kind === "complaint" ? complaintWords(bounce) : toBounceWords(first);
  return {
    ...words,
    says: [
      ...(others > 0 ? [`And ${others} more ${others === 1 ? "recipient" : "recipients"}.`] : []),
      ...(bounce.authenticated ? [] : [unvouched]),
    ],
    quotes: [
      ...(first === undefined ? [] : recipientQuotes(first)),
      ...quoteIf("Complaint type", bounce.feedbackType),
      ...quoteIf("Reported by", bounce.reportingMta),
      ...quoteIf("Message-ID", bounce.originalMessageId),
    ],
    short: `Recipient: ${toName(first?.address ?? "(hidden)")}`,
    // The page that lists all of them.
    path: "/feedback/bounces",
  };
}

type Words = Pick<ChatNotice, "title" | "tone" | "advice">;

function complaintWords({ feedbackType }: Bounce): Words {
  const { advice } = adviceOf({ kind: "complaint", feedbackType, recipient: undefined });
  if (feedbackType === notSpam) return { title: "A recipient marked your mail as not spam", tone: "better", advice };
  if (feedbackType === authenticationFailure)
    return { title: "A message failed authentication (DMARC failure report)", tone: "worse", advice };
  return { title: "A recipient complained about your mail", tone: "worse", advice };
}

function toBounceWords(recipient: Recipient | undefined): Words {
  const bounceClass = bounceClasses.find((known) => known === recipient?.class) ?? "unknown";
  const { means } = bounceWords[bounceClass];
  const action = recipient?.action ?? null;
  const { advice } = adviceOf({ kind: "bounce", feedbackType: null, recipient: { class: bounceClass, action } });
  if (action === "delayed") return { title: `Delivery delayed: ${means}`, tone: "neutral", advice };
  if (action === "delivered" || action === "relayed")
    return { title: "Delivered, according to the receiver", tone: "better", advice };
  return { title: `${recipient?.hard ? "Hard bounce" : "Bounce"}: ${means}`, tone: "worse", advice };
}

function recipientQuotes({ address, status, diagnostic }: Recipient): Quote[] {
  return [toQuote("Recipient", address ?? "(hidden)"), ...quoteIf("Status", status), ...quoteIf("Reply", diagnostic)];
}

function quoteIf(label: string, text: string | null): Quote[] {
  return text === null ? [] : [toQuote(label, text)];
}

// A DNS change in words. The previous record is shown in full, because most unintended changes are fixed by restoring it.

const labels: Readonly<Record<Mechanism, string>> = {
  spf: "SPF",
  dkim: "DKIM",
  dmarc: "DMARC",
  bimi: "BIMI",
  mx: "MX",
  mtaSts: "MTA-STS",
  tlsRpt: "TLS-RPT",
  dnssec: "DNSSEC",
  dane: "DANE",
};

/** The page has all of them. */
const shownChanges = 4;

export function driftNotice({ domain: { id, domain }, kind, changes }: DriftData): ChatNotice {
  const shown = changes.slice(0, shownChanges);
  const more = changes.length - shown.length;
  return {
    title: `${toName(domain)}: ${headline(kind, changes)}`,
    tone: kind === "mended" ? "better" : kind === "unstable" ? "worse" : directionOf(changes),
    says: [...shown.map(toChangeSentence), ...(more > 0 ? [`And ${more} more.`] : [])],
    quotes: shown.flatMap((change) => toQuotes(change, shown.length > 1)),
    advice: advice(kind, changes),
    short: shown[0] ? toChangeSentence(shown[0]) : advice(kind, changes),
    path: `/domains/${encodeURIComponent(id)}`,
  };
}

function headline(kind: DriftData["kind"], changes: readonly Change[]): string {
  const what = listMechanisms(changes);
  if (kind === "mended") return `${what} fixed`;
  if (kind === "unstable") return `${what} unstable`;
  const ends = { worse: "got worse", better: "got better", neutral: "changed" };
  return `${what} ${ends[directionOf(changes)]}`;
}

function listMechanisms(changes: readonly Change[]): string {
  const named = [...new Set(changes.map(({ mechanism }) => labels[mechanism]))];
  return named.length > 0 ? named.join(", ") : "DNS";
}

/** A change for the worse is the most important one. */
function directionOf(changes: readonly Change[]): Change["direction"] {
  const directions = new Set(changes.map(({ direction }) => direction));
  return directions.has("worse") ? "worse" : directions.has("neutral") ? "neutral" : "better";
}

function toChangeSentence({ mechanism, says, before, after }: Change): string {
  const isTold = before.verdict !== null && after.verdict !== null && before.verdict !== after.verdict;
  const verdicts = isTold ? ` (${before.verdict} → ${after.verdict})` : "";
  return `${labels[mechanism]}${verdicts}: ${toSentence(says)}`;
}

function toQuotes({ mechanism, before, after }: Change, isOneOfSeveral: boolean): Quote[] {
  const label = (what: string) => (isOneOfSeveral ? `${labels[mechanism]} ${what.toLowerCase()}` : what);
  if (before.record === after.record) return before.record === null ? [] : [toQuote(label("Record"), before.record)];
  return [
    toQuote(label("Before"), before.record ?? "(no record)"),
    toQuote(label("Now"), after.record ?? "(no record)"),
  ];
}

function advice(kind: DriftData["kind"], changes: readonly Change[]): string {
  if (kind === "mended") return "Nothing to do.";
  if (kind === "unstable")
    return "The record keeps changing. You won't get any more alerts until it settles. Check that all of the domain's name servers serve the same zone.";
  if (directionOf(changes) !== "worse") return "If this was intended, there is nothing to do.";
  const isUndone = changes.some(
    ({ direction, before, after }) => direction === "worse" && before.record !== null && before.record !== after.record,
  );
  return isUndone
    ? "If this was not intended, restore the previous record."
    : "The domain page shows what is wrong and which records to publish.";
}
