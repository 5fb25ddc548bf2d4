import { expect, test } from "vitest";
import { createDice } from "../../scripts/dice.ts";
import { seedLetters } from "../../scripts/fuzz/letters.ts";
import { mutate } from "../../scripts/fuzz/mutations.ts";
import { type FuzzedParser, fuzzedParsers, judge } from "../../scripts/fuzz/parsers.ts";

const rounds = 300;
const letters = seedLetters();

// The same every time; `npm run fuzz:mail` throws others for as long as one likes.
test.each(fuzzedParsers)(
  "whatever is sent, the $name is read without a throw and within bounds",
  (parser: FuzzedParser) => {
    const dice = createDice(42);
    for (let round = 0; round < rounds; round++) {
      const bytes = mutate(letters, dice);
      const fault = judge(parser, bytes);
      if (fault !== null)
        expect.fail(`${fault}: ${JSON.stringify(bytes.toString("latin1").slice(0, 3_000))}`);
    }
  },
);

test.each([
  ["threw Error: no", { name: "x", parse: () => raise() }],
  ["told 100000002 characters", { name: "x", parse: () => "x".repeat(100_000_000) }],
  ["told what no database keeps", { name: "x", parse: () => ["a\0"], isKept: true }],
  ["told what no database keeps", { name: "x", parse: () => ["\ud800"], isKept: true }],
  [null, { name: "x", parse: () => ["\\u0000"], isKept: true }],
])("the judge says %j", (verdict, parser: FuzzedParser) => {
  const said = judge(parser, Buffer.alloc(3));
  if (verdict === null) expect(said).toBeNull();
  else expect(said).toContain(verdict);
});

function raise(): never {
  throw new Error("no");
}
