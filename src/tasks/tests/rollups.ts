// Keeps the sums of the dashboard: adds to them what waits, and forgets what nobody asks for any more.

import { beginningAt } from "../../ids.ts";
import { toContribution, withPlaced } from "../../reports/contribution.ts";
import { toPlaced } from "../../reports/observation.ts";
import type { Report } from "../../reports/report.ts";
import { parseReport } from "../../reports/stored-report.ts";
import { listObservations } from "../../store/mailboxes/observations.ts";
import { listWorkspaces } from "../../store/people/workspaces.ts";
import {
  correctSums,
  findDeviations,
  foldChanges,
  hasChanges,
  removeOldSums,
} from "../../store/rollups/folding.ts";
import { dayMs, oldestKept } from "../../store/rollups/rollups.ts";
import type { Db } from "../../store/schema/schema.ts";
import { inWorkspace } from "../../store/scope.ts";
import type { Store } from "../../store/store.ts";
import { type Contributor, correctContribution, listContributors } from "../../store/tests/contributions.ts";
import type { System } from "../../system/system.ts";
import { createWorkLoop, everyMinute, type WorkLoop } from "../work-loop.ts";

export type RollupTerms = { readonly store: Store; readonly system: Pick<System, "now"> };

/** A few milliseconds of everybody's time. */
const changesPerStep = 100;
/** As many as a reader may have to add up by itself. */
const mayWait = 300;

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
export function startFolding(
  terms: RollupTerms & { readonly system: Pick<System, "log"> },
): Pick<WorkLoop, "stop"> {
  const trouble = "the dashboard's sums could not be kept";
  const loop = createWorkLoop({
    look: () => foldRollups(terms),
    every: everyMinute,
    log: terms.system.log,
    words: { trouble, over: "the dashboard's sums are kept again" },
  });
  loop.start();
  return loop;
}

// The sums of the dashboard, made anew from the tests, beside a running server: for a database that was mended by hand, or
// after a version that counts something else.

export type Rebuilt = {
  readonly tests: number;
  /** What was not as it is now. */
  readonly correctedTests: number;
  readonly correctedSums: number;
};

const testsPerStep = 50;

export async function rebuildRollups(terms: RollupTerms): Promise<Rebuilt> {
  const { tests, corrected } = await rereadReports(terms);
  await foldRollups(terms);
  let correctedSums = 0;
  for (const { id } of await listWorkspaces(terms.store.read)) correctedSums += await recount(terms, id);
  await forgetOldRollups(terms);
  return { tests, correctedTests: corrected, correctedSums };
}

/** Of reports, because they are what is known of a test. */
async function rereadReports({ store, system }: RollupTerms): Promise<{ tests: number; corrected: number }> {
  let tests = 0;
  let corrected = 0;
  for (let after = beginningAt("test", oldestKept(system.now()).numbers); ; ) {
    const some = await listContributors(store.readInWorker, { after, limit: testsPerStep });
    for (const one of some) {
      const report = parseReport(one.report);
      if (report === null || (await toWhole(store.readInWorker, one, report)) === one.contribution) continue;
      await store.write(async (db) => correctContribution(db, one, await toWhole(db, one, report)));
      corrected++;
    }
    tests += some.length;
    const last = some.at(-1);
    if (last === undefined) return { tests, corrected };
    after = last.id;
  }
}

/** With what was seen of it in seed mailboxes. */
async function toWhole(db: Db, { id, workspace_id }: Contributor, { judgment }: Report): Promise<string> {
  const observed = await listObservations(inWorkspace(db, workspace_id), id);
  const contribution = toContribution(judgment);
  if (observed.length === 0) return JSON.stringify(contribution);
  return JSON.stringify(withPlaced(contribution, toPlaced(judgment.placement?.predictions ?? [], observed)));
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
