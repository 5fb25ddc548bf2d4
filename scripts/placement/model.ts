// Fits a model to examples: first the words, then how much the rows of weights.json count in addition. Also computes an
// example's odds under a model with the program's own code.

import { type SpamEvidence, weighSpam } from "../../src/analyzer/placement/spam.ts";
import { toBelieved, toModel, weighRaw, weighWords } from "../../src/analyzer/placement/text-model.ts";
import weights from "../../src/analyzer/placement/weights.json" with { type: "json" };
import { type Example, healthy } from "./examples.ts";
import { type Column, fitBounded } from "./logistic.ts";
import { fitText, type Packed } from "./text-fit.ts";

export type Model = {
  readonly text: Packed;
  /** For each fitted row. */
  readonly points: ReadonlyMap<string, number>;
};

const innerFolds = 3;
const rows = [...weights.faults, ...weights.policies, ...weights.shapes, ...weights.credits];
const fitted = rows.filter(({ isFitted }) => isFitted);
/** Counts like this many examples that support 0. */
const ridge = 5;
/** No row decides alone. */
const mostPoints = 1.5;

export function fitModel(examples: readonly Example[]): Model {
  const unseen = weighUnseen(examples);
  const [, slope = 1] = fitBounded(
    examples.map(({ isSpam, weight, words }, at) => ({
      values: words.isEnglish ? [1, unseen[at] ?? 0] : [0, 0],
      isSpam,
      weight,
    })),
    [free("intercept"), { ...free("text"), prior: 1, least: 0 }],
  );
  // Healthy mail is made for its words: its headers are made up.
  const mail = examples.flatMap((example, at) => (example.corpus === healthy ? [] : [{ example, at }]));
  const corpora = [...new Set(mail.map(({ example }) => example.corpus))];
  const columns: Column[] = [
    ...corpora.map(free),
    { id: "rest", prior: 1, strength: 0, least: 1, most: 1 },
    ...fitted.map(({ id, points }) => {
      const [least, most] = points < 0 ? [-mostPoints, 0] : [0, mostPoints];
      return { id, prior: 0, strength: ridge, least, most };
    }),
  ];
  const points = fitBounded(
    mail.map(({ example: { corpus, held, isSpam, weight }, at }) => {
      const counted = countedRows(held);
      const rest = [...counted].reduce((sum, [, row]) => sum + (row.isFitted ? 0 : row.points), 0);
      const text = toBelieved((unseen[at] ?? 0) * slope);
      return {
        values: [
          ...corpora.map((one) => Number(one === corpus)),
          rest + text,
          ...fitted.map(({ id }) => Number(counted.has(id))),
        ],
        isSpam,
        weight,
      };
    }),
    columns,
  ).slice(corpora.length + 1);
  const { scale, packed } = fitText(examples);
  return {
    text: { packed, scale: scale * slope },
    points: new Map(fitted.map(({ id }, at) => [id, Math.round((points[at] ?? 0) * 20) / 20])),
  };
}

/** With words that were learned from other groups. */
function weighUnseen(examples: readonly Example[]): Float64Array {
  const unseen = new Float64Array(examples.length);
  for (let fold = 0; fold < innerFolds; fold++) {
    const isOut = ({ group }: Example) => foldOf(group) === fold;
    const model = toModel(fitText(examples.filter((one) => !isOut(one))));
    examples.forEach((one, at) => {
      if (isOut(one)) unseen[at] = weighRaw(one.words, model);
    });
  }
  return unseen;
}

/** The same in every run. */
function foldOf(group: number): number {
  return Math.floor(((Math.imul(group + 1, 0x9e3779b1) >>> 0) / 2 ** 32) * innerFolds);
}

function free(id: string): Column {
  return { id, prior: 0, strength: 0, least: -20, most: 20 };
}

type Row = (typeof rows)[number];

/** Only the heaviest of those that share a cause. */
function countedRows({ faults, signed }: SpamEvidence): ReadonlyMap<string, Row> {
  const heaviest = new Map<string, Row>();
  const held = new Set([...faults.map(({ row }) => row.id), ...signed.map(({ id }) => id)]);
  for (const row of rows.filter(({ id }) => held.has(id)))
    if (Math.abs(row.points) > Math.abs(heaviest.get(row.cause)?.points ?? 0)) heaviest.set(row.cause, row);
  return new Map([...heaviest.values()].map((row) => [row.id, row]));
}

/** An example's log-odds under a model. */
export function toJudge({ text, points }: Model): (example: Example) => number {
  const model = toModel(text);
  const withPoints = <Weighted extends { readonly id: string; readonly points: number }>(row: Weighted): Weighted => ({
    ...row,
    points: points.get(row.id) ?? row.points,
  });
  return ({ held, words }) => {
    const { probability } = weighSpam({
      faults: held.faults.map(({ row, finding }) => ({ row: withPoints(row), finding })),
      signed: held.signed.map(withPoints),
      text: words.isEnglish ? { points: weighWords(words, model), unread: null } : null,
    });
    return Math.log(probability / (1 - probability));
  };
}
