// Fits a model to examples: first the words, then how much the rows of the weights count in addition. Also computes an
// example's odds under a model with the program's own code.

import { predictPlacement } from "../../src/analyzer/placement/predict.ts";
import type { Provider } from "../../src/analyzer/placement/provider.ts";
import { type SpamEvidence, weighSpam } from "../../src/analyzer/placement/spam.ts";
import { type TextModel, toBelieved, toModel, weighRaw, weighWords } from "../../src/analyzer/placement/text-model.ts";
import { credits, faults } from "../../src/analyzer/placement/weights-table.ts";
import type { Example } from "./examples.ts";
import { type Column, fitBounded } from "./logistic.ts";
import { factorBounds, priors } from "./priors-table.ts";
import { fitText, type Packed } from "./text-fit.ts";

export type Model = {
  readonly text: Packed;
  /** For each row, the factor for its prior. */
  readonly factors: Readonly<Record<string, number>>;
};

/** The fold of a group, the same in every run. */
export function foldOf(group: number, folds: number, salt = 0): number {
  const mixed = Math.imul((group + 1) ^ (salt * 0x85ebca6b), 0x9e3779b1) >>> 0;
  return Math.floor((mixed / 2 ** 32) * folds);
}

const innerFolds = 3;
const fittedRows = [...faults, ...credits].filter(({ id }) => priors[id] !== undefined);

export function fitModel(examples: readonly Example[]): Model {
  const unseen = weighUnseen(examples);
  const [, slope = 1] = fitBounded(
    examples.map(({ isSpam, weight, words }, at) => ({
      values: words.isEnglish ? [1, unseen[at] ?? 0] : [0, 0],
      isSpam,
      weight,
    })),
    [free("intercept"), { ...free("text"), prior: 1, least: 0, most: 5 }],
  );
  const columns: Column[] = [
    free("intercept"),
    { id: "text", prior: 1, strength: 0, least: 1, most: 1 },
    ...fittedRows.map(({ id }) => ({ id, prior: 1, strength: strengthOf(id), ...factorBounds })),
  ];
  const rows = examples.map(({ held, isSpam, weight }, at) => {
    const text = toBelieved((unseen[at] ?? 0) * slope);
    return { values: [1, text, ...toValues(held)], isSpam, weight };
  });
  const [, , ...factors] = fitBounded(rows, columns);
  const { scale, packed } = fitText(examples);
  return {
    text: { packed, scale: scale * slope },
    factors: Object.fromEntries(fittedRows.map(({ id }, at) => [id, factors[at] ?? 1])),
  };
}

/** With words that were learned from other groups. */
function weighUnseen(examples: readonly Example[]): Float64Array {
  const unseen = new Float64Array(examples.length);
  for (let fold = 0; fold < innerFolds; fold++) {
    const isOut = ({ group }: Example) => foldOf(group, innerFolds, 7) === fold;
    const model = toModel(fitText(examples.filter((one) => !isOut(one))));
    examples.forEach((one, at) => {
      if (isOut(one)) unseen[at] = weighRaw(one.words, model);
    });
  }
  return unseen;
}

function free(id: string): Column {
  return { id, prior: 0, strength: 0, least: -20, most: 20 };
}

/** A prior counts in points, and its factor by how much it moves them. */
function strengthOf(id: string): number {
  return (priors[id]?.strength ?? 0) * meanOf(id) ** 2;
}

function meanOf(id: string): number {
  const points = Object.values(priors[id]?.points ?? {});
  return points.reduce((sum, one) => sum + one, 0) / Math.max(1, points.length);
}

/** Only the heaviest of those that share a cause. */
function toValues(held: SpamEvidence): number[] {
  const heaviest = new Map<string, { readonly id: string; readonly value: number }>();
  const all = [...held.faults.map(({ row }) => row), ...held.signed];
  for (const { id, cause } of all) {
    const value = meanOf(id);
    if (value !== 0 && Math.abs(value) > Math.abs(heaviest.get(cause)?.value ?? 0)) heaviest.set(cause, { id, value });
  }
  const counted = new Map([...heaviest.values()].map(({ id, value }) => [id, value]));
  return fittedRows.map(({ id }) => counted.get(id) ?? 0);
}

/** Rounded to readable steps. */
export function toPoints(id: string, factor: number): Record<Provider, number> {
  const own = priors[id]?.points;
  if (!own) throw new Error(`There is no prior for ${id}.`);
  const rounded = Object.entries(own).map(([provider, prior]) => [provider, Math.round(prior * factor * 20) / 20]);
  return Object.fromEntries(rounded) as Record<Provider, number>;
}

export type Judge = (example: Example) => { readonly logOdds: number; readonly bad: number; readonly rejected: number };

/** For one provider. Rejections by a published rule don't depend on weights. */
export function toJudge({ text, factors }: Model, provider: Provider): Judge {
  const words: TextModel = toModel(text);
  const withPoints = <Row extends { readonly id: string }>(row: Row): Row =>
    factors[row.id] === undefined ? row : { ...row, points: toPoints(row.id, factors[row.id] ?? 1) };
  return ({ held, words: own, judged }) => {
    const changed: SpamEvidence = {
      faults: held.faults.map(({ row, finding }) => ({ row: withPoints(row), finding })),
      signed: held.signed.map(withPoints),
      text: weighWords(own, words),
    };
    const { probability } = weighSpam(changed, provider);
    const predicted = predictPlacement(judged).predictions.find((one) => one.provider === provider);
    const rejected = predicted?.odds.rejected ?? 0;
    const bad = 1 - (1 - probability) * (1 - rejected);
    return { logOdds: Math.log(probability / (1 - probability)), bad, rejected };
  };
}
