// The dashboard in one sentence: whether mail is well, and the worst exception in it. What else is wrong follows below it.

import type { DashboardSummary } from "../../api/dashboard.ts";
import type { DomainSummary } from "../../api/domains.ts";
import { judgedMechanisms, listFailing } from "../../api/failing-words.ts";
import {
  toDay,
  toFinePercent,
  toList,
  toPlural,
  toScore,
  toSentence,
  toShortTime,
  toWord,
} from "../client/words.ts";
import { isOwnMailbox, toProviderName } from "../report/placement-row.ts";

/** The sentence is `before`, `text`, `after`; what stands in the middle leads to its proof. */
type Phrase = {
  readonly tone: "critical" | "major" | "minor" | "info" | "unknown";
  readonly before: string;
  readonly text: string;
  readonly after: string;
  readonly to: string;
};

export type Headline = {
  /** Null: mail is well, without an exception. */
  readonly exception: Phrase | null;
  readonly lead: string;
};

type Trouble = {
  /** `isWell`: without it, mail would be well. */
  readonly phrase: (isWell: boolean) => Phrase;
  /** Said second: what lies behind it. */
  readonly detail: string | null;
  /** Behind another that is worse. */
  readonly also: readonly string[];
  /** Mail is well all the same. */
  readonly isSlight?: true;
};

/** From this share on a provider is an exception. */
const muchSpam = 0.2;
/** Below it, nobody would say that mail is well. */
const fairScore = 70;
/** A smaller fall is chance. */
const fallTold = 3;

export function toHeadline(summary: DashboardSummary, domains: readonly DomainWithState[]): Headline {
  const troubles = [
    findFailing(summary, domains),
    findSpam(summary),
    findScore(summary),
    findSilence(summary),
    findFall(summary),
    findBounces(summary),
    findDrift(summary, domains),
  ].filter((trouble) => trouble !== null);
  const [worst, ...others] = troubles;
  const { testCount } = summary;
  const count = testCount === 0 ? null : `${toPlural(testCount, "test", "tests")} in seven days.`;
  if (worst === undefined) return { exception: null, lead: `${count} Nothing stands out.` };
  const also = others.length === 0 ? null : `Also: ${toList(others.flatMap((one) => one.also))}.`;
  return {
    exception: worst.phrase(others.every(({ isSlight }) => isSlight)),
    lead: [count, worst.detail, also].filter((sentence) => sentence !== null).join(" "),
  };
}

function findFailing(
  { domains: { failing } }: DashboardSummary,
  domains: readonly DomainWithState[],
): Trouble | null {
  if (failing === 0) return null;
  const [only] = domains.filter(({ state }) => state.kind === "failing");
  const also = [`${toWord(failing)} failing ${failing === 1 ? "domain" : "domains"}`];
  const tone = "critical";
  if (failing > 1 || only === undefined) {
    const text = toSentence(`${toWord(failing)} ${failing === 1 ? "domain" : "domains"}`);
    const after = failing === 1 ? " fails its DNS checks" : " fail their DNS checks";
    return { phrase: () => ({ tone, before: "", text, after, to: "/domains" }), detail: null, also };
  }
  const { id, domain } = only.domain;
  const phrase = { tone, before: "", text: domain, after: " fails its DNS checks", to: `/domains/${id}` };
  return { phrase: () => phrase as Phrase, detail: `${only.state.line}.`, also };
}

