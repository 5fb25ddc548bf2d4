// Packs the words of examples into the weights of the text model. Words qualify by how many senders use them: names of
// people, products and lists, and words of few senders, would memorize the corpus instead of describing spam.

import { leastSize } from "../../src/analyzer/placement/text-model.ts";
import type { Example, Spelled } from "./examples.ts";
import { fitSparse } from "./logistic.ts";

export type Packed = { readonly scale: number; readonly packed: string };

export const textTerms = { ridge: 0.03, leastGroups: 10, leastHamGroups: 20, most: 7_000 };

export function fitText(examples: readonly Example[], terms = textTerms): Packed {
  const english = examples.filter(({ words }) => words.isEnglish);
  const candidates = findCandidates(english, terms);
  const first = fitOn(english, candidates, terms);
  if (candidates.length <= terms.most) return pack(candidates, first);
  const kept = [...candidates]
    .map((key, at) => ({ key, weight: first[at] ?? 0 }))
    .sort((left, right) => Math.abs(right.weight) - Math.abs(left.weight) || left.key - right.key)
    .slice(0, terms.most)
    .map(({ key }) => key)
    .sort((left, right) => left - right);
  const weights = fitOn(english, kept, terms);
  return pack(kept, weights);
}

function fitOn(examples: readonly Example[], keys: readonly number[], terms: typeof textTerms): Float64Array {
  const columnOf = new Map(keys.map((key, at) => [key, at]));
  const rows = examples.map(({ words, isSpam, weight }) => ({
    columns: Int32Array.from([...words.tokens].flatMap((key) => columnOf.get(key) ?? [])),
    value: 1 / Math.sqrt(Math.max(leastSize, words.tokens.size)),
    isSpam,
    weight,
  }));
  return fitSparse(rows, keys.length, terms.ridge);
}

type Use = { readonly spam: Set<string>; readonly ham: Set<string>; words: readonly string[] };

function findCandidates(examples: readonly Example[], { leastGroups, leastHamGroups }: typeof textTerms): number[] {
  const uses = new Map<number, Use>();
  const cases = new Map<string, { capital: number; small: number }>();
  for (const { words, spelled, corpus, isSpam, group: one } of examples) {
    const group = `${corpus} ${one}`;
    for (const key of words.tokens) {
      const spelling = spelled.get(key);
      let use = uses.get(key);
      if (!use) {
        use = { spam: new Set(), ham: new Set(), words: spelling?.words ?? [] };
        uses.set(key, use);
      }
      use[isSpam ? "spam" : "ham"].add(group);
      if (!isSpam && spelling) countCase(spelling, cases);
    }
  }
  const names = countNames(examples);
  const isName = (word: string) => {
    const { capital, small } = cases.get(word) ?? { capital: 0, small: 0 };
    const isProper = capital >= 3 && capital > 1.5 * small;
    return isProper || (names.get(word) ?? 0) * 15 > capital + small + 1;
  };
  const nameless = new Map<string, boolean>();
  return [...uses]
    .filter(([, { spam, ham, words }]) => {
      if (spam.size + ham.size < (spam.size * 2 > ham.size ? leastGroups : leastHamGroups)) return false;
      return words.every((word) => {
        const known = nameless.get(word) ?? !isName(word);
        nameless.set(word, known);
        return known;
      });
    })
    .map(([key]) => key)
    .sort((left, right) => left - right);
}

/** How ham spells a word inside a sentence. */
function countCase(
  { words, isCapital, isInside }: Spelled,
  cases: Map<string, { capital: number; small: number }>,
): void {
  const [word, second] = words;
  if (word === undefined || second !== undefined || !isInside) return;
  const seen = cases.get(word) ?? { capital: 0, small: 0 };
  if (isCapital) seen.capital++;
  else seen.small++;
  cases.set(word, seen);
}

/** How many senders' names contain a word. */
function countNames(examples: readonly Example[]): Map<string, number> {
  const senders = new Map<string, Set<string>>();
  for (const { names, sender, isSpam } of examples) {
    if (isSpam) continue;
    for (const name of names) {
      const seen = senders.get(name) ?? new Set();
      senders.set(name, seen.add(sender));
    }
  }
  return new Map([...senders].map(([name, seen]) => [name, seen.size]));
}

function pack(keys: readonly number[], weights: Float64Array): Packed {
  const largest = keys.reduce((most, _, at) => Math.max(most, Math.abs(weights[at] ?? 0)), 1e-9);
  const scale = largest / 127;
  const bytes: number[] = [];
  keys.forEach((key, at) => {
    const weight = Math.round((weights[at] ?? 0) / scale);
    if (weight !== 0) bytes.push(key >> 16, (key >> 8) & 255, key & 255, weight & 255);
  });
  return { scale, packed: Buffer.from(bytes).toString("base64") };
}
