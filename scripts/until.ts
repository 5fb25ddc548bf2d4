import { setTimeout as sleep } from "node:timers/promises";

/** Looks ten times a second. Rejects if it takes too long. */
export async function until(what: string, holds: () => unknown, patienceMs = 60_000): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await holds()); await sleep(100))
    if (Date.now() > deadline) throw new Error(`${patienceMs / 1_000} s were not enough until ${what}.`);
}