function findSpam({ placement, spamRate }: DashboardSummary): Trouble | null {
  const bad = placement
    .filter((one) => (one.spamRate ?? 0) >= muchSpam)
    .toSorted((a, b) => (b.spamRate ?? 0) - (a.spamRate ?? 0));
  const [worst] = bad;
  if (worst === undefined) return null;
  const isSeen = bad.some(({ observed }) => observed > 0);
  const share = toFinePercent(worst.spamRate ?? 0);
  const go = (isOne: boolean) => (isSeen ? (isOne ? "goes" : "go") : "would probably go");
  const detail = isSeen
    ? `At ${toPlace(worst.provider)} ${share} of them go to spam.`
    : `At ${toPlace(worst.provider)} ${share} of them would probably go to spam or be rejected.`;
  const isEverywhere = bad.length > 2 || (bad.length === placement.length && bad.length > 1);
  const base = { tone: "major" as const, before: "", after: "", to: "#providers" };
  if (isEverywhere) {
    const text = `${(spamRate ?? 0) >= 0.5 ? "Most" : "Much"} mail ${go(true)} to spam`;
    return { phrase: () => ({ ...base, text }), detail, also: ["much spam"] };
  }
  const text = toList(bad.map(({ provider }) => toPlace(provider)));
  const before = (isWell: boolean) =>
    isWell ? `Mail is well, except ${isSeen ? "" : "probably "}at ` : `Mail ${go(true)} to spam at `;
  return {
    phrase: (isWell) => ({ ...base, text, before: before(isWell) }),
    detail,
    also: [`spam at ${text}`],
  };
}

function toPlace(provider: string): string {
  if (isOwnMailbox(provider)) return `your mailbox ${toProviderName(provider)}`;
  return provider === "generic" ? "other mailbox hosts" : toProviderName(provider);
}

function findScore({ deliverabilityScore: score, testCount, topIssues }: DashboardSummary): Trouble | null {
  if (testCount === 0) return null;
  const base = { before: "", after: "", to: topIssues.length > 0 ? "#issues" : "#trend" };
  if (score === null)
    return {
      phrase: () => ({ ...base, tone: "unknown", text: "No test of the week has a score" }),
      detail: "Too little could be checked.",
      also: ["no score"],
    };
  if (score >= fairScore) return null;
  return {
    phrase: () => ({
      ...base,
      tone: "major",
      before: "The score is low: ",
      text: `${toScore(score)} of 100`,
    }),
    detail: topIssues.length > 0 ? "What costs it most is listed below." : null,
    also: [`a low score of ${toScore(score)}`],
  };
}

function findSilence({ testCount, recentTests, newestFailed, window }: DashboardSummary): Trouble | null {
  if (testCount > 0) return null;
  const [newest] = recentTests;
  if (newest?.status === "received" || newest?.status === "analyzing")
    return toSilence("no report yet", null, {
      ...{ tone: "info", before: "A message has arrived. ", text: "Its report is being written" },
      ...{ after: "", to: `/tests/${newest.id}` },
    });
  const last = newest ? `on ${toDay(newest.received_at)}.` : null;
  const hasFailed = newestFailed !== null && (last === null || newestFailed.received_at >= window.from);
  if (hasFailed)
    return toSilence("a failed analysis", last && `The last test with a report came ${last}`, {
      ...{ tone: "major", before: "Mail has come, but ", text: "its analysis failed" },
      ...{ after: "", to: "/tests?q=status:failed" },
    });
  return toSilence("no mail in seven days", last && `The last test came ${last}`, {
    ...{ tone: "minor", before: "No mail in seven days. ", text: "Send a test", after: "", to: "/start" },
  });
}

function toSilence(also: string, detail: string | null, phrase: Phrase): Trouble {
  return { phrase: () => phrase, detail, also: [also] };
}

function findFall({ deliverabilityScore: score, previous }: DashboardSummary): Trouble | null {
  const before = previous.deliverabilityScore;
  if (score === null || before === null || before - score < fallTold) return null;
  const fall = toScore(before - score);
  const phrase: Phrase = {
    ...{ tone: "minor", before: "The score ", text: `fell by ${fall}` },
    ...{ after: ` to ${toScore(score)}`, to: "#trend" },
  };
  return { phrase: () => phrase, detail: null, also: [`a score that fell by ${fall}`] };
}

function findBounces({ bounces7d, complaints7d }: DashboardSummary): Trouble | null {
  const words = [
    ...(bounces7d > 0 ? [`${toWord(bounces7d)} ${bounces7d === 1 ? "bounce" : "bounces"}`] : []),
    ...(complaints7d > 0
      ? [`${toWord(complaints7d)} ${complaints7d === 1 ? "complaint" : "complaints"}`]
      : []),
  ];
  if (words.length === 0) return null;
  const text = toList(words);
  return {
    phrase: () => ({ tone: "minor", before: "Mail is well, except for ", text, after: "", to: "#bounces" }),
    detail: null,
    also: words,
    isSlight: true,
  };
}

