// Compares with an independent evaluator that tries every client of a small address space.

import { expect, test } from "vitest";
import { toSpfMeaning } from "../../../src/analyzer/domains/spf-meaning.ts";
import { createRandom, type Random } from "./random.ts";

const clients = Array.from({ length: 32 }, (_, low) => `10.0.0.${low}`);
const lastOf = (address: string) => Number(address.split(".")[3]);

/** What an include or a host matches is anybody's guess: here each by a rule of its own. */
const opaque: Readonly<Record<string, (low: number) => boolean>> = {
  "include:one.test": (low) => low % 3 === 0,
  "include:two.test": (low) => low % 5 === 1,
  a: (low) => low === 7,
  "mx:b.test": (low) => low > 28,
};
const networks = [24, 27, 28, 29, 30, 31, 32].flatMap((length) =>
  [0, 5, 8, 16, 23].map((low) => `ip4:10.0.0.${low}/${length}`),
);
const signs = ["", "+", "-", "~", "?"];
const ends = ["-all", "~all", "?all", "+all", "all", ""];

function matches(mechanism: string, client: string): boolean {
  if (mechanism === "all") return true;
  const rule = opaque[mechanism];
  if (rule) return rule(lastOf(client));
  const [address = "", length] = mechanism.slice("ip4:".length).split("/");
  const size = 2 ** (32 - Number(length));
  return Math.floor(lastOf(address) / size) === Math.floor(lastOf(client) / size);
}

/** RFC 7208 §4.6.2, §4.7. */
function judge(terms: readonly string[], client: string): string {
  for (const term of terms) {
    const [, sign = "", mechanism = ""] = /^([-+~?]?)(.*)$/.exec(term) ?? [];
    if (matches(mechanism, client)) return sign || "+";
  }
  return "?";
}

function judgeAll(terms: readonly string[]): string {
  return clients.map((client) => judge(terms, client)).join("");
}

const toMeaning = (terms: readonly string[]) =>
  JSON.stringify(toSpfMeaning([["v=spf1", ...terms].join(" ").trim()], "a.example"));

function writeRecord({ pick, next }: Random): string[] {
  const count = Math.floor(next() * 7);
  const mechanisms = [...Object.keys(opaque), ...networks];
  const terms = Array.from({ length: count }, () => `${pick(signs)}${pick(mechanisms)}`);
  return [...terms, pick(ends)].filter(Boolean);
}

test("records with the same meaning treat every client alike", () => {
  const random = createRandom(1);
  const judgements = new Map<string, string>();
  for (let round = 0; round < 10_000; round++) {
    const terms = writeRecord(random);
    const meaning = toMeaning(terms);
    const judgement = judgeAll(terms);
    expect(judgements.get(meaning) ?? judgement, terms.join(" ")).toBe(judgement);
    judgements.set(meaning, judgement);
  }
  expect(judgements.size).toBeGreaterThan(2_500);
});

test("reordering terms with the same qualifier keeps the meaning", () => {
  const random = createRandom(2);
  for (let round = 0; round < 3_000; round++) {
    const terms = writeRecord(random);
    const runs: string[][] = [];
    const signOf = (term: string) => judge([term.replace(/[^-+~?].*$/, "all")], "10.0.0.0");
    for (const term of terms) {
      const run = runs.at(-1);
      if (run && signOf(run[0] ?? "") === signOf(term) && !/all$/.test(run.at(-1) ?? "")) run.push(term);
      else runs.push([term]);
    }
    // What stands behind "all" is dead, and must not come before it.
    const mixed = runs.flatMap((run) => (run.some((term) => /all$/.test(term)) ? run : random.shuffle(run)));
    expect(toMeaning(mixed), `${terms.join(" ")} / ${mixed.join(" ")}`).toBe(toMeaning(terms));
  }
});

test("disjoint networks may be reordered regardless of their qualifiers", () => {
  expect(toMeaning(["ip4:10.0.0.0/28", "-ip4:10.0.0.16/28", "~all"])).toBe(
    toMeaning(["-ip4:10.0.0.16/28", "ip4:10.0.0.0/28", "~all"]),
  );
  expect(toMeaning(["ip4:10.0.0.0/27", "-ip4:10.0.0.16/28", "~all"])).not.toBe(
    toMeaning(["-ip4:10.0.0.16/28", "ip4:10.0.0.0/27", "~all"]),
  );
});

test("a record of a thousand terms is parsed quickly", () => {
  const terms = Array.from({ length: 800 }, (_, index) => `${index % 2 ? "-" : ""}a/${(index % 32) + 1}`);
  expect(toMeaning(terms)).toContain("read");
});
