// Logistic regressions: a sparse one over very many tokens (L-BFGS), and one over few columns with bounded weights and
// a prior (Newton's steps, one weight at a time). Both give the same weights in every run.

/** One example: its columns, each with the value `value`. */
export type Sparse = {
  readonly columns: Int32Array;
  readonly value: number;
  readonly isSpam: boolean;
  readonly weight: number;
};

/** The last weight is the intercept, which isn't regularized. */
export function fitSparse(examples: readonly Sparse[], width: number, ridge: number, rounds = 60): Float64Array {
  const evaluate = (weights: Float64Array, slope: Float64Array): number => {
    slope.fill(0);
    let loss = 0;
    for (const example of examples) loss += pull(example, weights, slope);
    for (let at = 0; at < width; at++) {
      const one = weights[at] ?? 0;
      loss += (ridge / 2) * one * one;
      slope[at] = (slope[at] ?? 0) + ridge * one;
    }
    return loss;
  };
  return minimize(new Float64Array(width + 1), evaluate, rounds);
}

/** Adds an example's gradient and returns its loss. */
function pull({ columns, value, isSpam, weight }: Sparse, weights: Float64Array, slope: Float64Array): number {
  const intercept = weights.length - 1;
  let sum = weights[intercept] ?? 0;
  for (const column of columns) sum += (weights[column] ?? 0) * value;
  const off = weight * (1 / (1 + Math.exp(-sum)) - Number(isSpam));
  for (const column of columns) slope[column] = (slope[column] ?? 0) + off * value;
  slope[intercept] = (slope[intercept] ?? 0) + off;
  const signed = isSpam ? sum : -sum;
  return weight * (Math.max(0, -signed) + Math.log1p(Math.exp(-Math.abs(signed))));
}

const memory = 8;

function minimize(
  start: Float64Array,
  evaluate: (weights: Float64Array, slope: Float64Array) => number,
  rounds: number,
): Float64Array {
  let weights = start;
  let slope = new Float64Array(start.length);
  let loss = evaluate(weights, slope);
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    const way = toWay(slope, pairs);
    const fall = dot(way, slope);
    let stride = pairs.length === 0 ? 1 / Math.max(1, Math.sqrt(dot(slope, slope))) : 1;
    let next = weights;
    const nextSlope = new Float64Array(start.length);
    let nextLoss = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 30; tries++, stride /= 2) {
      next = weights.map((one, at) => one + stride * (way[at] ?? 0));
      nextLoss = evaluate(next, nextSlope);
      if (nextLoss <= loss + 1e-4 * stride * fall) break;
    }
    if (!(nextLoss < loss)) break;
    remember(pairs, minus(next, weights), minus(nextSlope, slope));
    const isDone = loss - nextLoss < 1e-7 * Math.abs(loss);
    [weights, slope, loss] = [next, nextSlope, nextLoss];
    if (isDone) break;
  }
  return weights;
}

type Pair = { readonly step: Float64Array; readonly turn: Float64Array; readonly rho: number };

function remember(pairs: Pair[], step: Float64Array, turn: Float64Array): void {
  const bend = dot(step, turn);
  if (bend > 1e-12) pairs.push({ step, turn, rho: 1 / bend });
  if (pairs.length > memory) pairs.shift();
}

function minus(left: Float64Array, right: Float64Array): Float64Array {
  return left.map((one, at) => one - (right[at] ?? 0));
}

function toWay(slope: Float64Array, pairs: readonly Pair[]): Float64Array {
  const way = slope.map((one) => -one);
  const shares: number[] = [];
  for (const { step, turn, rho } of [...pairs].reverse()) {
    const share = rho * dot(step, way);
    shares.push(share);
    addTo(way, turn, -share);
  }
  const last = pairs.at(-1);
  if (last) {
    const size = 1 / (last.rho * dot(last.turn, last.turn));
    for (let at = 0; at < way.length; at++) way[at] = (way[at] ?? 0) * size;
  }
  for (const { step, turn, rho } of pairs) {
    const share = shares.pop() ?? 0;
    addTo(way, step, share - rho * dot(turn, way));
  }
  return way;
}

function addTo(target: Float64Array, other: Float64Array, times: number): void {
  for (let at = 0; at < target.length; at++) target[at] = (target[at] ?? 0) + times * (other[at] ?? 0);
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return sum;
}

export type Column = {
  readonly id: string;
  readonly prior: number;
  /** Counts like this many examples that support the prior. */
  readonly strength: number;
  readonly least: number;
  readonly most: number;
};

export type Dense = { readonly values: readonly number[]; readonly isSpam: boolean; readonly weight: number };

const sweeps = 60;

export function fitBounded(examples: readonly Dense[], columns: readonly Column[]): number[] {
  const weights = columns.map(({ prior }) => prior);
  const sums = examples.map(({ values }) => values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0));
  for (let sweep = 0; sweep < sweeps; sweep++) {
    columns.forEach(({ prior, strength, least, most }, at) => {
      const now = weights[at] ?? 0;
      let slope = strength * (now - prior);
      let bend = strength + 1e-9;
      examples.forEach(({ values, isSpam, weight }, row) => {
        const value = values[at] ?? 0;
        if (value === 0) return;
        const share = 1 / (1 + Math.exp(-(sums[row] ?? 0)));
        slope += weight * value * (share - Number(isSpam));
        bend += weight * value * value * share * (1 - share);
      });
      const next = Math.min(most, Math.max(least, now - Math.max(-1, Math.min(1, slope / bend))));
      examples.forEach(({ values }, row) => {
        const value = values[at] ?? 0;
        if (value !== 0) sums[row] = (sums[row] ?? 0) + value * (next - now);
      });
      weights[at] = next;
    });
  }
  return weights;
}
