// Proves canaries with a real Postfix as the relay and two Assay processes on one PostgreSQL: each canary is sent once; a
// stopped relay, a message on hold, and a bounce are each reported once, and so is the recovery. Takes about three
// minutes. Usage: npm run script -- scripts/canaries.ts (after npm run build). Needs Postfix, PostgreSQL and root; skipped with a note
// without them.

import { existsSync } from "node:fs";
import { builtProgram } from "./assay-process.ts";
import { proveCanaries } from "./canaries/prove.ts";
import { postfixProgram } from "./postfix-files.ts";

if (!existsSync(postfixProgram) || process.getuid?.() !== 0) console.warn("SKIPPED: needs Debian's postfix and root.");
else {
  const results = await proveCanaries(builtProgram);
  for (const { name, says, problem } of results) {
    console.log(`${problem === null ? "ok  " : "FAIL"} ${name}`);
    for (const sentence of says) console.log(`       ${sentence}`);
    if (problem !== null) console.log(`       ${problem}`);
  }
  const problems = results.filter(({ problem }) => problem !== null).length;
  console.log(problems === 0 ? "All as expected." : `${problems} problems.`);
  process.exitCode = problems === 0 ? 0 : 1;
}
