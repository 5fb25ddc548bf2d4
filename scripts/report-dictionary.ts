// Writes the next src/features/tests/rows/report-dictionary-<number>.json: what reports have in common, so that each is
// stored in a fraction of its size. It is made from the reports of the test messages and the fixture domains. Stored reports
// need the dictionary they were written with, so an earlier one never changes. Make the next one when the sentences of
// reports have changed a lot, and add it in src/features/tests/rows/reports.ts.
// Usage: npm run script -- scripts/report-dictionary.ts

import { existsSync, writeFileSync } from "node:fs";
import { constants, zstdCompressSync } from "node:zlib";
import { analyzeMessage } from "../src/analyzer/analyze-message.ts";
import { createZoneDns } from "../src/analyzer/dns/zone.ts";
import { checkFixture, domainFixtures } from "../test/analyzer/domain-cases/fixtures-table.ts";
import { ordinaryMessages } from "../test/analyzer/mail/ordinary-messages.ts";
import { bases, fixtures, letterOf } from "../test/fixtures/messages/fixture.ts";
import { analystWith, analyze, inputOf } from "../test/fixtures/messages/run.ts";

/** Covers what reports of any kind share. Twice the size saves another tenth. */
const dictionaryBytes = 65_536;
const pieceBytes = 1_024;
/** Shared text is searched in runs of this many bytes. */
const runBytes = 8;

const toTarget = (number: number) =>
  new URL(`../src/features/tests/rows/report-dictionary-${number}.json`, import.meta.url);

/** Otherwise the variants of a few messages would outweigh all other mail. */
const everyFixture = 4;

async function main(): Promise<void> {
  let number = 1;
  while (existsSync(toTarget(number))) number += 1;
  const dictionary = gatherPieces(await gatherReports());
  const params = { [constants.ZSTD_c_compressionLevel]: 19 };
  const packed = zstdCompressSync(dictionary, { params }).toString("base64");
  writeFileSync(toTarget(number), `${JSON.stringify(packed)}\n`);
  console.log(`${dictionary.length} bytes, packed ${packed.length}`);
}

async function gatherReports(): Promise<Buffer[]> {
  const letters = [...Object.values(bases), ...fixtures.filter((_, index) => index % everyFixture === 0).map(letterOf)];
  const analyst = analystWith(createZoneDns({}));
  const base = inputOf(bases.T);
  const reports: unknown[] = [];
  for (const letter of letters) reports.push(await analyze(letter));
  for (const { message } of ordinaryMessages(60)) {
    const { report } = await analyzeMessage({ ...base, raw: Buffer.from(message) }, analyst);
    if (report !== null) reports.push(report);
  }
  for (const fixture of domainFixtures.filter((_, index) => index % everyFixture === 0))
    reports.push(await checkFixture(fixture));
  return reports.map((report) => Buffer.from(JSON.stringify(report)));
}

/** The pieces whose runs most reports have, the most common last, where they are cheapest to refer to. */
function gatherPieces(reports: readonly Buffer[]): Buffer {
  const numbers = new Map<string, number>();
  const holders: number[] = [];
  const runs = reports.map((report) => {
    const own = new Int32Array(Math.max(0, report.length - runBytes + 1));
    for (let at = 0; at < own.length; at++) {
      const run = report.toString("latin1", at, at + runBytes);
      const number = numbers.get(run) ?? numbers.size;
      numbers.set(run, number);
      own[at] = number;
    }
    for (const number of new Set(own)) holders[number] = (holders[number] ?? 0) + 1;
    return own;
  });
  /** Content of a single report gains nothing, nor does content that was already taken. */
  const worth = Int32Array.from(holders, (count) => (count > 1 ? count : 0));
  const pieces: Buffer[] = [];
  while (pieces.length * pieceBytes < dictionaryBytes) {
    const best = findBestPiece(runs, worth);
    if (best === null) break;
    pieces.unshift(reports[best.report]?.subarray(best.at, best.at + pieceBytes) ?? Buffer.alloc(0));
    for (const run of runs[best.report]?.subarray(best.at, best.at + runsOfPiece) ?? []) worth[run] = 0;
  }
  return Buffer.concat(pieces);
}

const runsOfPiece = pieceBytes - runBytes + 1;

type Piece = { readonly report: number; readonly at: number; readonly worth: number };

function findBestPiece(runs: readonly Int32Array[], worth: Int32Array): Piece | null {
  let best: Piece | null = null;
  for (const [report, own] of runs.entries()) {
    const found = findBestIn(own, worth);
    if (found.worth > (best?.worth ?? 0)) best = { report, ...found };
  }
  return best;
}

/** A run that occurs twice within the piece counts once. */
function findBestIn(own: Int32Array, worth: Int32Array): Omit<Piece, "report"> {
  const times = new Map<number, number>();
  let best = { at: 0, worth: 0 };
  let sum = 0;
  const add = (run: number, change: 1 | -1) => {
    const before = times.get(run) ?? 0;
    times.set(run, before + change);
    if (before + (change - 1) / 2 === 0) sum += change * (worth[run] ?? 0);
  };
  for (const [end, entering] of own.entries()) {
    add(entering, 1);
    const leaving = own[end - runsOfPiece];
    if (leaving !== undefined) add(leaving, -1);
    if (end >= runsOfPiece - 1 && sum > best.worth) best = { at: end - runsOfPiece + 1, worth: sum };
  }
  return best;
}

await main();
