// How good predictions were, measured by what seed mailboxes showed for the same messages. Predictions count as they
// were made, with the weights and shift of that day. No figure is computed from fewer than `needed` observations,
// because it would be random.

import type { Folder, Prediction } from "./provider.ts";

/** A message in a mailbox was not rejected. */
const seenFolders = ["inbox", "promotions", "spam"] as const satisfies readonly Folder[];
type SeenFolder = (typeof seenFolders)[number];

/** One message: its prediction, and where one mailbox has it. */
export type Pair = {
  readonly folder: Folder;
  readonly odds: Prediction["odds"];
  readonly observed: SeenFolder;
};

/** How often each predicted folder was seen in which folder. */
type Confusion = Readonly<Record<Folder, Readonly<Record<SeenFolder, number>>>>;

/** The observed share, with its 95% confidence interval (Wilson score). */
type HitRate = { readonly value: number; readonly low: number; readonly high: number };

/** Lower is better. `baseRate` is the score of always predicting how often each folder was seen. */
type Brier = { readonly value: number; readonly baseRate: number };

type ReliabilityBin = {
  /** A range of predicted spam odds, from `from` up to but not including the next bound. The last bin includes 1. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Both null with too few observations. */
  readonly predicted: number | null;
  readonly observed: number | null;
};

export type Figures = {
  readonly observations: number;
  /** All null below `needed`. */
  readonly confusion: Confusion | null;
  readonly hitRate: HitRate | null;
  /** From 0 to 2 over all folders, and from 0 to 1 for spam alone. */
  readonly brier: { readonly folders: Brier; readonly spam: Brier } | null;
  readonly reliability: readonly ReliabilityBin[] | null;
};

export const needed = 20;
export const reliabilityBins = 10;
/** The quantile of the normal distribution for 95%. */
const z = 1.959964;

export function toFigures(pairs: readonly Pair[]): Figures {
  const observations = pairs.length;
  if (observations < needed)
    return { observations, confusion: null, hitRate: null, brier: null, reliability: null };
  const hits = pairs.filter(({ folder, observed }) => toSeenFolder(folder) === observed).length;
  return {
    observations,
    confusion: toConfusion(pairs),
    hitRate: toHitRate(hits, observations),
    brier: { folders: toBrier(pairs), spam: toSpamBrier(pairs) },
    reliability: toReliability(pairs),
  };
}

/** "Rejected" predicted that no recipient sees the message. If it was seen, this counts as a prediction of spam. */
function toSeenFolder(folder: Folder): SeenFolder {
  return folder === "rejected" ? "spam" : folder;
}

function toSeenOdds({ inbox, promotions, spam, rejected }: Pair["odds"]): Record<SeenFolder, number> {
  return { inbox, promotions, spam: spam + rejected };
}

function toConfusion(pairs: readonly Pair[]): Confusion {
  const row = () => ({ inbox: 0, promotions: 0, spam: 0 });
  const confusion = { inbox: row(), promotions: row(), spam: row(), rejected: row() };
  for (const { folder, observed } of pairs) confusion[folder][observed] += 1;
  return confusion;
}

export function toHitRate(hits: number, total: number): HitRate {
  const share = hits / total;
  const stretch = 1 + z ** 2 / total;
  const middle = (share + z ** 2 / (2 * total)) / stretch;
  const half = (z / stretch) * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  return {
    value: round(share),
    low: round(Math.max(0, middle - half)),
    high: round(Math.min(1, middle + half)),
  };
}

function toBrier(pairs: readonly Pair[]): Brier {
  const shares = seenFolders.map((folder) => meanOf(pairs, ({ observed }) => Number(observed === folder)));
  const value = meanOf(pairs, ({ odds, observed }) => {
    const seen = toSeenOdds(odds);
    return seenFolders.reduce((sum, folder) => sum + (seen[folder] - Number(observed === folder)) ** 2, 0);
  });
  const baseRate = 1 - shares.reduce((sum, share) => sum + share ** 2, 0);
  return { value: round(value), baseRate: round(baseRate) };
}

function toSpamBrier(pairs: readonly Pair[]): Brier {
  const share = meanOf(pairs, isSpam);
  const value = meanOf(pairs, (pair) => (toSeenOdds(pair.odds).spam - isSpam(pair)) ** 2);
  return { value: round(value), baseRate: round(share * (1 - share)) };
}

function toReliability(pairs: readonly Pair[]): ReliabilityBin[] {
  const byBin = Map.groupBy(pairs, ({ odds }) => {
    // Computed in thousandths like the odds, so that 0.1 + 0.2 is in the bin that starts at 0.3.
    const thousandths = Math.round(toSeenOdds(odds).spam * 1_000);
    return Math.min(reliabilityBins - 1, Math.floor((thousandths * reliabilityBins) / 1_000));
  });
  return Array.from({ length: reliabilityBins }, (_, at) => {
    const own = byBin.get(at) ?? [];
    const isEnough = own.length >= needed;
    return {
      from: at / reliabilityBins,
      to: (at + 1) / reliabilityBins,
      count: own.length,
      predicted: isEnough ? round(meanOf(own, ({ odds }) => toSeenOdds(odds).spam)) : null,
      observed: isEnough ? round(meanOf(own, isSpam)) : null,
    };
  });
}

function isSpam({ observed }: Pair): number {
  return Number(observed === "spam");
}

/** Odds are in thousandths, so sums of them and their squares are whole millionths, independent of order. */
function meanOf<T>(rows: readonly T[], of: (row: T) => number): number {
  const millionths = Math.round(rows.reduce((sum, row) => sum + of(row), 0) * 1e6);
  return millionths / 1e6 / rows.length;
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
