// Deletes what has ended, once a minute, in steps that let mail be written in between.

import { inWorkspace } from "../../../platform/database/scope.ts";
import { beginningAt } from "../../../platform/ids.ts";
import type { Server } from "../../../platform/server.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import { serveTogether } from "../../../platform/work/serve-row.ts";
import { removeOldTests } from "../../tests/rows/removal.ts";
import { forgetSenders, listEndedTests, listOrphans, readSaved, removeCounts, removeEndedAddresses } from "../rows.ts";

const step = 200;
const hourMs = 3_600_000;
const countsKeptMs = 90 * 24 * hourMs;

export function createPublicChore({ store, system, publicDoor }: Server): Chore {
  let hasMore = false;
  return {
    id: "end public tests",
    everyMs: 60_000,
    hasMore: async () => hasMore,
    run: async (_stopping, serve) => {
      await publicDoor.flush();
      const now = system.now();
      const { workspaceId } = await readSaved(store.read);
      const ended = await listEndedTests(store.read, now, step);
      const orphans =
        workspaceId === null
          ? []
          : await listOrphans(inWorkspace(store.readInWorker, workspaceId), beginningAt("test", now - hourMs), step);
      // Their rows here go with them.
      const remove = (ids: readonly string[]) => store.write((db) => removeOldTests(db, ids));
      const removed = await serveTogether(serve, [...ended, ...orphans], remove);
      await store.write(async (db) => {
        if (workspaceId !== null) await forgetSenders(inWorkspace(db, workspaceId));
        await removeEndedAddresses(db, now);
        await removeCounts(db, now - countsKeptMs);
      });
      hasMore = removed.length >= step;
    },
  };
}
