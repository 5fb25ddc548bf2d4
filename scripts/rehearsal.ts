// Proves rehearsals with real senders: Postfix, nodemailer, msmtp, and one that does everything wrong. Takes about three
// minutes. Usage: npm run script -- scripts/rehearsal.ts (after npm run build). Without Postfix, msmtp or root it is skipped with a note.

import { builtProgram } from "./assay-process.ts";
import { proveProbes } from "./rehearsal/prove-probes.ts";
import { proveReceivers } from "./rehearsal/prove-receivers.ts";
import { openRehearsalWorld } from "./rehearsal/world.ts";

const world = await openRehearsalWorld(builtProgram);
let problems = 0;
try {
  // Clients behind a proxy may be anyone, so rehearsals must be turned on.
  await world.patchWorkspace({ rehearsal: "on", sendingVolume: "large" });
  for (const { name, receiver, predicted, replies, bounced, problem } of await proveReceivers(world)) {
    console.log(`${problem === null ? "ok  " : "FAIL"} ${receiver}: ${name}`);
    console.log(`       predicted ${predicted ?? "no rejection"}; replies: ${replies.join(" | ")}`);
    console.log(`       bounce: ${bounced ?? "none"}`);
    if (problem !== null) problems += 1;
    if (problem !== null) console.log(`       ${problem}`);
  }
  for (const { sender, probe, wanted, found, says, problem } of await proveProbes(world)) {
    console.log(`${problem === null ? "ok  " : "FAIL"} ${sender}, ${probe}: ${found.join(", ")}`);
    for (const sentence of says) console.log(`       ${sentence}`);
    if (problem !== null) problems += 1;
    if (problem !== null) console.log(`       ${problem}; wanted ${wanted.join(", ")}`);
  }
} finally {
  await world.close();
}
console.log(problems === 0 ? "All as predicted." : `${problems} problems.`);
process.exitCode = problems === 0 ? 0 : 1;
