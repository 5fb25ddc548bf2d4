// Keeps the sums of the dashboard: adds to them what waits, and forgets what nobody asks for any more.

import { Cron } from "croner";
import { listWorkspaces } from "../../store/people/workspaces.ts";
import { foldChanges, hasChanges, removeOldSums } from "../../store/rollups/folding.ts";
import { inWorkspace } from "../../store/scope.ts";
import type { Store } from "../../store/store.ts";
import type { System } from "../../system/system.ts";
import { waitAtMost } from "../timeout.ts";

export type RollupTerms = { readonly store: Store; readonly system: Pick<System, "now"> };

/** A few milliseconds of everybody's time. */
const changesPerStep = 100;
/** As many as a reader may have to add up by itself. */
const mayWait = 300;
const everyMinute = "* * * * *";

/** All of them, while few come. */
export async function foldRollups({ store, system }: RollupTerms, mayWait = 0): Promise<void> {
  while (await hasChanges(store.read, mayWait)) {
    const folded = await store.write((db) => foldChanges(db, { now: system.now(), limit: changesPerStep }));
    if (folded === 0) return;
  }
}

/** Before they are read: so many tests may have come that nobody has added up that a reader would take long. */
export async function catchUpRollups(terms: RollupTerms): Promise<void> {
  await foldRollups(terms, mayWait);
}

export async function forgetOldRollups({ store, system }: RollupTerms): Promise<void> {
  for (const { id } of await listWorkspaces(store.read))
    await store.write((db) => removeOldSums(inWorkspace(db, id), system.now()));
}

/** Each process does it: of several at once, one finds something to do. */
export function startFolding(terms: RollupTerms & { readonly system: Pick<System, "log"> }): {
  readonly stop: (withinMs: number) => Promise<void>;
} {
  let round: Promise<void> = Promise.resolve();
  const report = (error: unknown) =>
    terms.system.log.error("the dashboard's sums could not be kept", {}, error);
  const cron = new Cron(everyMinute, { protect: true, unref: true, utcOffset: 0, catch: report }, () => {
    round = foldRollups(terms);
    return round;
  });
  void cron.trigger();
  return {
    stop: async (withinMs) => {
      cron.stop();
      await waitAtMost(withinMs, round);
    },
  };
}
