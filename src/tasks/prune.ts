// Retention by age: the oldest tests go in small steps, so that no write waits long behind a deletion.

import type { Store } from "../store/store.ts";
import { removeTestsBefore } from "../store/tests.ts";
import type { System } from "../system/system.ts";

const testsPerStep = 200;
const dayMs = 86_400_000;

export async function pruneTests({
  store,
  system,
  retentionDays,
}: {
  store: Store;
  system: Pick<System, "now">;
  retentionDays: number;
}): Promise<number> {
  if (retentionDays === 0) return 0;
  const before = system.now() - retentionDays * dayMs;
  let removed = 0;
  for (;;) {
    const step = await store.write((db) => removeTestsBefore(db, { before, limit: testsPerStep }));
    removed += step;
    if (step < testsPerStep) return removed;
  }
}
