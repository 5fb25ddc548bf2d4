// A stream is a series of similar messages, such as one newsletter. Its usual score is the median of its recent tests.
// A test moved if its score is farther from that than scores of this stream normally are.
//
// The state is kept with the stream and advanced by each new test, so that a test costs the same in a long stream as in
// a short one. The stream's page advances it again through its newest tests. What was usual when a test was analyzed is
// kept with the test, because tests that arrive together are analyzed in any order.

import { kinds } from "../checks/kind.ts";
import { countLayoutElements } from "../mail/html/structure.ts";
import { causes, type ScoreCause } from "./compare.ts";
import { toTenths } from "./grade-words.ts";
import { compareTraits, isSameTemplate, type Mark, type Traits } from "./traits.ts";

/** Patterns in which * stands for anything. Null matches everything. */
type StreamMatch = { readonly id: string; readonly sender: string | null; readonly label: string | null };

type Streamed = {
  /** The From address. */
  readonly address: string | null;
  readonly domain: string | null;
  readonly label: string | null;
  readonly kind: string | null;
};

export type StreamKey = {
  readonly match_key: string;
  readonly from_domain: string | null;
  readonly label: string | null;
  readonly rule_id: string | null;
  /** Only for mail without a label, because newsletters and receipts of one domain have different scores. */
  readonly kind: string | null;
};

/**
 * The first rule that matches, otherwise the sender's domain with the label, or with the kind of mail if there is no
 * label. Null without a sender.
 */
export function toStreamKey(
  rules: readonly StreamMatch[],
  { address, domain, label, kind }: Streamed,
): StreamKey | null {
  const rule = rules.find((one) => matches(one.sender, address) && matches(one.label, label));
  if (rule) return { match_key: rule.id, from_domain: null, label: null, rule_id: rule.id, kind: null };
  if (domain === null) return null;
  if (label === null && kind !== null) return toKindKey(domain, kind);
  return { match_key: `${domain} ${label ?? ""}`, from_domain: domain, label, rule_id: null, kind: null };
}

function toKindKey(domain: string, kind: string): StreamKey {
  return { match_key: `${kind}:${domain}`, from_domain: domain, label: null, rule_id: null, kind };
}

/** The same domain's mail of the other kinds. */
export function toSiblingKeys({ from_domain, kind }: StreamKey): readonly StreamKey[] {
  if (kind === null || from_domain === null) return [];
  return kinds.filter((other) => other !== kind).map((other) => toKindKey(from_domain, other));
}

/** Different elements. Mail that people write has two or three, and so is alike everywhere. */
const leastLayout = 5;

type Sibling = { readonly match_key: string; readonly template: string | null };

/**
 * A message with the layout of another stream from the same domain belongs there, although it looks like another kind of mail: a
 * newsletter without its unsubscribe link is a changed newsletter (src/decisions.md, "Streams"). `siblings` include the
 * stream of its kind.
 */
export function chooseStream(key: StreamKey, template: string | null, siblings: readonly Sibling[]): StreamKey {
  if (template === null || countLayoutElements(template) < leastLayout) return key;
  const alike = siblings.filter((one) => one.template !== null && isSameTemplate(one.template, template));
  if (alike.some(({ match_key }) => match_key === key.match_key)) return key;
  return toSiblingKeys(key).find(({ match_key }) => match_key === alike[0]?.match_key) ?? key;
}

function matches(pattern: string | null, value: string | null): boolean {
  return pattern === null || (value !== null && matchesPattern(pattern.toLowerCase(), value.toLowerCase()));
}

