// How good predictions were, by what seed mailboxes showed of the same messages. As they were made: with the weights and
// the shift of that day. No figure comes of fewer observations than `needed`, because it would be chance.

import type { Folder, Prediction } from "./provider.ts";

/** What stands in a mailbox was not refused. */
const seenFolders = ["inbox", "promotions", "spam"] as const satisfies readonly Folder[];
type SeenFolder = (typeof seenFolders)[number];

/** One message, as it was predicted and as one mailbox has it. */
export type Pair = {
  readonly folder: Folder;
  readonly odds: Prediction["odds"];
  readonly observed: SeenFolder;
};

/** As each was predicted: how often it was seen where. */
type Confusion = Readonly<Record<Folder, Readonly<Record<SeenFolder, number>>>>;

/** The likeliest share, and between what it lies with a confidence of 95 % (Wilson's score interval). */
type HitRate = { readonly value: number; readonly low: number; readonly high: number };

/** The lower the better; `baseRate` is what always saying how often each folder was seen would have got. */
type Brier = { readonly value: number; readonly baseRate: number };

type ReliabilityBin = {
  /** Of the predicted odds of spam: from, and below; the last has 1 too. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Both null where there are too few. */
  readonly predicted: number | null;
  readonly observed: number | null;
};

export type Figures = {
  readonly observations: number;
  /** All null below `needed`. */
  readonly confusion: Confusion | null;
  readonly hitRate: HitRate | null;
  /** Over all folders from 0 to 2, and of spam alone from 0 to 1. */
  readonly brier: { readonly folders: Brier; readonly spam: Brier } | null;
  readonly reliability: readonly ReliabilityBin[] | null;
};

export const needed = 20;
export const reliabilityBins = 10;
/** The quantile of the normal distribution for 95 %. */
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

/** "Rejected" foretold that no reader sees it. A message that was seen all the same was called spam by that, and no more. */
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
    // In thousandths, as odds are: 0.1 + 0.2 belongs to the bin that begins with 0.3.
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

/** Odds are in thousandths, so that sums of them and of their squares are whole millionths: in whatever order they come. */
function meanOf<T>(rows: readonly T[], of: (row: T) => number): number {
  const millionths = Math.round(rows.reduce((sum, row) => sum + of(row), 0) * 1e6);
  return millionths / 1e6 / rows.length;
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
