import { expect, test } from "vitest";
import { createDice } from "../../../scripts/dice.ts";
import { mutate } from "../../../scripts/fuzz/mutations.ts";
import { type FuzzedParser, fuzzedParsers, judge } from "../../../scripts/fuzz/parsers.ts";
import { readSeeds } from "../../../scripts/fuzz/seeds.ts";

const rounds = 30;
const seeds = readSeeds();

// The same inputs every time. scripts/fuzz-mail.ts tries others for any length of time.
test.each(fuzzedParsers)(
  "the $name parser accepts any input without throwing, within its limits",
  async (parser: FuzzedParser) => {
    const dice = createDice(42);
    for (let round = 0; round < rounds; round++) {
      const bytes = mutate(seeds[parser.reads], dice);
      const fault = await judge(parser, bytes);
      if (fault !== null) expect.fail(`${fault}: ${JSON.stringify(bytes.toString("latin1").slice(0, 3_000))}`);
    }
  },
);

test.each<[string | null, FuzzedParser]>([
  ["threw Error: no", { name: "x", reads: "letter", parse: () => raise() }],
  ["told 100000002 characters", { name: "x", reads: "letter", parse: () => "x".repeat(100_000_000) }],
  ["returned text that no database can store", { name: "x", reads: "letter", parse: () => ["a\0"], isKept: true }],
  ["returned text that no database can store", { name: "x", reads: "letter", parse: () => ["\ud800"], isKept: true }],
  [null, { name: "x", reads: "letter", parse: () => ["\\u0000"], isKept: true }],
])("the fuzz test reports %j", async (verdict, parser) => {
  const said = await judge(parser, Buffer.alloc(3));
  if (verdict === null) expect(said).toBeNull();
  else expect(said).toContain(verdict);
});

function raise(): never {
  throw new Error("no");
}
