// The dashboard's headline: the worst problem, or that there is none. Other problems follow in the sentence below. Both
// repeat figures of the page in the same form, so that neither can say more than they do.

import { judgedMechanisms, listFailing } from "../../../analyzer/words/failing-words.ts";
import {
  toDay,
  toFinePercent,
  toList,
  toPercent,
  toPlural,
  toScore,
  toSentence,
  toShortTime,
} from "../../../web/client/words.ts";
import { isOwnMailbox, toProviderName } from "../../../web/report/placement-row.ts";
import type { DomainSummary } from "../../domains/contract/domains.ts";
import type { DashboardSummary } from "../contract.ts";
import { findDown, findMoved, findReported } from "./watch-problems.ts";

/** The headline is `before`, `text`, `after`. `text` links to the details. */
type Phrase = {
  readonly tone: "critical" | "major" | "minor" | "info" | "unknown";
  readonly before: string;
  readonly text: string;
  readonly after: string;
  readonly to: string;
};

export type Headline = {
  /** Null: no problems. */
  readonly exception: Phrase | null;
  readonly lead: string;
};

export type Problem = {
  readonly phrase: Phrase;
  /** The sentence after the headline. */
  readonly detail: string | null;
  /** Used in the list after a worse problem. */
  readonly also: readonly string[];
};

/** The share of spam from which a provider is a problem. */
const muchSpam = 0.2;
/** A lower average score is a problem. */
const fairScore = 70;
/** Smaller drops are noise. */
const leastDrop = 3;

export function toHeadline(summary: DashboardSummary, domains: readonly DomainWithState[]): Headline {
  const problems = [
    findDown(summary),
    findFailing(summary, domains),
    findSpam(summary),
    findReported(summary),
    findScore(summary),
    findSilence(summary),
    findMoved(summary),
    findFall(summary),
    findBounces(summary),
    findDrift(summary, domains),
  ].filter((problem) => problem !== null);
  const [worst, ...others] = problems;
  const { testCount } = summary;
  const count = testCount === 0 ? null : `${toPlural(testCount, "test", "tests")} in the last 7 days.`;
  if (worst === undefined) return { exception: null, lead: `${count} Nothing stands out.` };
  const also = others.length === 0 ? null : `Also: ${toList(others.flatMap((one) => one.also))}.`;
  return {
    exception: worst.phrase,
    lead: [count, worst.detail, also].filter((sentence) => sentence !== null).join(" "),
  };
}

function findFailing({ domains: { failing } }: DashboardSummary, domains: readonly DomainWithState[]): Problem | null {
  if (failing === 0) return null;
  const [only] = domains.filter(({ state }) => state.kind === "failing");
  const also = [toPlural(failing, "failing domain", "failing domains")];
  const tone = "critical";
  if (failing > 1 || only === undefined) {
    const text = toPlural(failing, "domain", "domains");
    const after = failing === 1 ? " fails DNS checks" : " fail DNS checks";
    return { phrase: { tone, before: "", text, after, to: "/domains" }, detail: null, also };
  }
  const { id, domain } = only.domain;
  const phrase: Phrase = { tone, before: "", text: domain, after: " fails DNS checks", to: `/domains/${id}` };
  return { phrase, detail: `${only.state.line}.`, also };
}

