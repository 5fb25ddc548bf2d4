// The sums of the dashboard, made anew from the tests, beside a running server: for a database that was mended by hand, or
// after a version that counts something else.

import { beginningAt } from "../../ids.ts";
import { toContribution, withPlaced } from "../../reports/contribution.ts";
import { toPlaced } from "../../reports/placed.ts";
import { parseReport, type Report } from "../../reports/report.ts";
import { listObservations } from "../../store/mailboxes/observations.ts";
import { listWorkspaces } from "../../store/people/workspaces.ts";
import { findDeviations, mendSums } from "../../store/rollups/audit.ts";
import { dayMs, oldestKept } from "../../store/rollups/sums.ts";
import type { Db } from "../../store/schema/schema.ts";
import { inWorkspace } from "../../store/scope.ts";
import { type Contributor, correctContribution, listContributors } from "../../store/tests/contributions.ts";
import { foldRollups, forgetOldRollups, type RollupTerms } from "./rollups.ts";

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
    const some = await listContributors(store.readAside, { after, limit: testsPerStep });
    for (const one of some) {
      const report = parseReport(one.report);
      if (report === null || (await toWhole(store.readAside, one, report)) === one.contribution) continue;
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
    const deviations = await findDeviations(store.readAside, { workspaceId, begins, now });
    if (deviations.length > 0) await store.write((db) => mendSums(db, workspaceId, deviations));
    corrected += deviations.length;
  }
  return corrected;
}
