import { removeOldRuns } from "../../store/monitors/expected.ts";
import type { Store } from "../../store/store.ts";
import type { System } from "../../system/system.ts";

/** Pages and uptime need much less. */
const keptMs = 90 * 86_400_000;
const removedAtOnce = 500;

type TidyTerms = {
  readonly store: Pick<Store, "write">;
  readonly system: Pick<System, "now">;
  readonly stopping: AbortSignal;
};

export async function tidyRuns({ store, system, stopping }: TidyTerms): Promise<void> {
  const before = system.now() - keptMs;
  for (let removed = removedAtOnce; removed === removedAtOnce; ) {
    stopping.throwIfAborted();
    removed = await store.write((db) => removeOldRuns(db, before, removedAtOnce));
  }
}
