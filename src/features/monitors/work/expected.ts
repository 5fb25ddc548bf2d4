// Judges the windows of expected mail that are over (src/decisions.md, "Expected mail"), and notes when this installation
// could not receive.

import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { System } from "../../../platform/system/system.ts";
import { createWorkLoop, type WorkLoop } from "../../../platform/work/work-loop.ts";
import type { Publish } from "../../events/work/hub.ts";
import type { IntakeRoom } from "../../server/readiness/room.ts";
import type { ExpectedTerms } from "../contract/expected.ts";
import { hasUnread, listDueExpected, readOpenRun } from "../rows/expected.ts";
import { lockMonitor, updateMonitor, updateRun } from "../rows/monitors.ts";
import { type ExpectedWindow, judgeMissing, nextWindow, type Outage, toSpanWords } from "../rules/expected.ts";
import { changeState, noteUnjudged } from "./change-state.ts";
import { noteEveryMs, noteReceiving } from "./receiving.ts";
import { beginWatching, openRun, type RunDetail, readDetail, readTerms, toWindow } from "./runs.ts";

type Sys = Pick<System, "now" | "random">;

/** Judges a window that is over. Returns its outcome, or null if it has to wait. */
async function judgeDue(
  scope: Scope,
  monitorId: string,
  outages: readonly Outage[],
  system: Sys,
): Promise<string | null> {
  const monitor = await lockMonitor(scope, monitorId);
  const now = system.now();
  if (monitor?.due_at == null || monitor.due_at > now || monitor.enabled === 0) return null;
  const open = await readOpenRun(scope, monitor.id);
  if (!open) {
    await beginWatching(scope, monitor, system);
    return null;
  }
  const terms = readTerms(monitor);
  const window = toWindow(open);
  const unread = await hasUnread(scope, window.opensAt, window.expectedBy);
  const verdict = judgeMissing({ now, window, outages, unread });
  if (verdict.outcome === "wait") {
    await updateMonitor(scope, monitor.id, { due_at: verdict.until });
    return null;
  }
  const detail = readDetail(open);
  const why = verdict.outcome === "missing" && detail.unclear ? "unclear" : verdict.outcome;
  const says = toMissingWords(why, terms, window, detail);
  const outcome = why === "unread" ? "missing" : why;
  const isDown = outcome === "missing" || outcome === "unclear";
  await updateRun(scope, open.id, { ended_at: now, outcome, detail: JSON.stringify({ ...detail, says }) });
  if (isDown) {
    const reason = { code: outcome, says };
    const testId = outcome === "unclear" ? open.test_id : null;
    await changeState(scope, monitor, { to: "down", reason, runId: open.id, testId }, system);
  }
  const from = isDown ? window.expectedBy : now;
  await openRun(scope, monitor, skipPassed(nextWindow(terms, window, from), terms, window, now), system);
  return outcome;
}

/** An interval that would be over already begins now. */
function skipPassed(next: ExpectedWindow, terms: ExpectedTerms, last: ExpectedWindow, now: number): ExpectedWindow {
  return next.expectedBy > now ? next : nextWindow(terms, last, now);
}

const unclearWords: Readonly<Record<NonNullable<RunDetail["unclear"]>, string>> = {
  "not-analyzed": "A message arrived that could not be analyzed, so it is not known whether it is an expected one.",
  cut: "A message arrived whose text is too long to be searched completely, so it is not known whether it has the expected words.",
};

function toMissingWords(
  outcome: "missing" | "unclear" | "unread" | "interrupted",
  { schedule, minCount }: ExpectedTerms,
  { by, expectedBy }: ExpectedWindow,
  { count, unclear }: RunDetail,
): string {
  if (outcome === "interrupted")
    return "Not known, because this server could not receive mail when the message was expected.";
  // A message moves the deadline of an interval, and its run goes on. So the run may have begun long before that message.
  const when =
    schedule.type === "daily"
      ? `by ${toLocalWords(expectedBy, schedule.timeZone)}`
      : `for ${toSpanWords(expectedBy - by + schedule.everyMinutes * 60_000)}`;
  if (outcome === "unread")
    return `No matching message is known ${when}, but messages that arrived before the deadline have waited an hour for their analysis.`;
  if (outcome === "unclear") return `${unclearWords[unclear ?? "not-analyzed"]} ${toKnownWords(count, minCount, when)}`;
  if (count > 0) return `Only ${count} of ${minCount} expected messages arrived ${when}.`;
  return minCount > 1
    ? `None of the ${minCount} expected messages arrived ${when}.`
    : `No matching message arrived ${when}.`;
}

/** What is known of the other messages. */
function toKnownWords(count: number, minCount: number, when: string): string {
  if (minCount === 1) return `No other matching message arrived ${when}.`;
  const known = count === 0 ? "None" : `Only ${count}`;
  return `${known} of the ${minCount} expected messages ${count < 2 ? "is" : "are"} known to have arrived ${when}.`;
}

function toLocalWords(at: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return `${format.format(at)} (${timeZone})`;
}

type WatcherOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random" | "log">;
  /** While new mail is deferred, its absence means nothing. */
  readonly hasRoom: IntakeRoom;
  readonly publish: Publish;
};

const pollEveryMs = 10_000;
const atOnce = 100;

export function createExpectedWatcher({
  store,
  system,
  hasRoom,
  publish,
}: WatcherOptions): Pick<WorkLoop, "start" | "stop" | "untilIdle"> {
  let outages: readonly Outage[] = [];
  let notedAt = Number.NEGATIVE_INFINITY;
  const loop: WorkLoop = createWorkLoop({
    poll: async () => {
      const now = system.now();
      if (!(await hasRoom())) return;
      if (now - notedAt >= noteEveryMs || now < notedAt) {
        outages = await store.write((db) => noteReceiving(db, now));
        notedAt = now;
      }
      for (const { id, workspace_id } of await listDueExpected(store.read, now, atOnce)) {
        if (loop.stopping.aborted) return;
        const putBack = async (error: unknown, dueAt: number) => {
          await store.write((db) => noteUnjudged(inWorkspace(db, workspace_id), id, { error, dueAt }, system));
          publish(workspace_id, { type: "monitor.changed", id });
        };
        const judge = () => store.write((db) => judgeDue(inWorkspace(db, workspace_id), id, outages, system));
        const outcome = await loop.serve(id, judge, putBack);
        if (outcome == null) continue;
        system.log.info("expected mail was not there", { monitor: id, outcome });
        publish(workspace_id, { type: "monitor.changed", id });
      }
    },
    every: pollEveryMs,
    system,
    words: { trouble: "checking expected mail failed", over: "checking expected mail is working again" },
  });
  return loop;
}
