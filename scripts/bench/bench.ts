// What every benchmark prints alike: the machine, five runs with median and spread, and each limit with its verdict.
// Limits are ratios within one run wherever they can be, because the machine is never the same twice.

import { cpus, loadavg, release, totalmem } from "node:os";

export type Runs = {
  readonly name: string;
  readonly median: number;
  readonly least: number;
  readonly most: number;
};

export function printMachine(): void {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? "unknown processor"}, ${memory} GiB, ${process.platform} ${release()}`;
  console.log(`${machine}, Node ${process.version}, load ${(loadavg()[0] ?? 0).toFixed(1)}\n`);
}

/** Each run answers its figure. */
export async function fiveRuns(name: string, unit: string, run: () => Promise<number>): Promise<Runs> {
  const figures: number[] = [];
  for (let count = 0; count < 5; count++) figures.push(await run());
  return toRuns(name, unit, figures);
}

/** For figures that were taken elsewhere, several to a run. */
export function toRuns(name: string, unit: string, figures: readonly number[]): Runs {
  const sorted = [...figures].sort((left, right) => left - right);
  const [least = Number.NaN, most = Number.NaN] = [sorted[0], sorted.at(-1)];
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  console.log(
    `${name.padEnd(44)} ${shown(median).padStart(10)} ${unit}  (${shown(least)} to ${shown(most)})`,
  );
  return { name, median, least, most };
}

export function expectAtMost(name: string, figure: number, limit: number, unit: string): void {
  verdict(figure <= limit, `${name}: ${shown(figure)} ${unit}, at most ${shown(limit)}`);
}

export function expectRatio(name: string, ratio: number, least: number): void {
  verdict(ratio >= least, `${name}: ${ratio.toFixed(2)} ×, at least ${least} ×`);
}

/** NaN fails, so that a figure that could not be taken is never a pass. */
function verdict(holds: boolean, sentence: string): void {
  console.log(`${holds ? "pass" : "FAIL"}  ${sentence}`);
  if (!holds) process.exitCode = 1;
}

function shown(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString("en") : figure.toFixed(figure >= 10 ? 1 : 2);
}
