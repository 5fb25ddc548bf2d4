import { setTimeout as sleep } from "node:timers/promises";

/** Rejects if it takes too long. */
export async function until(what: string, holds: () => unknown, patienceMs = 60_000, everyMs = 100): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await holds()); await sleep(everyMs))
    if (Date.now() > deadline) throw new Error(`${patienceMs / 1_000} s were not enough until ${what}.`);
}
