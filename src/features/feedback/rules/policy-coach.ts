// Advice on a domain's DMARC policy, from what receivers reported: which sources would lose mail under a stricter policy,
// what to fix for each, and whether the next step is safe. Each claim comes with the counts that it is from.

import { findByDomain } from "../../../analyzer/checks/esp.ts";
import type { DmarcPolicy } from "../../../analyzer/dns/dmarc.ts";
import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import { builtIn } from "../../../analyzer/senders/name-sender.ts";
import type { PolicyCoach } from "../contract/policy-coach.ts";
import { type CoachCriterion, type CriterionInput, type ReportCounts, toCriteria } from "./coach-criteria.ts";
import { type CoachReporter, toCoachReporters, toLeastMet } from "./coach-reporters.ts";
import { type CoachSource, type Marks, toCoachSources } from "./coach-sources.ts";
import type { ReporterDay } from "./detect-complaints.ts";
import { dayMs } from "./problem.ts";
import { type FeedbackRow, isPassed } from "./report-rows.ts";

/** The record in force. `testing`: t=y, so receivers act one step milder. */
export type CoachPolicy = {
  readonly record: string;
  readonly p: DmarcPolicy;
  readonly sp: DmarcPolicy;
  readonly np: DmarcPolicy;
  readonly hasOwnSp: boolean;
  readonly testing: boolean;
};

type CoachInput = {
  readonly domain: string;
  /** When the UTC day began. */
  readonly today: number;
  /** The last 30 days, from authenticated reporters. */
  readonly rows: readonly FeedbackRow[];
  /** The same reporters. */
  readonly days: readonly ReporterDay[];
  readonly policy: CoachPolicy | null;
  /** Whether authenticated mail from this address or with this selector (`selector domain`) was received here. */
  readonly isProven: (proof: { readonly address: string | null; readonly selectors: readonly string[] }) => boolean;
  readonly marks: Marks;
  readonly reports: ReportCounts;
  readonly openProblems: CriterionInput["openProblems"];
};

/** The tags to set and to remove in the current record. */
type CoachStep = {
  readonly set: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
  readonly p: DmarcPolicy;
  readonly sp: DmarcPolicy;
  readonly testing: boolean;
  /** The tag that changes. */
  readonly tag: string;
  readonly says: string;
};

export type Advice = Pick<
  PolicyCoach,
  "messages" | "passed" | "lost" | "sources" | "subdomains" | "criteria" | "isSafe" | "npReject"
> & {
  /** Those that count. */
  readonly reporters: readonly CoachReporter[];
  /** The source that most keeps the next step from being safe. Null: it is safe, or there is none. */
  readonly blocker: CoachBlocker | null;
  /** Null: nothing stricter is left. */
  readonly next: CoachStep | null;
};

const mostSources = 100;
const mostSubdomains = 20;
const recentDays = 14;

export function toAdvice(input: CoachInput): Advice {
  const { domain, rows, policy } = input;
  const sources = toCoachSources(input);
  const messages = sumOf(rows);
  const passed = sumOf(rows.filter(isPassed));
  const sum = (read: (source: CoachSource) => number) => sources.reduce((total, each) => total + read(each), 0);
  const forwarded = sum((source) => source.forwardedFailed);
  const known = sum((source) => (source.isKnown ? source.failed : 0));
  const failed = messages - passed;
  const reporters = toCoachReporters(input.days);
  const criteria = judgeReporters(input, reporters, sources);
  const subdomains = toSubdomains(rows, domain);
  const isLosing = isSubdomainLosing(subdomains);
  const next = policy && toStep(policy, isLosing);
  const isSafe = next?.tag.startsWith("sp") && isLosing ? false : toSafe(criteria);
  return {
    messages,
    passed,
    sources: sources.slice(0, mostSources),
    reporters,
    criteria,
    isSafe,
    blocker: next === null || isSafe === true ? null : toBlocker(input, reporters, sources),
    subdomains: subdomains.slice(0, mostSubdomains),
    // Small rows without an address belong to no source, so they count as unknown.
    lost: { messages: failed, known, forwarded, unknown: Math.max(0, failed - known - forwarded) },
    next,
    npReject:
      policy !== null && messages > 0 && policy.np !== "reject" && !subdomains.some((one) => one.messages > one.failed),
  };
}

