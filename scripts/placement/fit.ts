// Fits the weights of the prediction: the words in src/analyzer/placement/text-weights.json, and the points of the rows in
// src/analyzer/placement/weights.json that are marked as fitted. Deterministic. Run biome on both files.
// Usage: npm run script -- scripts/placement/fit.ts <folder of corpora> [<folder of templates>]
// The corpora (corpora-table.ts says where they come from) are read and not kept: only numbers are written, and nothing
// from their messages. Afterwards raise `weightsVersion`, and run scripts/placement/evaluate.ts and
// test/analyzer/placement.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import weights from "../../src/analyzer/placement/weights.json" with { type: "json" };
import { corpora } from "./corpora-table.ts";
import { readHealthyMail, readMail } from "./examples.ts";
import { fitModel } from "./model.ts";

const [root, templates = null] = process.argv.slice(2);
if (root === undefined)
  throw new Error("Usage: npm run script -- scripts/placement/fit.ts <folder of corpora> [<folder of templates>]");
const examples = await readHealthyMail(templates);
for (const { folder } of corpora.filter(({ isLearned }) => isLearned)) {
  for (const example of await readMail(join(root, folder))) examples.push(example);
}
const { text, points } = fitModel(examples);

const folder = "src/analyzer/placement";
for (const row of [...weights.faults, ...weights.shapes, ...weights.credits]) {
  const fitted = points.get(row.id);
  if (fitted === undefined) continue;
  console.log(`${row.id.padEnd(24)} ${row.points} → ${fitted}`);
  row.points = fitted;
}
writeTable("weights.json", weights);
writeTable("text-weights.json", { scale: Number(text.scale.toPrecision(6)), packed: text.packed });
console.log(`${(text.packed.length * 3) / 16} words, ${text.packed.length} characters`);

function writeTable(name: string, table: object): void {
  writeFileSync(`${folder}/${name}`, JSON.stringify(table));
}
