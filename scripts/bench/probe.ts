// Measures how long a sender waits for its 250 while others send: a light second load over one connection, with
// messages small enough that their own transfer takes no time. Measured from the end of DATA to the reply.

import { setTimeout as sleep } from "node:timers/promises";
import { type Mail, openSession } from "../smtp-client.ts";

const pauseMs = 10;

export async function probeWhile(port: number, mail: Mail, work: Promise<unknown>): Promise<number[]> {
  const session = await openSession({ host: "127.0.0.1", port });
  const waitsMs: number[] = [];
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    const refusal = await session.begin(mail);
    const began = performance.now();
    const reply = refusal ?? (await session.finish(mail));
    if (!reply.startsWith("250")) throw new Error(`The server answered the probe: ${reply}`);
    waitsMs.push(performance.now() - began);
    await sleep(pauseMs);
  }
  session.close();
  return waitsMs;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
