// What an arrived message means for the monitors that expect mail. It counts when it is analyzed, with the time at which
// it arrived.

import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import { createId } from "../../../platform/ids.ts";
import type { Feature } from "../../../platform/server.ts";
import type { System } from "../../../platform/system/system.ts";
import type { MonitorData } from "../../alerts/rules/alert-event.ts";
import { toSentence } from "../../alerts/rules/notice-text.ts";
import type { OnAnalyzed } from "../../tests/work/path.ts";
import type { ExpectedTerms } from "../contract/expected.ts";
import { readLastRun, readOpenRun, removeOpenRuns, type WatchedTerms } from "../rows/expected.ts";
import { insertRun, lockMonitor, updateMonitor, updateRun } from "../rows/monitors.ts";
import {
  type ArrivedMail,
  type ExpectedWindow,
  matchMail,
  nextWindow,
  toFirstAddress,
  toSpanWords,
  wasSentThere,
} from "../rules/expected.ts";
import type { MonitorRunsTable, MonitorsTable } from "../tables.ts";
import { changeState } from "./change-state.ts";
import { openRun, type RunDetail, readDetail, readTerms, toWindow, tryReadTerms } from "./runs.ts";

type Sys = Pick<System, "now" | "random">;

type Arrival = ArrivedMail & { readonly testId: string; readonly receivedAt: number };

/** Read before the analysis, so most messages cost no write. */
export const awaitExpected: NonNullable<Feature["awaitMail"]> = ({ settings }) => {
  // One that can't be read says so on its page. The analysis goes on.
  const watched = settings.watched.filter((one) => tryReadTerms(one) !== null);
  if (watched.length === 0) return null;
  return {
    wantsText: watched.some((one) => readTerms(one).match.textContains !== null),
    onAnalyzed: async (step) => {
      await noteWatched(watched, step);
      return [];
    },
  };
};

async function noteWatched(
  watched: readonly WatchedTerms[],
  { db, test, outcome, system }: Parameters<OnAnalyzed>[0],
): Promise<void> {
  const { id: testId, workspace_id, seed_inbox_id: inboxId, label, received_at: receivedAt } = test;
  const scope = inWorkspace(db, workspace_id);
  const arrived = { inboxId, label, testId, receivedAt };
  if (outcome.kind === "failed") return await noteUnreadArrival(scope, watched, arrived);
  const { text } = outcome;
  const isTest = outcome.kind === "test";
  const { from, subject } = isTest ? { ...outcome.analysis, from: outcome.analysis.header_from } : outcome.message;
  const isNotice = !isTest && outcome.recognised.kind !== "auto-reply";
  const mail = { ...arrived, address: toFirstAddress(from), subject, text, isNotice };
  await noteArrival(scope, watched, mail, system);
}

export async function noteArrival(
  scope: Scope,
  watched: readonly WatchedTerms[],
  mail: Arrival,
  system: Sys,
): Promise<void> {
  for (const one of watched) {
    const verdict = matchMail(readTerms(one).match, mail);
    if (verdict === null) continue;
    const monitor = await lockMonitor(scope, one.id);
    // It may have been changed meanwhile.
    if (!monitor || monitor.enabled === 0 || monitor.terms !== one.terms) continue;
    const terms = readTerms(monitor);
    if (verdict === "expected") await noteExpected(scope, { monitor, terms, mail, system });
    else if (verdict === "unclear") await noteUnclear(scope, monitor.id, mail, "cut");
    else if (terms.alertOnOtherWords) await noteOtherWords(scope, { monitor, terms, mail, system });
  }
}

/** A message that could not be analyzed may be the expected one. At the deadline, the run says so. */
async function noteUnreadArrival(
  scope: Scope,
  watched: readonly WatchedTerms[],
  mail: Pick<Arrival, "inboxId" | "label" | "testId" | "receivedAt">,
): Promise<void> {
  for (const { id, terms } of watched) {
    if (!wasSentThere(readTerms({ terms }).match, mail)) continue;
    const monitor = await lockMonitor(scope, id);
    if (monitor?.enabled === 1 && monitor.terms === terms) await noteUnclear(scope, id, mail, "not-analyzed");
  }
}

async function noteUnclear(
  scope: Scope,
  monitorId: string,
  { testId, receivedAt }: Pick<Arrival, "testId" | "receivedAt">,
  unclear: NonNullable<RunDetail["unclear"]>,
): Promise<void> {
  const open = await readOpenRun(scope, monitorId);
  if (open === undefined || receivedAt < open.began_at) return;
  const detail = JSON.stringify({ ...readDetail(open), unclear } satisfies RunDetail);
  await updateRun(scope, open.id, { detail, test_id: testId });
}

type Noting = {
  readonly monitor: MonitorsTable;
  readonly terms: ExpectedTerms;
  readonly mail: Arrival;
  readonly system: Sys;
};

async function noteExpected(scope: Scope, noting: Noting): Promise<void> {
  const { monitor, terms, mail } = noting;
  const [open, last] = [await readOpenRun(scope, monitor.id), await readLastRun(scope, monitor.id)];
  if (last && isMissed(last) && isFor(last, open, terms, mail)) await noteLate(scope, noting, last);
  else if (open && mail.receivedAt >= open.began_at) await noteInWindow(scope, noting, open);
  // Between windows a message only shows that what was wrong is over.
  else if (hasOtherWords(monitor)) await setUp(scope, noting, null, arrived);
}

