// Fills in how tests came in that were analyzed before the row had it. A little at a time, because each one reads its
// message, and mail must not wait for it.

import { readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import { fillDoors } from "../../tests/rows/doors.ts";

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
    run: async (stopping) => {
      for (let batch = 0; batch < batches; batch++) {
        stopping.throwIfAborted();
        if (await isOver()) return;
        await store.write(async (db) => {
          const before = (await readMeta(db, "test_doors")) ?? null;
          if (before === done) return;
          await writeMeta(db, "test_doors", (await fillDoors(db, before, atOnce)) ?? done);
        });
      }
    },
    hasMore: async () => !(await isOver()),
  };
}
