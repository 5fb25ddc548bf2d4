// Deletions that can be undone. The tests are marked at once and removed when the time is over, by a loop that any
// process runs, so that they are removed even if the browser is closed or this process dies.

import { recordIf } from "../../../platform/audit/rows/recording.ts";
import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { serveTogether } from "../../../platform/work/serve-row.ts";
import { createWorkLoop, everyMinute, type WorkLoop } from "../../../platform/work/work-loop.ts";
import type { Publish } from "../../events/work/hub.ts";
import {
  listDueRemovals,
  markRemoved,
  postponeRemoval,
  readNextRemoval,
  removeDue,
  takeFitting,
  undoRemoval,
} from "../rows/removal.ts";
import { deletionStep } from "./remove-tests.ts";

export type Removals = Pick<WorkLoop, "start" | "stop" | "kick"> & {
  /** `undo`: for `undo`. */
  readonly mark: (
    store: WorkspaceStore,
    ids: readonly string[],
  ) => Promise<{ readonly deleted: number; readonly undo: string }>;
  /** Returns how many tests stay. Refuses if it is too late. */
  readonly undo: (store: WorkspaceStore, id: string) => Promise<number>;
};

type RemovalOptions = {
  readonly store: Pick<Store, "read" | "write">;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly publish: Publish;
};

/** As long as the app offers to undo, and time for a slow request. */
export const undoableMs = 12_000;
/** Marked in one transaction. */
const markedAtOnce = 500;

export function createRemovals({ store, system, publish }: RemovalOptions): Removals {
  const loop: WorkLoop = createWorkLoop({
    poll,
    every: everyMinute,
    system,
    words: { trouble: "deletion of tests failed", over: "deletion of tests is working again" },
  });

  async function poll(): Promise<void> {
    while (!loop.stopping.aborted && (await removeSome()) > 0);
    const next = await readNextRemoval(store.read);
    if (next !== undefined) loop.kickAfter(Math.max(1_000, next - system.now()));
  }

  async function removeSome(): Promise<number> {
    const now = system.now();
    const step = takeFitting(await listDueRemovals(store.read, now, deletionStep.tests), deletionStep.bytes);
    const ids = step.map(({ test_id }) => test_id);
    const remove = (some: readonly string[]) => store.write((db) => removeDue(db, some, now));
    const postpone = (id: string, until: number) => store.write((db) => postponeRemoval(db, id, until));
    const gone = new Set(await serveTogether(loop.serve, ids, remove, postpone));
    for (const { workspace_id, test_id } of step)
      if (gone.has(test_id)) publish(workspace_id, { type: "test.deleted", id: test_id });
    return gone.size;
  }

  return {
    start: loop.start,
    stop: loop.stop,
    kick: loop.kick,
    mark: async ({ write }, ids) => {
      const now = system.now();
      const removal = { id: createId("removal", now, system.random(16)), dueAt: now + undoableMs };
      let deleted = 0;
      for (let start = 0; start < ids.length; start += markedAtOnce) {
        const step = ids.slice(start, start + markedAtOnce);
        deleted += await write(async (scope) => {
          const marked = await markRemoved(scope, step, removal);
          recordIf(marked > 0);
          return marked;
        });
      }
      if (deleted > 0) loop.kickAfter(undoableMs);
      return { deleted, undo: removal.id };
    },
    undo: async ({ write }, id) => {
      const restored = await write(async (scope) => {
        const tests = await undoRemoval(scope, id, system.now());
        recordIf(tests.length > 0);
        return tests;
      });
      if (restored.length === 0) throw new Refusal("conflict", "It is too late to undo this deletion.");
      return restored.length;
    },
  };
}
