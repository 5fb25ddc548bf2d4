// How many messages a running Assay has accepted and not analyzed yet, from its metrics.

import { until } from "./until.ts";

export async function readBacklog(http: string): Promise<number> {
  const text = await (await fetch(`${http}/metrics`)).text();
  const [, count] = /^assay_backlog_messages (\d+)/m.exec(text) ?? [];
  if (count === undefined) throw new Error("/metrics does not show the backlog.");
  return Number(count);
}

export async function untilAnalysed(http: string, patienceMs: number): Promise<void> {
  await until("all messages are analyzed", async () => (await readBacklog(http)) === 0, patienceMs);
}