/** Null: there is too little data for some of them. */
function toSafe(criteria: readonly CoachCriterion[]): boolean | null {
  if (criteria.some(({ met }) => met === false)) return false;
  return criteria.some(({ met }) => met === null) ? null : true;
}

export type CoachBlocker = {
  readonly source: CoachSource;
  /** Another organization’s domain signs what fails. */
  readonly signsAs: string | null;
  /** It is the sender's. */
  readonly isItsOwn: boolean;
  /** Whether all criteria would be met without it. */
  readonly isOnly: boolean;
};

/** A smaller share is scattered. */
const leastBlocking = 0.005;

function toBlocker(
  input: CoachInput,
  reporters: readonly CoachReporter[],
  sources: readonly CoachSource[],
): CoachBlocker | null {
  const failing = sources.filter(({ failed, isNotMine }) => failed > 0 && !isNotMine);
  const source = failing.reduce<CoachSource | null>(
    (most, each) => (each.failed > (most?.failed ?? 0) ? each : most),
    null,
  );
  if (source === null || source.failed < sumOf(input.rows) * leastBlocking) return null;
  const isOf = ({ source: one }: FeedbackRow) => one?.key === source.key;
  const own = toRegistrableDomain(input.domain);
  const signed = input.rows
    .filter((row) => isOf(row) && !isPassed(row))
    .flatMap(({ dkim }) => dkim.filter(({ result }) => result === "pass"));
  const rest = { ...input, rows: input.rows.filter((row) => !isOf(row)) };
  const signers = signed.map(({ domain }) => domain).filter((domain) => toRegistrableDomain(domain) !== own);
  const other = signers.find((domain) => findByDomain(domain, builtIn)?.name !== source.name);
  return {
    source,
    // What isn't the sender's shows whose account it is.
    signsAs: other ?? signers[0] ?? null,
    isItsOwn: other === undefined,
    isOnly: toSafe(judgeReporters(rest, reporters, toCoachSources(rest))) === true,
  };
}

/** With more reporters, the shares hardly depend on a smaller one. */
const mostLeftOut = 5;

function judgeReporters(
  input: CoachInput,
  reporters: readonly CoachReporter[],
  sources: readonly CoachSource[],
): CoachCriterion[] {
  const { rows, days, openProblems, reports } = input;
  const isRecent = ({ day }: { readonly day: number }) => day >= input.today - recentDays * dayMs;
  const countDays = (some: readonly ReporterDay[]) => new Set(some.map(({ day }) => day)).size;
  const whole = {
    openProblems,
    reports,
    sources,
    messages: sumOf(rows),
    nameless: countNameless(rows),
    recent: toCoachSources({ ...input, rows: rows.filter(isRecent) }),
  };
  const withoutOne = (without: string) => {
    const others = rows.filter(({ reporter }) => reporter !== without);
    return {
      openProblems,
      reports,
      messages: sumOf(others),
      nameless: countNameless(others),
      sources: toCoachSources({ ...input, rows: others }),
      recent: toCoachSources({ ...input, rows: others.filter(isRecent) }),
    };
  };
  const judge = (some: readonly ReporterDay[], figures: typeof whole) =>
    toCriteria({
      ...figures,
      reportDays: countDays(some),
      recentReportDays: countDays(some.filter(isRecent)),
      reporters: new Set(some.map(({ reporter }) => reporter)).size,
    });
  const leftOut = reporters.filter(({ isTrusted }) => !isTrusted);
  return toLeastMet(
    judge(days, whole),
    leftOut.map(({ domain: without }, index) => {
      const others = days.filter(({ reporter }) => reporter !== without);
      return { without, criteria: judge(others, index < mostLeftOut ? withoutOne(without) : whole) };
    }),
  );
}

