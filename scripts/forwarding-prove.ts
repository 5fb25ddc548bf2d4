// Compares what Assay predicts for forwarded mail with what dkimpy and OpenDKIM verify after real servers have passed it
// on. Usage: node scripts/forwarding-prove.ts [--all] [--only <words in a message's name>]
// Skipped with a note if a program is missing. With --all that is a failure.

import { parseArgs } from "node:util";
import { writeLetters } from "./forwarding/letters.ts";
import { prove, type Row } from "./forwarding/prove.ts";
import { findMissing } from "./forwarding/servers.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { all: { type: "boolean", default: false }, only: { type: "string", default: "" } },
  });
  const missing = findMissing();
  if (missing.length > 0) {
    console.warn(`SKIPPED: this proof needs root and Debian's ${missing.join(", ")}.`);
    if (values.all) process.exitCode = 1;
    return;
  }
  const letters = (await writeLetters()).filter(({ name }) => name.includes(values.only));
  const rows = await prove(letters);
  report(rows, letters.length);
  if (rows.some(({ differs }) => differs !== null)) process.exitCode = 1;
}

function report(rows: readonly Row[], letters: number): void {
  for (const row of rows.filter(({ differs }) => differs !== null))
    console.log(`DIFFERS ${row.letter} / ${row.transit}: ${row.differs}`);
  for (const [transit, those] of Map.groupBy(rows, (row) => row.transit)) {
    const same = those.filter(({ differs }) => differs === null);
    const survived = same.filter(({ survives }) => survives).length;
    console.log(`${transit.padEnd(12)} ${same.length} of ${those.length} as predicted; ${survived} survived`);
  }
  const same = rows.filter(({ differs }) => differs === null).length;
  console.log(`${letters} messages: ${same} of ${rows.length} predictions were right`);
}

await main();