/** Without a regular expression, because people write the pattern and strangers write the value. */
function matchesPattern(pattern: string, value: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return value === pattern;
  if (!value.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = value.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}

export type StreamPoint = {
  readonly testId: string;
  /** Null for a report without a score, or of too few checks. */
  readonly score: number | null;
  /** Null for tests that were analyzed before traits were kept. */
  readonly traits: Traits | null;
  /** As it was known when the test was analyzed. Missing in a test that was sorted into the stream later. */
  readonly usual?: Usual | null;
};

export type Usual = {
  readonly score: number;
  /** How far scores normally are from it: a robust standard deviation. */
  readonly spread: number;
  /** Number of tests that it is computed from. */
  readonly tests: number;
};

export type StreamState = {
  /** Recent scores, oldest first, that are near each other. */
  readonly level: readonly number[];
  /** The newest scores, if they are far from those. */
  readonly away: readonly number[];
  readonly traits: Traits | null;
  /** The newest test near the usual score, to compare others with. */
  readonly usualTestId: string | null;
  /** The first of `away`. Missing in old states, as is the next. */
  readonly awayTestId?: string | null;
  /** When the scores last moved to another level, while that still matters: fewer than a full level of tests ago. */
  readonly settled?: Settled | null;
};

type Settled = {
  /** The first test at the present level. */
  readonly testId: string;
  /** The usual score before it. */
  readonly before: number;
};

export const newStream: StreamState = { level: [], away: [], traits: null, usualTestId: null };

export type StreamStep = {
  /** What changed since the test before it. */
  readonly marks: readonly Mark[];
  /** Before this test. Null if there were too few tests. */
  readonly usual: Usual | null;
  /** Points above or below the usual score, if that is unusual. */
  readonly move: number | null;
  /** The first of its kind: the tests just before it didn't move, or moved elsewhere. */
  readonly isNews: boolean;
};

type Advanced = { readonly state: StreamState; readonly step: StreamStep };

const levelTests = 20;
const fewestTests = 3;
/** With fewer tests, the median deviation may be 0 although they differ widely. */
const reliableTests = 8;
/** Smaller differences are the ups and downs of texts. */
const leastMove = 5;
const spreads = 4;
/** Makes the median absolute deviation comparable to a standard deviation. */
const toSigma = 1.4826;

export function advanceStream(state: StreamState, { testId, score, traits, ...known }: StreamPoint): Advanced {
  const marks = state.traits && traits ? compareTraits(state.traits, traits) : [];
  const usual = known.usual === undefined ? toUsual(state) : known.usual;
  const next = { ...state, traits: traits ?? state.traits };
  if (score === null) return { state: next, step: { marks, usual, move: null, isNews: false } };
  const move = usual && findMove(usual, score);
  if (move === null) return { state: settle(next, testId, score), step: { marks, usual, move, isNews: false } };
  const isNews = !state.away.some((other) => Math.abs(other - score) < leastMove);
  const away = isNews ? [score] : [...state.away, score];
  const awayTestId = isNews ? testId : (state.awayTestId ?? testId);
  const step = { marks, usual, move, isNews };
  // A change that stays soon is the usual score.
  return away.length < fewestTests
    ? { state: { ...next, away, awayTestId }, step }
    : {
        state: {
          ...next,
          level: away,
          away: [],
          usualTestId: testId,
          settled: { testId: awayTestId, before: usual?.score ?? 0 },
        },
        step,
      };
}

export function toUsual({ level }: Pick<StreamState, "level">): Usual | null {
  if (level.length < fewestTests) return null;
  const middle = medianOf(level);
  const deviation = toSigma * medianOf(level.map((score) => Math.abs(score - middle)));
  const range = Math.max(...level) - Math.min(...level);
  const spread = level.length < reliableTests ? Math.max(deviation, range / 2) : deviation;
  return { score: toTenths(middle), spread: toTenths(spread), tests: level.length };
}

/** With a score that isn't unusual. */
function settle(state: StreamState, testId: string, score: number): StreamState {
  const level = [...state.level, score].slice(-levelTests);
  const settled = level.length < levelTests ? (state.settled ?? null) : null;
  const usualTestId = isTypical(score, toUsual({ level })) ? testId : (state.usualTestId ?? testId);
  return { ...state, level, away: [], usualTestId, settled };
}

/** The newest test near the usual score. `points`: oldest first. */
export function newestUsual(points: readonly StreamPoint[], usual: Usual): string | undefined {
  return points.findLast(({ score }) => score !== null && isTypical(score, usual))?.testId;
}

/** Near enough to the usual score that a test can be compared with this one in its place. */
function isTypical(score: number, usual: Usual | null): boolean {
  return usual === null || Math.abs(score - usual.score) <= Math.max(1, usual.spread);
}

function findMove(usual: Usual, score: number): number | null {
  const distance = toTenths(score - usual.score);
  return Math.abs(distance) >= Math.max(leastMove, usual.spread * spreads) ? distance : null;
}

/** `points`: oldest first. */
export function replayStream<P extends StreamPoint>(
  points: readonly P[],
): { readonly steps: readonly (P & StreamStep)[]; readonly state: StreamState } {
  let state = newStream;
  const steps = points.map((point) => {
    const advanced = advanceStream(state, point);
    state = advanced.state;
    return { ...point, ...advanced.step };
  });
  return { steps, state };
}

/** `variation`: the test before it, which it is compared with, didn't have exactly the usual score. */
export const moveCauses = [...causes, "variation"] as const;
export type MoveCause = { readonly cause: (typeof moveCauses)[number]; readonly points: number };

/** The causes of the difference between two tests, as those of the difference from the usual score. Largest first. */
export function toMoveCauses(
  found: readonly { readonly cause: ScoreCause; readonly points: number }[],
  points: number,
): readonly MoveCause[] {
  const left = toTenths(points - found.reduce((sum, one) => sum + one.points, 0));
  if (left === 0) return found;
  return [...found, { cause: "variation" as const, points: left }].sort(
    (one, other) => Math.abs(other.points) - Math.abs(one.points),
  );
}

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
