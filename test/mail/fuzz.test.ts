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
