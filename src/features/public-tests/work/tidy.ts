// Deletes what has ended, once a minute, in steps that let mail be written in between.

import { inWorkspace, storeOf } from "../../../platform/database/scope.ts";
import { beginningAt } from "../../../platform/ids.ts";
import type { Server } from "../../../platform/server.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import { removeTestsOf } from "../../tests/work/remove-tests.ts";
import { listEnded, listOrphans, readSaved, removeCounts, removePublicTest } from "../rows.ts";

const step = 200;
const hourMs = 3_600_000;
const countsKeptMs = 90 * 24 * hourMs;

export function createPublicChore({ store, system, events, publicDoor }: Server): Chore {
  let hasMore = false;
  return {
    id: "end public tests",
    everyMs: 60_000,
    hasMore: async () => hasMore,
    run: async (stopping, serve) => {
      await publicDoor.flush();
      const now = system.now();
      const { workspaceId } = await readSaved(store.read);
      if (workspaceId === null) return;
      const ended = await listEnded(store.read, now, step);
      const orphans = await listOrphans(
        inWorkspace(store.readInWorker, workspaceId),
        beginningAt("test", now - hourMs),
        step,
      );
      const tests = [...ended.flatMap(({ test_id }) => test_id ?? []), ...orphans];
      await serve("tests", () => removeTestsOf(storeOf(store, workspaceId), tests, events.publish));
      stopping.throwIfAborted();
      await store.write(async (db) => {
        for (const { id } of ended) await removePublicTest(db, id);
        await removeCounts(db, now - countsKeptMs);
      });
      hasMore = ended.length === step || orphans.length === step;
    },
  };
}
