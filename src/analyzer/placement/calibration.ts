// How often predictions were right, measured by what seed mailboxes showed for the same messages. Predictions count as
// they were made, with the weights of that day.

/** The observed share, with its 95% confidence interval (Wilson score). */
type HitRate = { readonly value: number; readonly low: number; readonly high: number };

/** A rate of fewer observations would be random. */
export const needed = 20;
/** The quantile of the normal distribution for 95%. */
const z = 1.959964;

export function toHitRate(hits: number, total: number): HitRate | null {
  if (total < needed) return null;
  const share = hits / total;
  const stretch = 1 + z ** 2 / total;
  const middle = (share + z ** 2 / (2 * total)) / stretch;
  const half = (z / stretch) * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  return { value: round(share), low: round(Math.max(0, middle - half)), high: round(Math.min(1, middle + half)) };
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
