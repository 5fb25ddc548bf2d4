// Fills in how tests came in that were analyzed before the row had it. A little at a time, because each one reads its
// message, and mail must not wait for it.

import { readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import { serveTogether } from "../../../platform/work/serve-row.ts";
import { fillDoors, listBefore } from "../rows/doors.ts";

const dayMs = 86_400_000;
/** In one transaction: about 20 milliseconds. */
const atOnce = 250;
/** In one run, of which there is one a minute until all are filled in. */
const batches = 20;
const done = "done";

export function createDoorChore(store: Pick<Store, "read" | "write">): Chore {
  const isOver = async () => (await readMeta(store.read, "test_doors")) === done;
  return {
    id: "test-doors",
    everyMs: dayMs,
    run: async (stopping, serve) => {
      for (let batch = 0; batch < batches; batch++) {
        stopping.throwIfAborted();
        if (await isOver()) return;
        const before = (await readMeta(store.read, "test_doors")) ?? null;
        const ids = await listBefore(store.read, before, atOnce);
        if (ids.length > 0) await serveTogether(serve, ids, (some) => store.write((db) => fillDoors(db, some)));
        const reached = (ids.length === atOnce && ids.at(-1)) || done;
        await store.write((db) => writeMeta(db, "test_doors", reached));
      }
    },
    hasMore: async () => !(await isOver()),
  };
}