function findSpam({ placement, spamRate }: DashboardSummary): Problem | null {
  const bad = placement
    .filter((one) => (one.spamRate ?? 0) >= muchSpam)
    .toSorted((a, b) => (b.spamRate ?? 0) - (a.spamRate ?? 0));
  if (bad.length === 0) return null;
  const isSeen = bad.every(({ observed, tests }) => observed === tests);
  const kind = isSeen ? "spam" : "predicted spam";
  const goes = isSeen ? "of mail went to spam" : "of mail would probably go to spam or be rejected";
  const isEverywhere = bad.length > 2 || (bad.length === placement.length && bad.length > 1);
  const base = { tone: "major", before: "", after: "", to: "#providers" } as const;
  if (isEverywhere) {
    const share = toFinePercent(spamRate ?? 0);
    return { phrase: { ...base, text: `${share} ${goes}` }, detail: null, also: [`${share} ${kind}`] };
  }
  const share = toPercent(bad.at(-1)?.spamRate ?? 0);
  const isOne = bad.length === 1;
  const text = toList(bad.map(({ provider }) => toPlace(provider)));
  return {
    phrase: { ...base, before: `${isOne ? "" : "At least "}${share} ${goes} at `, text },
    detail: null,
    also: [`${isOne ? "" : "at least "}${share} ${kind} at ${text}`],
  };
}

function toPlace(provider: string): string {
  if (isOwnMailbox(provider)) return `your mailbox ${toProviderName(provider)}`;
  return provider === "generic" ? "other mailbox providers" : toProviderName(provider);
}

function findScore({ deliverabilityScore: score, testCount, topIssues }: DashboardSummary): Problem | null {
  if (testCount === 0) return null;
  const base = { before: "", after: "", to: topIssues.length > 0 ? "#issues" : "#trend" };
  if (score === null)
    return {
      phrase: { ...base, tone: "unknown", text: "No score this week" },
      detail: "Too few checks completed.",
      also: ["no score"],
    };
  if (score >= fairScore) return null;
  return {
    phrase: { ...base, tone: "major", before: "Low average score: ", text: `${toScore(score)} of 100` },
    detail: topIssues.length > 0 ? "See the top issues below." : null,
    also: [`a low average score (${toScore(score)})`],
  };
}

function findSilence({ testCount, recentTests, newestFailed, window }: DashboardSummary): Problem | null {
  if (testCount > 0) return null;
  const [newest] = recentTests;
  if (newest?.status === "received" || newest?.status === "analyzing")
    return toSilence("no report yet", null, {
      tone: "info",
      before: "A message has arrived. ",
      text: "Analyzing it now",
      after: "",
      to: `/tests/${newest.id}`,
    });
  const last = newest ? `on ${toDay(newest.received_at)}.` : null;
  const hasFailed = newestFailed !== null && (last === null || newestFailed.received_at >= window.from);
  if (hasFailed)
    return toSilence("a failed analysis", last && `The last test with a report was ${last}`, {
      tone: "major",
      before: "A message arrived, but ",
      text: "its analysis failed",
      after: "",
      to: "/tests?q=status:failed",
    });
  return toSilence("no mail in the last 7 days", last && `The last test was ${last}`, {
    tone: "minor",
    before: "No mail in the last 7 days. ",
    text: "Send a test",
    after: "",
    to: "/start",
  });
}

function toSilence(also: string, detail: string | null, phrase: Phrase): Problem {
  return { phrase, detail, also: [also] };
}

function findFall({ deliverabilityScore: score, previous }: DashboardSummary): Problem | null {
  const before = previous.deliverabilityScore;
  if (score === null || before === null || before - score < leastDrop) return null;
  const fall = toScore(before - score);
  const phrase: Phrase = {
    tone: "minor",
    before: "Average score ",
    text: `down ${fall}`,
    after: ` to ${toScore(score)}`,
    to: "#trend",
  };
  return { phrase, detail: null, also: [`a score drop of ${fall}`] };
}

function findBounces({ bounces7d, complaints7d }: DashboardSummary): Problem | null {
  const words = [
    ...(bounces7d > 0 ? [toPlural(bounces7d, "bounce", "bounces")] : []),
    ...(complaints7d > 0 ? [toPlural(complaints7d, "complaint", "complaints")] : []),
  ];
  if (words.length === 0) return null;
  const text = toList(words);
  return {
    phrase: { tone: "minor", before: "", text, after: " in the last 7 days", to: "#bounces" },
    detail: null,
    also: words,
  };
}

