// Turns sightings in seed mailboxes into observations of tests. A sighting that arrives before its test waits, so
// whichever comes last finds the other.

import {
  isAnotherMessage,
  marksOf,
  matchSighting,
  toBoundedSighting,
  toMatchKeys,
} from "../../../analyzer/reports/match-sighting.ts";
import type { Sighting } from "../../../analyzer/reports/sighting.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { createSerialId, createSeries } from "../../../platform/ids.ts";
import type { Server } from "../../../platform/server.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Publish } from "../../events/work/hub.ts";
import { readReport } from "../../tests/rows/reports.ts";
import { lockTest } from "../../tests/rows/tests.ts";
import { findIntegration } from "../rows/integrations.ts";
import { keepFolderMark } from "../rows/mailboxes.ts";
import { holdMailbox, type ObservedMailbox } from "../rows/observations.ts";
import {
  insertWaiting,
  listCandidates,
  listWaitingOf,
  removeWaiting,
  trimWaiting,
  type Waiting,
} from "../rows/sightings.ts";
import type { FolderMark } from "./messages.ts";
import { type Discovery, type ObservedEvent, observe, placementOf } from "./observe.ts";

type SightingRecorder = {
  readonly keepSightings: KeepSightings;
  /** Cancels pending second checks. */
  readonly close: () => void;
};

type SightingTerms = {
  readonly store: Pick<Store, "dialect" | "read" | "write">;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly publish: Publish;
  /** Longer than storing any analysis takes. */
  readonly recheckAfterMs?: number;
  readonly noteSent?: Server["noteSent"];
};

/** Sightings per transaction, so that others do not wait long. */
const mostAtOnce = 25;
/** Older waiting sightings were checked before. */
const justNowMs = 60_000;
const mostWaiting = 500;
const mostFolders = 200;
const longestPath = 1_000;

type Call = {
  readonly integrationId: string;
  readonly sightings: readonly Sighting[];
  readonly marks: readonly FolderMark[];
};

