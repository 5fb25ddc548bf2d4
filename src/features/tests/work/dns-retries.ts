// What DNS left open is looked at again within a day. A test whose queries were not answered is remembered with its
// report, and analyzed again in the background. While DNS is dead, only one test is tried at a time, so that an outage
// of any length costs little and uses up no tries. Such an analysis raises no alert (src/decisions.md, "DNS outages").

import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import type { ServeRow } from "../../../platform/work/serve-row.ts";
import type { DnsCount } from "../analysis/analyze-stored.ts";
import { insertDnsRetry, listDueDnsRetries, readDnsRetry, updateDnsRetry } from "../rows/dns-retries.ts";
import type { DnsRetriesTable, TestsTable } from "../tables.ts";
import type { Reanalyze } from "./reanalyze.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Most outages are short. Together less than a day, after which the report stays as it is. */
const waitsMs = [5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 14 * hourMs];
const whileDeadMs = 10 * minuteMs;
/** So few got an answer that the reason isn't the sender's own name server. */
const deadAt = 0.9;

type DnsNote = {
  readonly dns: DnsCount;
  readonly analyzedAt: number;
  readonly composite: number | null;
  /** Made by this file, and not on request. */
  readonly isAutomatic: boolean;
};

/** Runs in the transaction that stores the report. `test`: as claimed. */
export async function noteDns(
  db: Db,
  test: Pick<TestsTable, "id" | "workspace_id" | "analyzed_at">,
  { dns, analyzedAt, composite, isAutomatic }: DnsNote,
): Promise<void> {
  const isOpen = dns.unanswered > 0;
  const isDead = isOpen && dns.unanswered >= deadAt * dns.asked;
  const scope = inWorkspace(db, test.workspace_id);
  if (test.analyzed_at === null) {
    if (!isOpen) return;
    await insertDnsRetry(scope, {
      test_id: test.id,
      due_at: analyzedAt + (waitsMs[0] ?? 0),
      tries: 0,
      was_dead: isDead ? 1 : 0,
      first_analyzed_at: analyzedAt,
      first_composite: composite,
      updated_at: null,
    });
    return;
  }
  const known = await readDnsRetry(scope, test.id);
  if (known === undefined || known.due_at === null) return;
  if (isOpen) await updateDnsRetry(scope, test.id, toNextTry(known, isDead, analyzedAt));
  else await updateDnsRetry(scope, test.id, { due_at: null, ...(isAutomatic && { updated_at: analyzedAt }) });
}

function toNextTry({ tries }: DnsRetriesTable, isDead: boolean, at: number) {
  if (isDead) return { due_at: at + whileDeadMs, was_dead: 1 };
  const wait = waitsMs[tries + 1];
  return { due_at: wait === undefined ? null : at + wait, tries: tries + 1, was_dead: 0 };
}

export type DnsUpdate = { readonly at: number; readonly firstAt: number; readonly composite: number | null };

/** The automatic update that a report has had. */
export function toDnsUpdate(row: DnsRetriesTable | undefined): DnsUpdate | null {
  if (row === undefined || row.updated_at === null) return null;
  const { updated_at: at, first_analyzed_at: firstAt, first_composite: composite } = row;
  return { at, firstAt, composite };
}

type RetryTerms = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "log">;
  readonly reanalyze: Reanalyze;
  /** Other work comes first. */
  readonly isPostponed: () => boolean;
};

/** At most 900 an hour, which is 21,600 in a day. */
const everyMs = 2 * minuteMs;
const atOnce = 30;
/** Other chores wait meanwhile. */
const longestRunMs = 60_000;
const askAgainMs = 15 * minuteMs;

export function createDnsRetries(terms: RetryTerms): Chore {
  return { id: "dns-retries", everyMs, run: (stopping, serve) => retryDue(terms, stopping, serve) };
}

async function retryDue(
  { store, system, reanalyze, isPostponed }: RetryTerms,
  stopping: AbortSignal,
  serve: ServeRow,
): Promise<void> {
  const { now } = system;
  const beganAt = now();
  let updated = 0;
  for (const row of await listDueDnsRetries(store.read, beganAt, atOnce)) {
    stopping.throwIfAborted();
    if (isPostponed() || now() - beganAt > longestRunMs) break;
    const { test_id: testId, workspace_id: workspaceId } = row;
    const postpone = () =>
      store.write((db) => updateDnsRetry(inWorkspace(db, workspaceId), testId, { due_at: now() + askAgainMs }));
    const retry = async () => {
      try {
        await reanalyze({ workspaceId, testId, dns: "live", isAutomatic: true });
      } catch (error) {
        // Such as that it is being analyzed already.
        if (!(error instanceof Refusal)) throw error;
        await postpone();
      }
      return true;
    };
    if (!(await serve(testId, retry, postpone))) continue;
    const after = await readDnsRetry(inWorkspace(store.read, workspaceId), testId);
    if (after?.updated_at) updated += 1;
    // Still dead, so the others would fail too.
    if (after?.was_dead && after.due_at !== null) break;
  }
  if (updated > 0) system.log.info("reports updated, because DNS answers again", { tests: updated });
}
