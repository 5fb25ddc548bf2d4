// Feeds random messages, pages, records and packets to every parser of strangers' data. None may throw, hang, produce
// unbounded output, or return text that no database can store. An input that fails is written to a file, so that it can
// be repeated.
// Usage: npm run script -- scripts/fuzz-mail.ts [--seconds 60] [--seed N]

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDice } from "./dice.ts";
import { mutate } from "./fuzz/mutations.ts";
import { type FuzzedParser, fuzzedParsers, judge } from "./fuzz/parsers.ts";
import { readSeeds, seedKinds } from "./fuzz/seeds.ts";
import { toMegabytes } from "./fuzz/server.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
  console.log(`seed ${seed}, ${seconds} s, ${fuzzedParsers.length} parsers`);
  const [seeds, dice] = [readSeeds(), createDice(seed)];
  const figures = { thrown: 0, bytes: 0 };
  for (const until = Date.now() + seconds * 1_000; Date.now() < until; ) {
    for (const kind of seedKinds) {
      const bytes = mutate(seeds[kind], dice);
      figures.thrown++;
      figures.bytes += bytes.length;
      for (const parser of fuzzedParsers) if (parser.reads === kind) await check(parser, bytes);
    }
  }
  const peakBytes = process.resourceUsage().maxRSS * 1_024;
  console.log(
    `pass  ${figures.thrown} inputs, ${toMegabytes(figures.bytes)} MB; memory ${toMegabytes(peakBytes)} MB at most`,
  );
}

async function check(parser: FuzzedParser, bytes: Uint8Array): Promise<void> {
  const fault = await judge(parser, bytes);
  if (fault === null) return;
  const file = join(tmpdir(), "assay-fuzz-mail.eml");
  writeFileSync(file, bytes);
  throw new Error(`The parser "${parser.name}" ${fault}; its input is ${file}`);
}

await main();
