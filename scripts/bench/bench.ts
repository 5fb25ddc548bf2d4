// Shared by all benchmarks: prints the machine, runs each case five times in turn, so that noise affects all equally,
// prints median and spread, and fails if a required ratio is missed. Ratios, because absolute figures depend on the
// machine.

import { cpus, loadavg, totalmem } from "node:os";

export type Figure = { readonly name: string; readonly median: number; readonly runs: readonly number[] };

const runsPerCase = 5;

export const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;

export function printMachine(): void {
  print(`${machine}, load ${format(loadavg()[0] ?? 0)}`);
}

/** Each case returns one figure for each run. Before several, one warms up and doesn't count. */
export async function measure(
  unit: string,
  cases: Readonly<Record<string, () => Promise<number>>>,
  countOfRuns = runsPerCase,
): Promise<Figure[]> {
  const figures = Object.entries(cases).map(([name, run]) => ({ name, run, runs: [] as number[] }));
  const warmUps = countOfRuns > 1 ? 1 : 0;
  for (let round = 0; round < warmUps + countOfRuns; round++) {
    for (const { run, runs } of figures) {
      const figure = await run();
      if (round >= warmUps) runs.push(figure);
    }
  }
  return figures.map(({ name, runs }) => toFigure(name, unit, runs));
}

/** Prints median and spread of the measurements. */
export function toFigure(name: string, unit: string, runs: readonly number[]): Figure {
  const sorted = runs.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const spread = ((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)) / median;
  print(
    `${name.padEnd(36)} ${format(median).padStart(10)} ${unit}   ±${format(spread * 50)} %   [${runs.map(format).join(" ")}]`,
  );
  return { name, median, runs };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Prints the ratio of two medians. Below `atLeast`, if given, the process will exit with 1. */
export function ratio(name: string, a: Figure, b: Figure, atLeast?: number): void {
  const value = a.median / b.median;
  const missed = atLeast !== undefined && !(value >= atLeast);
  const stated = atLeast === undefined ? "" : ` (at least ${atLeast}${missed ? ": MISSED" : ""})`;
  print(`${name}: ${value.toFixed(2)} times${stated}`);
  if (missed) process.exitCode = 1;
}

/** Like `ratio`, but fails above `limit`. */
export function ratioAtMost(name: string, a: Figure, b: Figure, limit?: number): void {
  const value = a.median / b.median;
  const missed = limit !== undefined && !(value <= limit);
  const stated = limit === undefined ? "" : ` (at most ${limit}${missed ? ": MISSED" : ""})`;
  print(`${name}: ${value.toFixed(2)} times${stated}`);
  if (missed) process.exitCode = 1;
}

/** An absolute limit that the contract names. NaN fails it. */
export function atMost({ name, median }: Figure, limit: number, unit: string): void {
  const missed = !(median <= limit);
  print(`${name}: ${format(median)} ${unit} (at most ${limit}${missed ? ": MISSED" : ""})`);
  if (missed) process.exitCode = 1;
}

export function format(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString("en") : figure.toPrecision(3);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export type Work = () => Promise<unknown>;

const msPerRun = 400;

/** Milliseconds for one piece of work, repeated for a while. */
export async function runFor(work: Work): Promise<{ cpu: number; wall: number }> {
  const [began, used] = [performance.now(), process.cpuUsage()];
  let count = 0;
  do {
    await work();
    count++;
  } while (performance.now() - began < msPerRun);
  const { user, system } = process.cpuUsage(used);
  return { cpu: (user + system) / 1_000 / count, wall: (performance.now() - began) / count };
}