const missed: readonly MonitorRunsTable["outcome"][] = ["missing", "interrupted", "unclear"];

function isMissed({ outcome }: MonitorRunsTable): boolean {
  return missed.includes(outcome);
}

/** With an interval, the next message is the missing one. With a time of day, it must come before the next window. */
function isFor(
  last: MonitorRunsTable,
  open: MonitorRunsTable | undefined,
  { schedule }: ExpectedTerms,
  { receivedAt }: Arrival,
): boolean {
  if (receivedAt < last.began_at) return false;
  return schedule.type === "interval" || open === undefined || receivedAt < open.began_at;
}

function hasOtherWords({ state, problem }: MonitorsTable): boolean {
  return state === "down" && problem !== null && JSON.parse(problem).code === "wrong-words";
}

const arrived: MonitorData["reason"] = { code: "arrived", says: "A matching message arrived." };

/** What was missing arrived after all, or had arrived in time but was analyzed late. */
async function noteLate(scope: Scope, noting: Noting, last: MonitorRunsTable): Promise<void> {
  const { monitor, terms, mail, system } = noting;
  const { says: _, ...detail } = readDetail(last);
  const count = detail.count + 1;
  // What a sender had to send again because of our own outage isn't late.
  const isLate = mail.receivedAt > (last.expected_by ?? 0) && last.outcome !== "interrupted";
  const delayMs = mail.receivedAt - detail.by;
  const isEnough = count >= terms.minCount;
  const words = `A matching message arrived ${toSpanWords(delayMs)} after it was expected.`;
  const counted = { ...detail, count };
  if (!isEnough) return await updateRun(scope, last.id, { detail: JSON.stringify({ ...readDetail(last), count }) });
  await updateRun(scope, last.id, {
    outcome: isLate ? "late" : "ok",
    delay_ms: delayMs,
    test_id: mail.testId,
    detail: JSON.stringify(isLate ? { ...counted, says: words } : counted),
  });
  await setUp(scope, noting, last.id, isLate ? { code: "late", says: words } : arrived);
  const open = await readOpenRun(scope, monitor.id);
  const next = nextWindow(terms, toWindow(last), mail.receivedAt);
  if (terms.schedule.type !== "interval" || !open || !isLater(next, open)) return;
  await removeOpenRuns(scope, monitor.id);
  await openRun(scope, monitor, next, system);
}

/** A message may be analyzed after one that arrived later. */
function isLater(next: ExpectedWindow, open: MonitorRunsTable): boolean {
  return next.expectedBy > (open.expected_by ?? 0);
}

async function noteInWindow(scope: Scope, noting: Noting, open: MonitorRunsTable): Promise<void> {
  const { monitor, terms, mail, system } = noting;
  const detail = readDetail(open);
  const count = detail.count + 1;
  if (count < terms.minCount)
    return await updateRun(scope, open.id, { detail: JSON.stringify({ ...detail, count }), test_id: mail.testId });
  const isLate = mail.receivedAt > (open.expected_by ?? 0);
  const delayMs = mail.receivedAt - detail.by;
  const says = `A matching message arrived ${toSpanWords(delayMs)} after it was expected.`;
  const next = nextWindow(terms, toWindow(open), mail.receivedAt);
  await setUp(scope, noting, open.id, isLate ? { code: "late", says } : arrived);
  // A run lasts at least one interval, so that frequent mail doesn't write a row each.
  const { schedule } = terms;
  const isOver = schedule.type !== "interval" || mail.receivedAt >= open.began_at + schedule.everyMinutes * 60_000;
  if (!isOver && !isLater(next, open)) return;
  if (!isOver) {
    const began = JSON.stringify({ by: next.by, count: 0 } satisfies RunDetail);
    await updateRun(scope, open.id, { expected_by: next.expectedBy, detail: began, test_id: mail.testId });
    await updateMonitor(scope, monitor.id, { due_at: next.expectedBy });
    return;
  }
  await updateRun(scope, open.id, {
    ended_at: system.now(),
    outcome: isLate ? "late" : "ok",
    delay_ms: delayMs,
    test_id: mail.testId,
    detail: JSON.stringify({ ...detail, count, ...(isLate && { says }) }),
  });
  await openRun(scope, monitor, next, system);
}

async function setUp(
  scope: Scope,
  { monitor, mail, system }: Noting,
  runId: string | null,
  reason: MonitorData["reason"],
): Promise<void> {
  const change = { to: "up", reason, runId, testId: mail.testId, okAt: mail.receivedAt } as const;
  await changeState(scope, monitor, change, system);
}

async function noteOtherWords(scope: Scope, { monitor, mail, system }: Noting): Promise<void> {
  const { receivedAt, testId, subject } = mail;
  // Already known, or from before a message that was right.
  if (hasOtherWords(monitor) || receivedAt < (monitor.last_ok_at ?? 0)) return;
  const shown = subject === null ? "It has no subject." : `Subject: ${toSentence(subject)}`;
  const reason = { code: "wrong-words", says: `A message arrived with other words than expected. ${shown}` };
  const id = createId("monitorRun", system.now(), system.random(16));
  await insertRun(scope, {
    id,
    monitor_id: monitor.id,
    began_at: receivedAt,
    expected_by: null,
    ended_at: system.now(),
    outcome: "wrong-words",
    test_id: testId,
    detail: JSON.stringify({ by: receivedAt, count: 0, says: reason.says } satisfies RunDetail),
  });
  await changeState(scope, monitor, { to: "down", reason, runId: id, testId }, system);
}