function sumOf(rows: readonly FeedbackRow[]): number {
  return rows.reduce((total, { messages }) => total + messages, 0);
}

function countNameless(rows: readonly FeedbackRow[]): number {
  return sumOf(rows.filter((row) => row.source === null && !isPassed(row)));
}

/** All of them, because spoofed ones can be many and large. */
function toSubdomains(rows: readonly FeedbackRow[], domain: string): Advice["subdomains"] {
  const byName = Map.groupBy(rows, ({ headerFrom }) => headerFrom ?? domain);
  return [...byName]
    .filter(([name]) => name !== domain && name.endsWith(`.${domain}`))
    .map(([name, some]) => ({
      domain: name,
      messages: sumOf(some),
      failed: sumOf(some.filter((row) => !isPassed(row))),
    }))
    .sort((one, other) => other.messages - one.messages || (one.domain < other.domain ? -1 : 1));
}

/** Some of their mail is authenticated, and some isn't. */
function isSubdomainLosing(subdomains: Advice["subdomains"]): boolean {
  return subdomains.some(({ messages, failed }) => failed > 0 && messages > failed);
}

/**
 * From p=none to p=quarantine; t=y, then p=quarantine, then p=reject (handbook, "Fix the DMARC policy"), and then the same
 * for subdomains that have a milder policy.
 */
function toStep(policy: CoachPolicy, isLosing: boolean): CoachStep | null {
  const step = toNextLevel(policy);
  if (step === null) return policy.sp === "reject" ? null : toSubdomainStep(policy, isLosing);
  // Subdomains follow p unless they have a policy of their own. Those that lose authenticated mail keep theirs.
  const keepsSp = policy.hasOwnSp || isLosing;
  const sp = keepsSp ? policy.sp : step.p;
  const subject = isLosing
    ? ` sp=${sp} leaves the subdomains as they are, because some of their mail passes and some fails.`
    : policy.hasOwnSp
      ? ` sp=${sp} stays, so subdomains are treated as before.`
      : "";
  return {
    p: step.p,
    sp,
    testing: step.testing,
    tag: `p=${step.p}${step.testing ? " (in test mode)" : ""}`,
    set: { p: step.p, ...(step.testing && { t: "y" }), ...(isLosing && { sp }) },
    remove: ["pct", ...(step.testing ? [] : ["t"])],
    says: `${step.says}${subject}`,
  };
}

function toSubdomainStep({ p, sp: present }: CoachPolicy, isLosing: boolean): CoachStep {
  const sp = present === "none" ? "quarantine" : "reject";
  const does = sp === "reject" ? "reject" : "put into spam";
  const first = isLosing ? " Some of that mail passes and some fails, so fix what fails first." : "";
  return {
    p,
    sp,
    testing: false,
    tag: `sp=${sp}`,
    set: { sp },
    remove: ["pct"],
    says: `Receivers then ${does} mail from subdomains that fails.${first}`,
  };
}

function toNextLevel({ p, testing }: CoachPolicy) {
  if (testing && p !== "none") return { p, testing: false, says: `Removing t=y puts p=${p} into force.` } as const;
  if (p === "none")
    return {
      p: "quarantine",
      testing: true,
      says: "With t=y, receivers that support RFC 9989 still deliver mail that fails, and report what p=quarantine would do. Others may ignore t=y and put it into spam.",
    } as const;
  if (p === "quarantine")
    return { p: "reject", testing: false, says: "Receivers then reject mail that fails." } as const;
  return null;
}

/** What the policy asks receivers to do with a message that fails. */
export function toAction(p: DmarcPolicy, testing: boolean): DmarcPolicy {
  if (!testing) return p;
  return p === "reject" ? "quarantine" : "none";
}