function findDrift(
  { domains: { drifted24h } }: DashboardSummary,
  domains: readonly DomainWithState[],
): Trouble | null {
  const changed = domains.filter(({ state }) => state.kind === "changed");
  if (drifted24h === 0 || changed.length === 0) return null;
  const [only] = changed;
  const isOne = changed.length === 1 && only !== undefined;
  const text = isOne ? only.domain.domain : `${toWord(changed.length)} domains`;
  const to = isOne ? `/domains/${only.domain.id}` : "/domains";
  return {
    phrase: () => ({ tone: "minor", before: "Mail is well, but records of ", text, after: " changed", to }),
    detail: isOne ? null : "They changed within a day.",
    also: [`changed records of ${text}`],
    isSlight: true,
  };
}

// How a monitored domain does, in a word and a line, and which of several is to be looked at first.

type DomainState = {
  readonly kind: "failing" | "changed" | "warned" | "unknown" | "well";
  readonly tone: "critical" | "minor" | "unknown" | "good";
  readonly word: string;
  readonly line: string;
};

const kinds = ["failing", "changed", "warned", "unknown", "well"] as const;
const dayMs = 86_400_000;

type VerdictFields = Pick<
  DomainSummary,
  "spf" | "dkim" | "dmarc" | "bimi" | "checkedAt" | "lastDriftAt" | "unstable"
>;

/** `now`: as the server has it. */
function toDomainState(domain: VerdictFields, now: string): DomainState {
  const { checkedAt, lastDriftAt } = domain;
  const hasWord = (word: string) => judgedMechanisms.filter((one) => domain[one] === word);
  const failing = listFailing(domain);
  const missing = failing.filter((one) => domain[one] === "missing");
  const failed = failing.filter((one) => domain[one] !== "missing");
  const isChanged = lastDriftAt !== null && Date.parse(now) - Date.parse(lastDriftAt) < dayMs;
  const changed = isChanged ? toChangeWords(domain, lastDriftAt) : null;
  if (failing.length > 0) {
    const faults = [...toFault(failed, "fails", "fail"), ...toFault(missing, "is missing", "are missing")];
    const line = [toSentence(faults.join(", ")), ...(changed === null ? [] : [changed])].join("; ");
    return { kind: "failing", tone: "critical", word: "Failing", line };
  }
  if (changed !== null) return { kind: "changed", tone: "minor", word: "Changed", line: toSentence(changed) };
  if (checkedAt === null) return unknown("Not checked yet");
  const unanswered = hasWord("error");
  if (unanswered.length > 0) return unknown(`DNS did not answer for ${toNames(unanswered)}`);
  const warned = hasWord("warn");
  if (warned.length > 0)
    return { kind: "warned", tone: "minor", word: "Warning", line: `${toNames(warned)} can be better` };
  const line =
    lastDriftAt === null
      ? `Checked ${toShortTime(checkedAt)}`
      : `No change since ${toShortTime(lastDriftAt)}`;
  return { kind: "well", tone: "good", word: "Well", line };
}

function unknown(line: string): DomainState {
  return { kind: "unknown", tone: "unknown", word: "Not known", line };
}

function toFault(names: readonly string[], one: string, several: string): string[] {
  return names.length === 0 ? [] : [`${toNames(names)} ${names.length === 1 ? one : several}`];
}

function toNames(names: readonly string[]): string {
  return toList(names.map((name) => name.toUpperCase()));
}

function toChangeWords({ unstable }: VerdictFields, at: string): string {
  return unstable ? "its records go to and fro" : `its records changed, ${toShortTime(at)}`;
}

export type DomainWithState = { readonly domain: DomainSummary; readonly state: DomainState };

export function byUrgency(domains: readonly DomainSummary[], now: string): readonly DomainWithState[] {
  return domains
    .map((domain) => ({ domain, state: toDomainState(domain, now) }))
    .toSorted(
      (a, b) =>
        kinds.indexOf(a.state.kind) - kinds.indexOf(b.state.kind) ||
        (a.domain.score ?? 100) - (b.domain.score ?? 100),
    );
}
