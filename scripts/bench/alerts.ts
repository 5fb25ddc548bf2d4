// Checks that one slow endpoint never delays another: prints what each of eight receivers got and when.
// Usage: npm run script -- scripts/bench/alerts.ts

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTrial, toTable } from "../alert-trial.ts";
import { builtProgram } from "../assay-process.ts";

const dataDir = mkdtempSync(join(tmpdir(), "assay-alerts-"));
const trial = await runTrial({ command: builtProgram, dataDir });
rmSync(dataDir, { recursive: true });
console.log(toTable(trial));
if (trial.hangingWhenDone > 1) throw new Error("The working receiver waited for the hanging one.");
