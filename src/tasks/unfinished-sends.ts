// What becomes of the rows of sends without anybody asking.

import { beginningAt } from "../ids.ts";
import { failUnfinishedSends, removeSendsBefore } from "../store/sends.ts";
import type { Store } from "../store/store.ts";
import { endedMeanwhile, longestSendMs } from "./send-test.ts";

const dayMs = 86_400_000;

/** At start and now and then: those of a process that is gone. `isAlone`: no other can be at work on one. */
export async function endUnfinishedSends(
  store: Pick<Store, "write">,
  now: number,
  isAlone: boolean,
): Promise<void> {
  const begunBy = isAlone ? now : now - longestSendMs;
  await store.write((db) => failUnfinishedSends(db, { begunBy, problem: endedMeanwhile, now }));
}

/** With the tests that came of them; 0 days: never. */
export async function forgetOldSends(
  store: Pick<Store, "write">,
  now: number,
  retentionDays: number,
): Promise<void> {
  if (retentionDays === 0) return;
  const before = beginningAt("send", now - retentionDays * dayMs);
  await store.write((db) => removeSendsBefore(db, before));
}
