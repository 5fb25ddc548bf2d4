// Whether a share or a count is higher than usual, or only looks so. Daily figures vary more than coin flips do (a
// campaign on Tuesday, forwarded mail on Wednesday), so the variation is taken from the days before.

export type Share = { readonly count: number; readonly total: number };

/** Standard deviations between two shares, with the variation of the usual days. Positive: the first one is higher. */
export function compareShares(now: Share, usual: Share, usualDays: readonly Share[]): number {
  if (now.total === 0 || usual.total === 0) return 0;
  const pooled = (now.count + usual.count) / (now.total + usual.total);
  const variance = pooled * (1 - pooled) * (1 / now.total + 1 / usual.total);
  if (variance === 0) return 0;
  const difference = now.count / now.total - usual.count / usual.total;
  return difference / Math.sqrt(variance * toDispersion(usual, usualDays));
}

/** Pearson's chi-squared over its degrees of freedom, and never less than chance alone would give. */
function toDispersion({ count, total }: Share, days: readonly Share[]): number {
  // A day may have no failure at all, which must not make the variation zero.
  const share = (count + 0.5) / (total + 1);
  const used = days.filter((day) => day.total > 0);
  if (used.length < 2) return 1;
  const sum = used.reduce((chi, day) => {
    const expected = day.total * share;
    return chi + (day.count - expected) ** 2 / (expected * (1 - share));
  }, 0);
  return Math.max(1, sum / (used.length - 1));
}

/** The probability of at least `count` events where `expected` is the mean (Poisson). */
export function chanceOfAtLeast(count: number, expected: number): number {
  if (count <= 0) return 1;
  if (expected <= 0) return 0;
  // Above this, the normal approximation is exact enough, and the sum would underflow.
  if (expected > 500) return count > expected + 6 * Math.sqrt(expected) ? 0 : 1;
  let term = Math.exp(-expected);
  let below = term;
  for (let number = 1; number < Math.min(count, 10_000); number++) {
    term *= expected / number;
    below += term;
  }
  return Math.max(0, 1 - below);
}
