// Measures how well the prediction does on mail that it never saw: each corpus is judged by weights that were fitted on
// other corpora, without a network. Writes the table of the handbook, src/analyzer/placement/measured.json.
// Usage: npm run script -- scripts/placement/evaluate.ts <folder of corpora> [<folder of templates>]

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { corpora } from "./corpora-table.ts";
import { type Example, readHealthyMail, readMail } from "./examples.ts";
import { toAuc, toRecall } from "./figures.ts";
import { fitModel, type Model, toJudge } from "./model.ts";

const [root, templates = null] = process.argv.slice(2);
if (root === undefined)
  throw new Error("Usage: npm run script -- scripts/placement/evaluate.ts <folder of corpora> [<folder of templates>]");
const healthy = await readHealthyMail(templates);
const learned = new Map<string, Example[]>();
for (const { folder, isLearned } of corpora) if (isLearned) learned.set(folder, await readMail(join(root, folder)));

const models = new Map<string, Model>();
const rows = [];
for (const { folder, name, language, years } of corpora) {
  const teachers = corpora.filter((one) => one.isLearned && one.folder !== folder);
  const from = teachers.map((one) => one.name).join(" and ");
  const model = models.get(from) ?? fitModel([...healthy, ...teachers.flatMap((one) => learned.get(one.folder) ?? [])]);
  models.set(from, model);
  const judge = toJudge(model);
  const scored = (learned.get(folder) ?? (await readMail(join(root, folder)))).map((example) => ({
    score: judge(example),
    isSpam: example.isSpam,
  }));
  const [ham, spam] = [scored.filter(({ isSpam }) => !isSpam), scored.filter(({ isSpam }) => isSpam)];
  const isBoth = ham.length > 0 && spam.length > 0;
  const row = {
    name,
    language,
    years,
    from,
    ham: ham.length,
    spam: spam.length,
    auc: isBoth ? round(toAuc(scored)) : null,
    recall: isBoth ? Number(toRecall(scored, 0.01).toFixed(2)) : null,
    hamInSpam: shareInSpam(ham),
    spamInSpam: shareInSpam(spam),
  };
  rows.push(row);
  console.log(JSON.stringify(row));
}
for (const [from, model] of models) {
  const judge = toJudge(model);
  console.log(`Healthy mail in spam, from ${from}: ${shareInSpam(healthy.map((one) => ({ score: judge(one) })))}`);
}

writeFileSync("src/analyzer/placement/measured.json", `${JSON.stringify(rows, null, 2)}\n`);

/** Null without messages. */
function shareInSpam(scored: readonly { readonly score: number }[]): number | null {
  return scored.length === 0 ? null : round(scored.filter(({ score }) => score > 0).length / scored.length);
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
