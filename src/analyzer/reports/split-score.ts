// Splits a change of the score among its causes. The score is computed for every combination of causes, each taken from
// before or after. A cause's share is what it changes on average over all orders in which the causes could have come
// (its Shapley value), so the shares always add up to the whole change, and two causes that only act together get the
// same share.

/** `scoreOf` a bit mask: bit i is set if cause i is taken from after. */
export function splitAmong(causes: number, scoreOf: (mask: number) => number): number[] {
  const weights = Array.from({ length: causes }, (_, others) => weightOf(others, causes));
  return Array.from({ length: causes }, (_, cause) => {
    let share = 0;
    for (let mask = 0; mask < 1 << causes; mask++) {
      if (mask & (1 << cause)) continue;
      const gain = scoreOf(mask | (1 << cause)) - scoreOf(mask);
      share += (weights[countBits(mask)] ?? 0) * gain;
    }
    return share;
  });
}

/** Share of the orders in which exactly these other causes come first. */
function weightOf(others: number, causes: number): number {
  return (factorial(others) * factorial(causes - others - 1)) / factorial(causes);
}

function factorial(number: number): number {
  return number <= 1 ? 1 : number * factorial(number - 1);
}

function countBits(mask: number): number {
  let count = 0;
  for (let left = mask; left > 0; left >>= 1) count += left & 1;
  return count;
}

/** Whole numbers with the same sum, so that a reader can add them up: the largest remainders are rounded up. */
export function toWholeShares(shares: readonly number[], total: number): number[] {
  const floors = shares.map(Math.floor);
  const missing = total - floors.reduce((sum, share) => sum + share, 0);
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((one, other) => other.remainder - one.remainder || one.index - other.index);
  const raised = new Set(byRemainder.slice(0, Math.max(0, missing)).map(({ index }) => index));
  return floors.map((share, index) => share + (raised.has(index) ? 1 : 0));
}
