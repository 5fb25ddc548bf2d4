// What seed mailboxes show → observations of tests. A message whose own copy is slower waits for it, so that whichever
// comes last finds the other.

import { createSerialId, createSeries } from "../../ids.ts";
import {
  isAnotherMessage,
  marksOf,
  matchSighting,
  toBoundedSighting,
  toMatchKeys,
} from "../../reports/match-sighting.ts";
import type { Sighting } from "../../reports/sighting.ts";
import { keepFolderMark } from "../../store/mailboxes/mailboxes.ts";
import { findWorkspaceOfMailbox, holdMailbox, lockTest } from "../../store/mailboxes/observations.ts";
import {
  insertWaiting,
  listCandidates,
  listWaitingOf,
  removeWaiting,
  trimWaiting,
  type Waiting,
} from "../../store/mailboxes/sightings.ts";
import { inWorkspace, type Scope } from "../../store/scope.ts";
import type { Store } from "../../store/store.ts";
import { readReport } from "../../store/tests/reports.ts";
import type { System } from "../../system/system.ts";
import type { Publish } from "../events/hub.ts";
import type { FolderMark } from "./messages.ts";
import { type Discovery, type ObservedEvent, type ObservedMailbox, observe, placementOf } from "./observe.ts";

type SightingRecorder = {
  readonly keepSightings: KeepSightings;
  /** Looks no more for what may have missed its test. */
  readonly close: () => void;
};

type SightingTerms = {
  readonly store: Pick<Store, "dialect" | "read" | "write">;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly publish: Publish;
  /** Longer than any analysis takes to be kept. */
  readonly lookAgainMs?: number;
};

/** In one transaction, which nobody waits long behind. */
const mostAtOnce = 25;
/** What has waited for longer was looked at before. */
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

  /** On PostgreSQL a test may be kept while its sighting is, and neither sees the other. */
  function lookAgainLater(workspaceId: string, integrationId: string): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      lookAgain(terms, workspaceId, integrationId).catch((error: unknown) =>
        system.log.error("waiting sightings not looked at", { integration: integrationId }, error),
      );
    }, terms.lookAgainMs ?? 3_000).unref();
    timers.add(timer);
  }

  return {
    keepSightings: async (integrationId, sightings, marks) => {
      const workspaceId = await findWorkspaceOfMailbox(store.read, integrationId);
      // Disconnected meanwhile.
      if (workspaceId === undefined) return;
      let waiting = 0;
      for (let at = 0; at === 0 || at < sightings.length; at += mostAtOnce) {
        const some = sightings.slice(at, at + mostAtOnce);
        const isLast = at + mostAtOnce >= sightings.length;
        // What is not kept yet is read again after a crash: the marks go on with the last of it.
        const call = { integrationId, sightings: some, marks: isLast ? marks : [] };
        waiting += await keepSome({ ...terms, newId }, workspaceId, call);
      }
      if (waiting > 0 && store.dialect === "postgres") lookAgainLater(workspaceId, integrationId);
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Answers how many wait. */
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
    const { found, unmatched } = await matchAll(scope, mailbox, bounded);
    for (const sighting of unmatched)
      await keepWaiting(scope, { id: newId(now), integrationId: mailbox.id, sighting, keptAt: now });
    if (unmatched.length > 0) await trimWaiting(scope, mailbox.id, mostWaiting);
    await keepMarks(scope, mailbox.id, call.marks);
    return { waiting: unmatched.length, events: await observeAll(scope, found, system) };
  });
  for (const event of events) publish(workspaceId, event);
  return waiting;
}

const nothing: { readonly waiting: number; readonly events: readonly ObservedEvent[] } = {
  waiting: 0,
  events: [],
};

/** Waiting ones that a test has taken meanwhile are known to it: they tell nothing twice. */
async function lookAgain(
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
  // What only looks like a test's leaves it to what is known to be.
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

/** In the order of the tests: two mailboxes that wait for each other's tests would wait for ever. */
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
  // Without any it fits no test that may come.
  if (keys.length > 0) await insertWaiting(scope, { ...waiting, keys });
}

type NewId = (now: number) => string;

/** In the order in which they were seen, also within a millisecond: the last tells where the message is. */
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

/** Keeps what a seed mailbox showed, and with it, in one transaction, up to where it was read. */
export type KeepSightings = (
  integrationId: string,
  sightings: readonly Sighting[],
  marks: readonly FolderMark[],
) => Promise<void>;
