import { setTimeout as sleep } from "node:timers/promises";
import { processTree, readIfThere } from "./resident.ts";

/** Linux counts in hundredths of a second (proc(5)). */
const ticksPerSecond = 100;

/** The work is done once it used less than this in as long a time. */
const quiet = { ms: 700, seconds: 0.02 };

/** What all threads have used, with the processes that it started. */
export function processorSeconds(pid: number): number {
  return processTree(pid).reduce((sum, one) => sum + ticksOf(one), 0) / ticksPerSecond;
}

/** Includes its children that have ended. */
function ticksOf(pid: number): number {
  const fields = readIfThere(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

/** Asking a server costs it time, so its own time says when it may have finished. */
export async function untilQuiet(pid: number): Promise<void> {
  for (let used = 0, now = processorSeconds(pid); now - used > quiet.seconds; now = processorSeconds(pid)) {
    used = now;
    await sleep(quiet.ms);
  }
}