function findDrift({ domains: { drifted24h } }: DashboardSummary, domains: readonly DomainWithState[]): Problem | null {
  const changed = domains.filter(({ state }) => state.kind === "changed");
  if (drifted24h === 0 || changed.length === 0) return null;
  const [only] = changed;
  const isOne = changed.length === 1 && only !== undefined;
  const text = isOne ? only.domain.domain : toPlural(changed.length, "domain", "domains");
  const to = isOne ? `/domains/${only.domain.id}` : "/domains";
  return {
    phrase: { tone: "minor", before: "DNS records changed at ", text, after: "", to },
    detail: isOne ? null : "They changed in the last 24 hours.",
    also: [`changed DNS records at ${text}`],
  };
}

// The state of a monitored domain in a word and a line, and the order of several by urgency.

type DomainState = {
  readonly kind: "failing" | "changed" | "warned" | "unknown" | "well";
  readonly tone: "critical" | "minor" | "unknown" | "good";
  readonly word: string;
  readonly line: string;
};

const kinds = ["failing", "changed", "warned", "unknown", "well"] as const;
const dayMs = 86_400_000;

type VerdictFields = Pick<DomainSummary, "spf" | "dkim" | "dmarc" | "bimi" | "checkedAt" | "lastDriftAt" | "unstable">;

/** `now`: the server's time. */
function toDomainState(domain: VerdictFields, now: string): DomainState {
  const { checkedAt, lastDriftAt } = domain;
  const hasWord = (word: string) => judgedMechanisms.filter((one) => domain[one] === word);
  const failing = listFailing(domain);
  const missing = failing.filter((one) => domain[one] === "missing");
  const failed = failing.filter((one) => domain[one] !== "missing");
  const isChanged = lastDriftAt !== null && Date.parse(now) - Date.parse(lastDriftAt) < dayMs;
  const changed = isChanged ? toChangeWords(domain, lastDriftAt) : null;
  if (failing.length > 0) {
    const issues = [...toFault(failed, "fails", "fail"), ...toFault(missing, "is missing", "are missing")];
    const line = [toSentence(issues.join(", ")), ...(changed === null ? [] : [changed])].join("; ");
    return { kind: "failing", tone: "critical", word: "Failing", line };
  }
  if (changed !== null) return { kind: "changed", tone: "minor", word: "Changed", line: toSentence(changed) };
  if (checkedAt === null) return unknown("Not checked yet");
  const unanswered = hasWord("error");
  if (unanswered.length > 0) return unknown(`No DNS response for ${toNames(unanswered)}`);
  const warned = hasWord("warn");
  if (warned.length > 0)
    return { kind: "warned", tone: "minor", word: "Warning", line: `${toNames(warned)} could be improved` };
  const line =
    lastDriftAt === null ? `Checked ${toShortTime(checkedAt)}` : `No change since ${toShortTime(lastDriftAt)}`;
  return { kind: "well", tone: "good", word: "OK", line };
}

function unknown(line: string): DomainState {
  return { kind: "unknown", tone: "unknown", word: "Unknown", line };
}

function toFault(names: readonly string[], one: string, several: string): string[] {
  return names.length === 0 ? [] : [`${toNames(names)} ${names.length === 1 ? one : several}`];
}

function toNames(names: readonly string[]): string {
  return toList(names.map((name) => name.toUpperCase()));
}

function toChangeWords({ unstable }: VerdictFields, at: string): string {
  return unstable ? "records keep changing" : `records changed ${toShortTime(at)}`;
}

export type DomainWithState = { readonly domain: DomainSummary; readonly state: DomainState };

export function byUrgency(domains: readonly DomainSummary[], now: string): readonly DomainWithState[] {
  return domains
    .map((domain) => ({ domain, state: toDomainState(domain, now) }))
    .toSorted(
      (a, b) =>
        kinds.indexOf(a.state.kind) - kinds.indexOf(b.state.kind) || (a.domain.score ?? 100) - (b.domain.score ?? 100),
    );
}
