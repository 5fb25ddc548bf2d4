// How many messages a running Assay has accepted and not analyzed yet, from its metrics.

import { setTimeout as sleep } from "node:timers/promises";

export async function readBacklog(http: string): Promise<number> {
  const text = await (await fetch(`${http}/metrics`)).text();
  const [, count] = /^assay_backlog_messages (\d+)/m.exec(text) ?? [];
  if (count === undefined) throw new Error("/metrics does not show the backlog.");
  return Number(count);
}

export async function untilAnalysed(http: string, patienceMs: number): Promise<void> {
  for (const deadline = Date.now() + patienceMs; (await readBacklog(http)) > 0; await sleep(100))
    if (Date.now() > deadline)
      throw new Error(`Not analyzed within ${patienceMs / 1_000} s: ${await readBacklog(http)} messages.`);
}
