// Keeps the dashboard's sums: adds pending changes and removes old sums.

import { toContribution, toRates, withPlaced } from "../../../analyzer/reports/contribution.ts";
import { toPlaced, toPredicted } from "../../../analyzer/reports/observation.ts";
import type { Report } from "../../../analyzer/reports/report.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { beginningAt } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { type ServeRow, serveOrThrow } from "../../../platform/work/serve-row.ts";
import { createWorkLoop, everyMinute, type WorkLoop } from "../../../platform/work/work-loop.ts";
import { listWorkspaces } from "../../people/rows/workspaces.ts";
import { type Contributor, correctContribution, listContributors } from "../../tests/rows/contributions.ts";
import { listObservations } from "../../tests/rows/observations.ts";
import { decodeReport } from "../../tests/rows/reports.ts";
import { lockTest } from "../../tests/rows/tests.ts";
import { correctSums, findDeviations, foldChanges, hasChanges, listChanged, removeOldSums } from "../rows/folding.ts";
import { dayMs, oldestKept } from "../rows/rollups.ts";

export type RollupTerms = {
  readonly store: Store;
  readonly system: Pick<System, "now">;
  /** Serves workspaces. Without it, the first one that fails ends the work. */
  readonly serve?: ServeRow;
};

/** Takes a few milliseconds of the shared write lock. */
const changesPerStep = 100;
/** As many as a reader can add up itself. */
const mayWait = 300;

/** Processes all pending changes if there are only a few. */
export async function foldRollups({ store, system, serve }: RollupTerms, mayWait = 0): Promise<void> {
  const fold = (workspaceId?: string) =>
    store.write((db) => foldChanges(db, { now: system.now(), limit: changesPerStep, workspaceId }));
  while (await hasChanges(store.read, mayWait)) {
    const folded = await fold().catch(async (error: unknown) => {
      if (serve === undefined) throw error;
      let apart = 0;
      for (const id of await listChanged(store.read)) apart += (await serve(id, () => fold(id))) ?? 0;
      return apart;
    });
    if (folded === 0) return;
  }
}

/** Called before reading, so that readers do not add up too many changes themselves. The loop reports what fails. */
export async function catchUpRollups(terms: RollupTerms): Promise<void> {
  await foldRollups({ ...terms, serve: (_id, work) => work().catch(() => undefined) }, mayWait);
}

export async function forgetOldRollups({ store, system, serve = serveOrThrow }: RollupTerms): Promise<void> {
  for (const { id } of await listWorkspaces(store.read))
    await serve(id, () => store.write((db) => removeOldSums(inWorkspace(db, id), system.now())));
}

/**
 * Runs in every process. If several run at once, one finds work. After an upgrade, it renews once what an earlier
 * version counted, because Home would say that those messages need nothing.
 */
export function startFolding(terms: RollupTerms & { readonly system: Pick<System, "log"> }): Pick<WorkLoop, "stop"> {
  const trouble = "updating dashboard sums failed";
  let isRenewed = false;
  const loop: WorkLoop = createWorkLoop({
    poll: async () => {
      const served = { ...terms, serve: loop.serve };
      await foldRollups(served);
      if (!isRenewed) await rereadReports(served, true, loop.stopping);
      isRenewed = true;
    },
    every: everyMinute,
    system: terms.system,
    words: { trouble, over: "updating dashboard sums is working again" },
  });
  loop.start();
  return loop;
}

// Recomputes the dashboard's sums from the tests on a running server, after manual database repairs or a version that
// counts differently.

export type Rebuilt = {
  readonly tests: number;
  /** Numbers that were wrong. */
  readonly correctedTests: number;
  readonly correctedSums: number;
};

const testsPerStep = 50;

export async function rebuildRollups(terms: RollupTerms): Promise<Rebuilt> {
  const { tests, corrected } = await rereadReports(terms, false);
  await foldRollups(terms);
  let correctedSums = 0;
  for (const { id } of await listWorkspaces(terms.store.read)) correctedSums += await recount(terms, id);
  await forgetOldRollups(terms);
  return { tests, correctedTests: corrected, correctedSums };
}

/** Reports are the source of truth. */
async function rereadReports(
  { store, system, serve = serveOrThrow }: RollupTerms,
  onlyOld: boolean,
  stopping?: AbortSignal,
) {
  let tests = 0;
  let corrected = 0;
  for (let after = beginningAt("test", oldestKept(system.now()).numbers); !stopping?.aborted; ) {
    const some = await listContributors(store.readInWorker, { after, limit: testsPerStep, onlyOld });
    for (const one of some) corrected += (await serve(one.id, () => reread(store, one))) ?? 0;
    tests += some.length;
    const last = some.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  return { tests, corrected };
}

/** How many numbers were wrong. */
async function reread({ readInWorker, write }: Store, one: Contributor): Promise<0 | 1> {
  const report = parseReport(decodeReport(one.report));
  if (report === null || (await toWhole(readInWorker, one, report)).contribution === one.contribution) return 0;
  await write(async (db) => {
    // First, as an analysis and a mailbox that shows it do. Otherwise each would wait for the other on PostgreSQL.
    await lockTest(inWorkspace(db, one.workspace_id), one.id);
    await correctContribution(db, one, await toWhole(db, one, report));
  });
  return 1;
}

/** Includes observations from seed mailboxes. */
async function toWhole(db: Db, { id, workspace_id }: Contributor, { judgment }: Report) {
  const placed = toPlaced(toPredicted(judgment.placement), await listObservations(inWorkspace(db, workspace_id), id));
  return { contribution: JSON.stringify(withPlaced(toContribution(judgment), placed)), rates: toRates(placed) };
}

async function recount({ store, system }: RollupTerms, workspaceId: string): Promise<number> {
  const now = system.now();
  let corrected = 0;
  for (let begins = oldestKept(now).numbers; begins <= now; begins += dayMs) {
    const deviations = await findDeviations(store.readInWorker, { workspaceId, begins, now });
    if (deviations.length > 0) await store.write((db) => correctSums(db, workspaceId, deviations));
    corrected += deviations.length;
  }
  return corrected;
}