export function createSightingRecorder(terms: SightingTerms): SightingRecorder {
  const { store, system } = terms;
  const timers = new Set<NodeJS.Timeout>();
  const newId = createSightingIds(system);

  /** On PostgreSQL a test and its sighting may be stored at the same time without seeing each other. */
  function recheckLater(workspaceId: string, integrationId: string): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      recheckWaiting(terms, workspaceId, integrationId).catch((error: unknown) =>
        system.log.error("checking waiting sightings failed", { integration: integrationId }, error),
      );
    }, terms.recheckAfterMs ?? 3_000).unref();
    timers.add(timer);
  }

  return {
    keepSightings: async (integrationId, sightings, marks) => {
      const workspaceId = (await findIntegration(store.read, integrationId))?.workspace_id;
      // Disconnected meanwhile.
      if (workspaceId === undefined) return;
      let waiting = 0;
      for (let at = 0; at === 0 || at < sightings.length; at += mostAtOnce) {
        const some = sightings.slice(at, at + mostAtOnce);
        const isLast = at + mostAtOnce >= sightings.length;
        // Marks are stored with the last part, so that after a crash the rest is read again.
        const call = { integrationId, sightings: some, marks: isLast ? marks : [] };
        waiting += await keepSome({ ...terms, newId }, workspaceId, call);
      }
      if (waiting > 0 && store.dialect === "postgres") recheckLater(workspaceId, integrationId);
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Returns the number of sightings that wait. */
async function keepSome(
  terms: SightingTerms & { readonly newId: NewId },
  workspaceId: string,
  call: Call,
): Promise<number> {
  const { store, system, publish, newId } = terms;
  const now = system.now();
  const bounded = call.sightings.map((seen) => toBoundedSighting(seen, now));
  const { waiting, events } = await store.write(async (db) => {
    const scope = inWorkspace(db, workspaceId);
    const mailbox = await holdMailbox(scope, call.integrationId);
    if (mailbox === undefined) return nothing;
    const rest: Sighting[] = [];
    for (const sighting of bounded) if (!(await terms.noteSent?.(scope, mailbox, sighting))) rest.push(sighting);
    const { found, unmatched } = await matchAll(scope, mailbox, rest);
    for (const sighting of unmatched)
      await keepWaiting(scope, { id: newId(now), integrationId: mailbox.id, sighting, keptAt: now });
    if (unmatched.length > 0) await trimWaiting(scope, mailbox.id, mostWaiting);
    await keepMarks(scope, mailbox.id, call.marks);
    return { waiting: unmatched.length, events: await observeAll(scope, found, system) };
  });
  for (const event of events) publish(workspaceId, event);
  return waiting;
}

const nothing: { readonly waiting: number; readonly events: readonly ObservedEvent[] } = { waiting: 0, events: [] };

/** A sighting that a test has taken meanwhile is already known, so it is not reported twice. */
async function recheckWaiting(
  { store, system, publish }: SightingTerms,
  workspaceId: string,
  integrationId: string,
): Promise<void> {
  const since = system.now() - justNowMs;
  const waiting = await listWaitingOf(inWorkspace(store.read, workspaceId), integrationId, since);
  for (let at = 0; at < waiting.length; at += mostAtOnce) {
    const events = await store.write(async (db) => {
      const scope = inWorkspace(db, workspaceId);
      const mailbox = await holdMailbox(scope, integrationId);
      if (mailbox === undefined) return [];
      const found: Discovery[] = [];
      for (const { id, sighting } of waiting.slice(at, at + mostAtOnce)) {
        const match = matchSighting(sighting, await listCandidates(scope, sighting, integrationId));
        if (!match) continue;
        found.push({ mailbox, sighting, match });
        await removeWaiting(scope, [id]);
      }
      return await observeAll(scope, found, system);
    });
    for (const event of events) publish(workspaceId, event);
  }
}

async function matchAll(
  scope: Scope,
  mailbox: ObservedMailbox,
  sightings: readonly Sighting[],
): Promise<{ found: Discovery[]; unmatched: Sighting[] }> {
  const found: Discovery[] = [];
  const unmatched: Sighting[] = [];
  const alike: Sighting[] = [];
  for (const sighting of sightings) {
    const match = matchSighting(sighting, await listCandidates(scope, sighting, mailbox.id));
    if (match?.matchedBy === "from-and-subject") alike.push(sighting);
    else if (match) found.push({ mailbox, sighting, match });
    else unmatched.push(sighting);
  }
  // Exact matches come first. Sightings with a similar From and subject may take only what is left.
  for (const sighting of alike) {
    const takenBy = (id: string) =>
      found.some((one) => one.match.testId === id && isAnotherMessage(one.sighting, sighting));
    const candidates = await listCandidates(scope, sighting, mailbox.id);
    const match = matchSighting(
      sighting,
      candidates.map((one) => ({ ...one, isTaken: one.isTaken || takenBy(one.id) })),
    );
    if (match) found.push({ mailbox, sighting, match });
    else unmatched.push(sighting);
  }
  return { found, unmatched };
}

/** Locks tests in a fixed order, so that two mailboxes cannot deadlock. */
async function observeAll(
  scope: Scope,
  found: readonly Discovery[],
  system: SightingTerms["system"],
): Promise<ObservedEvent[]> {
  const byTest = Map.groupBy(found, ({ match }) => match.testId);
  const events: ObservedEvent[] = [];
  for (const testId of [...byTest.keys()].sort()) {
    const test = await lockTest(scope, testId);
    if (!test) continue;
    const placement = placementOf(await readReport(scope, testId));
    events.push(...(await observe(scope, { test, placement }, byTest.get(testId) ?? [], system)));
  }
  return events;
}

async function keepWaiting(scope: Scope, waiting: Waiting & { readonly keptAt: number }): Promise<void> {
  const { sighting } = waiting;
  const keys = toMatchKeys({ ...sighting, marks: marksOf(sighting) });
  // Without keys it matches no future test.
  if (keys.length > 0) await insertWaiting(scope, { ...waiting, keys });
}

type NewId = (now: number) => string;

/** IDs keep the order of sightings, even within a millisecond, because the last one tells where the message is. */
function createSightingIds({ random }: Pick<System, "random">): NewId {
  const series = createSeries(random(8));
  let number = 0;
  return (now) => createSerialId("sighting", now, series, number++);
}

async function keepMarks(scope: Scope, integration_id: string, marks: readonly FolderMark[]): Promise<void> {
  const kept = marks.filter(({ path }) => path.length <= longestPath && !path.includes("\0"));
  for (const { path, uidValidity, nextUid } of kept.slice(0, mostFolders)) {
    const mark = { path: path.toWellFormed(), uid_validity: uidValidity, next_uid: nextUid };
    await keepFolderMark(scope, { integration_id, ...mark });
  }
}

/** Stores sightings and the positions read up to in one transaction. */
export type KeepSightings = (
  integrationId: string,
  sightings: readonly Sighting[],
  marks: readonly FolderMark[],
) => Promise<void>;
