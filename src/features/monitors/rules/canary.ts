// What a canary sends, when it is expected back, and what its return says about the path.

import { type Folder, toPlainName } from "../../../analyzer/placement/provider.ts";
import type { MonitorOutcome } from "./state.ts";

export type CanarySchedule =
  | { readonly everyMs: number }
  /** Five fields. `timeZone`: an IANA name. */
  | { readonly cron: string; readonly timeZone: string };

/** As stored with its monitor. */
export type CanaryTerms = {
  readonly schedule: CanarySchedule;
  /** Null: the workspace's active seed inbox. */
  readonly to: string | null;
  /** Since when it is that address. One that isn't ours must send a canary back soon. */
  readonly toSince: number;
  /** Only for the server's own relay. Null: the active seed inbox. */
  readonly from: string | null;
  /** Null: the default. */
  readonly subject: string | null;
  readonly text: string | null;
  readonly html: string | null;
  readonly objectiveMs: number;
  readonly failuresBeforeAlert: number;
  /** Null: far below the usual score. */
  readonly minScore: number | null;
};

const hourMs = 3_600_000;
export const longestObjectiveMs = 6 * hourMs;

/** When a canary that isn't back counts as lost. */
export function toLostAfterMs(objectiveMs: number): number {
  return Math.max(4 * objectiveMs, hourMs);
}

type OpenRun = { readonly beganAt: number; readonly isLate: boolean };

/** When the next thing about it must be decided. */
export function nextCheckOf({ beganAt, isLate }: OpenRun, objectiveMs: number): number {
  return beganAt + (isLate ? toLostAfterMs(objectiveMs) : objectiveMs);
}

const verdictNames = ["spf", "dkim", "dmarc"] as const;
type Verdicts = Readonly<Record<(typeof verdictNames)[number], string | null>>;
type Folders = Readonly<Record<string, Folder>>;

/** What good runs looked like. */
export type CanaryUsual = {
  /** Oldest first. */
  readonly scores: readonly number[];
  readonly verdicts: Verdicts;
  /** Predicted, by provider. */
  readonly folders: Folders;
};

/** The report of a canary that came back. */
export type CanaryReport = {
  /** Null if too little was checked. */
  readonly score: number | null;
  readonly verdicts: Verdicts;
  readonly folders: Folders;
};

const usualScores = 20;
const fewestScores = 3;
/** Smaller drops are the ups and downs of blocklists and DNS. */
const leastDrop = 10;
const spreads = 4;
const toSigma = 1.4826;

export type Judged = { readonly outcome: MonitorOutcome; readonly says: string };

type Came = {
  readonly delayMs: number;
  /** Null: it was seen in a mailbox only, or couldn't be analyzed. */
  readonly report: CanaryReport | null;
};

export function judgeReturn(
  { delayMs, report }: Came,
  usual: CanaryUsual | null,
  { objectiveMs, minScore }: Pick<CanaryTerms, "objectiveMs" | "minScore">,
): Judged {
  const back = `Back after ${toSpanWords(delayMs)}.`;
  if (delayMs > objectiveMs) return { outcome: "late", says: `${back} Expected within ${toSpanWords(objectiveMs)}.` };
  const worse = report && judgeReport(report, usual, minScore);
  return worse ? { outcome: worse.outcome, says: `${worse.says} ${back}` } : { outcome: "ok", says: back };
}

function judgeReport(report: CanaryReport, usual: CanaryUsual | null, minScore: number | null): Judged | null {
  const broken = verdictNames.filter((name) => usual?.verdicts[name] === "pass" && isBroken(report.verdicts[name]));
  if (broken.length > 0) {
    const named = broken.map((name) => `${name.toUpperCase()} is now ${report.verdicts[name]}`);
    return { outcome: "unauthenticated", says: `${named.join(", ")}. It passed before.` };
  }
  const moved = Object.entries(report.folders).filter(
    ([provider, folder]) => isAway(folder) && usual !== null && isIn(usual.folders[provider]),
  );
  if (moved.length > 0) {
    const [, folder] = moved[0] ?? [];
    const where = folder === "rejected" ? "a rejection" : "spam";
    const names = moved.map(([provider]) => toPlainName(provider)).join(", ");
    return {
      outcome: "misplaced",
      says: `Assay now predicts ${where} at ${names}, and inbox before. This is predicted, not observed.`,
    };
  }
  return judgeScore(report.score, usual, minScore);
}

/** A temporary DNS problem proves nothing. */
function isBroken(verdict: string | null): boolean {
  return verdict !== null && verdict !== "pass" && verdict !== "temperror";
}

function isAway(folder: Folder): boolean {
  return folder === "spam" || folder === "rejected";
}

function isIn(folder: Folder | undefined): boolean {
  return folder === "inbox" || folder === "promotions";
}

function judgeScore(score: number | null, usual: CanaryUsual | null, minScore: number | null): Judged | null {
  if (score === null) return null;
  if (minScore !== null)
    return score < minScore ? { outcome: "worse", says: `It scored ${Math.round(score)}, below ${minScore}.` } : null;
  const level = usual?.scores ?? [];
  if (level.length < fewestScores) return null;
  const middle = medianOf(level);
  const spread = toSigma * medianOf(level.map((one) => Math.abs(one - middle)));
  return middle - score >= Math.max(leastDrop, spreads * spread)
    ? { outcome: "worse", says: `It scored ${Math.round(score)}, usually ${Math.round(middle)}.` }
    : null;
}

/** Learned only from good runs, so that a lasting problem doesn't become the usual state. */
export function learnUsual(usual: CanaryUsual | null, report: CanaryReport): CanaryUsual {
  const { score, verdicts, folders } = report;
  const scores = [...(usual?.scores ?? []), ...(score === null ? [] : [score])].slice(-usualScores);
  // An unknown verdict doesn't erase a known one.
  const known = (name: (typeof verdictNames)[number]) => verdicts[name] ?? usual?.verdicts[name] ?? null;
  return {
    scores,
    verdicts: { spf: known("spf"), dkim: known("dkim"), dmarc: known("dmarc") },
    folders: { ...usual?.folders, ...folders },
  };
}

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** Two units at most, as in "1 h 5 min". */
export function toSpanWords(ms: number): string {
  if (ms < 10_000) return `${Math.round(Math.max(0, ms) / 100) / 10} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return join(minutes, "min", seconds % 60, "s");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? join(hours, "h", minutes % 60, "min") : join(Math.floor(hours / 24), "d", hours % 24, "h");
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
