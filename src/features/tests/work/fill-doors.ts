// Fills in how tests came in that were analyzed before the row had it. A little at a time, because each one reads its
// message, and mail must not wait for it.

import { readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import { type ServeRow, serveTogether } from "../../../platform/work/serve-row.ts";
import { fillDoors, listWithoutDoor } from "../rows/doors.ts";

const dayMs = 86_400_000;
/** In one transaction: about 20 milliseconds. */
const atOnce = 250;
/** In one run, of which there is one a minute until all are filled in. */
const batches = 20;
/** The mark instead of the test that was reached. */
const [top, done] = ["", "done"];

export function createDoorChore(store: Pick<Store, "read" | "readInWorker" | "write">): Chore {
  const readReached = async () => (await readMeta(store.read, "test_doors")) ?? top;
  let hasMore = true;
  /** In this pass. */
  let filledIn = 0;

  /** Ends with a whole pass in which all were filled in. Returns whether to go on now: not after a pass that filled in none. */
  async function fillSome(serve: ServeRow): Promise<boolean> {
    const reached = await readReached();
    if (reached === done) return false;
    const ids = await listWithoutDoor(store.readInWorker, reached, atOnce);
    const filled = await serveTogether(serve, ids, (some) => store.write((db) => fillDoors(db, some)));
    const isEnd = ids.length < atOnce;
    const isOver = isEnd && reached === top && filled.length === ids.length;
    const next = isOver ? done : isEnd ? top : (ids.at(-1) ?? top);
    await store.write((db) => writeMeta(db, "test_doors", next));
    filledIn += filled.length;
    if (!isEnd) return true;
    const isWorthAnother = reached !== top && filledIn > 0;
    filledIn = 0;
    return isWorthAnother;
  }

  return {
    id: "test-doors",
    everyMs: dayMs,
    run: async (stopping, serve) => {
      hasMore = true;
      for (let batch = 0; hasMore && batch < batches; batch++) {
        stopping.throwIfAborted();
        hasMore = await fillSome(serve);
      }
    },
    hasMore: async () => hasMore,
  };
}
