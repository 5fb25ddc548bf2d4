// Messages thrown by dice at every parser that reads what strangers write: none throws, loops, tells without bound, or
// tells what no database keeps. What one stumbles over is written to a file, so that it can be met again.
// Usage: node scripts/fuzz-mail.ts [--seconds 60] [--seed N]

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDice } from "./dice.ts";
import { seedLetters } from "./fuzz/letters.ts";
import { mutate } from "./fuzz/mutations.ts";
import { type FuzzedParser, fuzzedParsers, judge } from "./fuzz/parsers.ts";

function main(): void {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
  console.log(`seed ${seed}, ${seconds} s, ${fuzzedParsers.length} parsers`);
  const [letters, dice] = [seedLetters(), createDice(seed)];
  const figures = { messages: 0, bytes: 0 };
  for (const until = Date.now() + seconds * 1_000; Date.now() < until; figures.messages++) {
    const bytes = mutate(letters, dice);
    figures.bytes += bytes.length;
    for (const parser of fuzzedParsers) check(parser, bytes);
  }
  const peakBytes = process.resourceUsage().maxRSS * 1_024;
  console.log(
    `pass  ${figures.messages} messages, ${toMegabytes(figures.bytes)} MB; memory ${toMegabytes(peakBytes)} MB at most`,
  );
}

function check(parser: FuzzedParser, bytes: Uint8Array): void {
  const fault = judge(parser, bytes);
  if (fault === null) return;
  const file = join(tmpdir(), "assay-fuzz-mail.eml");
  writeFileSync(file, bytes);
  throw new Error(`The parser "${parser.name}" ${fault}; its input is ${file}`);
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

main();
