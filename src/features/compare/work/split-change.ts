// Splits the change of the score between two tests among its causes. Both messages are analyzed again with today's
// rules, in every combination of message, sending server, DNS and circumstances, from nothing but what was recorded. A
// lookup that only one of the two made keeps its answer, because a different lookup isn't a different answer.

import { isDeepStrictEqual } from "node:util";
import { analyzeMessage } from "../../../analyzer/analyze-message.ts";
import { mergeAnswers } from "../../../analyzer/evidence-source.ts";
import { parseSessionText } from "../../../analyzer/mail/session/session-text.ts";
import { compareDns } from "../../../analyzer/reports/compare-dns.ts";
import type { Circumstances } from "../../../analyzer/reports/known-facts.ts";
import type { Evidence } from "../../../analyzer/reports/report.ts";
import { splitAmong, toWholeShares } from "../../../analyzer/reports/split-score.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import type { AnalysisContext } from "../../../analyzer/world.ts";
import type { StoredMessage } from "../../tests/analysis/analyze-stored.ts";
import { decodeRaw } from "../../tests/rows/raw-messages.ts";

/** In the order of their bits. */
const replayed = ["mail", "infrastructure", "dns", "circumstances"] as const;

export type ScoreSplit = {
  readonly before: number;
  readonly after: number;
  /** Points with one decimal, as scores have, that add up to the difference of the two. The largest first. */
  readonly causes: readonly { readonly cause: (typeof replayed)[number] | "rules"; readonly points: number }[];
};

export type RecordedTest = StoredMessage & { readonly recorded: string };

/** Null if either report has no score or can't be replayed. */
export async function splitChange(
  before: RecordedTest,
  after: RecordedTest,
  analyst: AnalysisContext,
): Promise<ScoreSplit | null> {
  const sides = [toSide(before), toSide(after)] as const;
  const [was, is] = sides;
  if (!was || !is || was.composite === null || is.composite === null) return null;
  const scores = await scoreCombinations(was, is, analyst);
  if (scores === null) return null;
  const scoreOf = (mask: number) => scores[mask] ?? 0;
  const shares = splitAmong(replayed.length, scoreOf);
  const replayedChange = scoreOf(scores.length - 1) - scoreOf(0);
  const change = is.composite - was.composite;
  const inTenths = [...shares, change - replayedChange].map((share) => share * 10);
  const tenths = toWholeShares(inTenths, Math.round(change * 10));
  const causes = [...replayed, "rules"] as const;
  return {
    before: was.composite,
    after: is.composite,
    causes: causes
      .map((cause, index) => ({ cause, points: (tenths[index] ?? 0) / 10 }))
      .filter(({ points }) => points !== 0)
      .sort((one, other) => Math.abs(other.points) - Math.abs(one.points)),
  };
}

type Side = {
  readonly message: { readonly raw: Uint8Array; readonly receivedAt: number };
  readonly session: ReturnType<typeof parseSessionText>;
  readonly evidence: Evidence;
  readonly circumstances: Circumstances;
  readonly composite: number | null;
};

function toSide(test: RecordedTest): Side | null {
  const report = parseReport(test.recorded);
  if (report === null) return null;
  const { volume = null } = report.judgment;
  return {
    message: { raw: decodeRaw(test), receivedAt: test.receivedAt },
    session: parseSessionText(test.session),
    evidence: report.analysis,
    // The report was judged for this volume, whatever it is today.
    circumstances: { ...test.circumstances, ...(volume !== null && { volume }) },
    composite: report.judgment.score.composite,
  };
}

/** The score of each combination of causes. Null if one of them has none. */
async function scoreCombinations(was: Side, is: Side, analyst: AnalysisContext): Promise<readonly number[] | null> {
  const alike = toAlike(was, is);
  const scores: number[] = [];
  for (let mask = 0; mask < 1 << replayed.length; mask++) {
    // A cause that is the same on both sides changes nothing, so its half of the analyses is copied.
    const known = scores[mask & ~alike];
    const score = known ?? (await scoreMixed(was, is, mask, analyst));
    if (score === null) return null;
    scores.push(score);
  }
  return scores;
}

function toAlike(was: Side, is: Side): number {
  const [before, after] = [was, is].map(({ evidence }) => splitAnswers(evidence));
  const isUnchanged = (whose: "own" | "ofLists") =>
    compareDns(before?.[whose] ?? [], after?.[whose] ?? []).length === 0;
  const same = [
    isDeepStrictEqual(was.message, is.message),
    isDeepStrictEqual([was.session, was.evidence.outgoing], [is.session, is.evidence.outgoing]),
    isUnchanged("own"),
    isUnchanged("ofLists") && isDeepStrictEqual(toOutside(was), toOutside(is)),
  ];
  return same.reduce((mask, isSame, index) => mask | (isSame ? 1 << index : 0), 0);
}

function toOutside({ circumstances, evidence: { lists, scanners, malware, history, own } }: Side) {
  return { circumstances, lists, scanners, malware, history, own };
}

async function scoreMixed(was: Side, is: Side, mask: number, analyst: AnalysisContext): Promise<number | null> {
  const sideOf = (cause: (typeof replayed)[number]) => (mask & (1 << replayed.indexOf(cause)) ? is : was);
  const [first, second] = sideOf("dns") === is ? [is, was] : [was, is];
  const outside = sideOf("circumstances");
  const { lists, scanners, malware, history, own } = outside.evidence;
  const {
    session,
    evidence: { outgoing },
  } = sideOf("infrastructure");
  const evidence: Evidence = {
    dns: mergeAnswers(
      splitAnswers(outside.evidence).ofLists,
      mergeAnswers(withoutUnasked(first.evidence.dns), second.evidence.dns),
    ),
    unasked: first.evidence.unasked,
    lists,
    scanners,
    history,
    own,
    ...(malware && { malware }),
    ...(outgoing && { outgoing }),
  };
  const { circumstances } = outside;
  const { report } = await analyzeMessage({ ...sideOf("mail").message, session, circumstances, evidence }, analyst);
  return report?.judgment.score.composite ?? null;
}

/** Whether a blocklist lists the sender isn't part of the sender's DNS. */
function splitAnswers({ dns, lists }: Evidence): Readonly<Record<"own" | "ofLists", Evidence["dns"]>> {
  const zones = lists.map(({ zone }) => `.${zone.toLowerCase()}`);
  const isOfList = ({ name }: Evidence["dns"][number]) => zones.some((zone) => name.toLowerCase().endsWith(zone));
  const made = withoutUnasked(dns);
  return { own: made.filter((answer) => !isOfList(answer)), ofLists: made.filter(isOfList) };
}

/** Lookups that our limits prevented say nothing. */
function withoutUnasked(dns: Evidence["dns"]): Evidence["dns"] {
  return dns.filter(({ status }) => status !== "budget");
}
