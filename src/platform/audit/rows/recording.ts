// Records what a call or a command did, in the transaction that does it (src/decisions.md, "Audit log"). The caller says
// beforehand what is about to happen (`recorded`), and the write that makes the change says so (`recordChange`). The entry
// is appended at the end of that write, so that the change and its record are committed together or not at all.

import { AsyncLocalStorage } from "node:async_hooks";
import type { Db } from "../../database/schema.ts";
import type { Store } from "../../database/store.ts";
import { Refusal } from "../../errors.ts";
import type { System } from "../../system/system.ts";
import type { AuditAction } from "../rules/actions.ts";
import { type AuditDetails, type AuditOutcome, serverChain, toDetailsText } from "../rules/entry.ts";
import { findActor, listChainsOf, type Recorder } from "./actors.ts";
import { type Addition, appendEntries } from "./append.ts";
import { type AuditedObject, compareObject, type Found, readObject } from "./objects.ts";

export type Intent = {
  readonly action: AuditAction;
  readonly by: Recorder;
  readonly address: string | null;
  readonly object?: AuditedObject | undefined;
  /** Absent for an object that is about to be created. */
  readonly objectId?: string | undefined;
  /** Null: of none, or known only to the write. */
  readonly workspaceId: string | null;
  /** person: the server's log, and those of all workspaces of the person who acts, or on whom a command acts. */
  readonly log: "workspace" | "server" | "both" | "person";
  /** What was asked for, without secrets. */
  readonly request?: AuditDetails["request"];
  /**
   * maybe: nothing is recorded if no write says that it changed something. none: nothing in the database changes, so it is
   * recorded after it succeeded, and before anyone gets its result. outside: the effect is outside the database, so it is
   * recorded before and after. Default: a write says what it changed.
   */
  readonly effect?: "maybe" | "none" | "outside" | undefined;
};

/** What only the write knows. */
type Change = {
  /** Absent if the intent has it. */
  readonly objectId?: string;
  readonly objectName?: string;
  readonly workspaceId?: string;
  /** Who did it, if the request doesn't say. */
  readonly by?: Recorder;
  readonly details?: AuditDetails;
  /** The object itself stays as it is. */
  readonly isOnlyNamed?: true;
  /** Another action than the one that was expected. */
  readonly instead?: { readonly action: AuditAction; readonly object?: AuditedObject };
};

type Recording = {
  readonly intent: Intent;
  readonly now: () => number;
  change: Change;
  state: "open" | "writing" | "written" | "closed";
};

/** `also`: what else the write in progress records. `change`: absent until it says that it makes one. */
type Write = { change?: Change; readonly also: Addition[] };

type Place = { readonly recording: Recording; readonly write?: Write };

const places = new AsyncLocalStorage<Place | undefined>();

type Terms = { readonly store: Pick<Store, "write">; readonly system: Pick<System, "now" | "log"> };

/** Logged if a write made a change without saying so. A test fails that causes it (test/http/http-world.ts). */
export const lateRecord = "change recorded late";

/** Runs work that does what `intent` says. */
export async function recorded<T>(terms: Terms, intent: Intent, work: () => Promise<T>): Promise<T> {
  const { store, system } = terms;
  const recording: Recording = { intent, now: system.now, change: {}, state: "open" };
  const append = (ending: Ending) => appendEnding(store, recording, ending);
  if (intent.effect === "outside") {
    await append({ outcome: "started" });
    recording.state = "written";
  }
  let result: T;
  try {
    result = await places.run({ recording }, work);
  } catch (error) {
    // The change was made, and only the login after it goes on elsewhere.
    const isDone = error instanceof Refusal && error.code === "second_factor_required";
    if (isWritten(recording) && !isDone) await append({ outcome: "failed", error: toError(error) });
    recording.state = "closed";
    throw error;
  }
  const { effect } = intent;
  if (effect === "outside" || effect === "none" || (effect === undefined && !isWritten(recording))) {
    // Better late than never, but a crash in between would lose it.
    if (effect === undefined) system.log.error(lateRecord, { action: intent.action });
    await append({ outcome: "done" });
  }
  recording.state = "closed";
  return result;
}

function isWritten({ state }: Recording): boolean {
  return state === "written";
}

/**
 * Says that the write in progress makes the change that its call is for. A second one adds to the first. Does nothing in
 * a write that isn't recorded, such as that of a loop.
 */
export function recordChange(change: Change = {}): void {
  const place = places.getStore();
  if (place === undefined) return;
  const { recording, write } = place;
  if (write !== undefined) write.change = { ...write.change, ...change };
  else if (recording.intent.effect === "outside") recording.change = { ...recording.change, ...change };
  else if (recording.state === "open") throw new Error("A change must be recorded in the write that makes it.");
}

/** For a write that may find nothing to change. */
export function recordIf(isChanged: boolean, change?: Change): boolean {
  if (isChanged) recordChange(change);
  return isChanged;
}

/** Records what a call changed besides what it is for, in the same transaction. Without a call, this is the last step. */
export async function recordAlso(db: Db, additions: readonly Addition[]): Promise<void> {
  const write = places.getStore()?.write;
  if (write === undefined) await appendEntries(db, additions);
  else write.also.push(...additions);
}

/** Writes that wait together run one after another, in the context of the first. */
function outside<T>(work: (db: Db) => Promise<T>): (db: Db) => Promise<T> {
  return (db) => places.run(undefined, () => work(db));
}

/** The store, whose writes append the entry of the call that they belong to. */
export function withRecording(store: Store): Store {
  const write: Store["write"] = (work) => {
    const recording = places.getStore()?.recording;
    return recording?.state === "open" ? writeRecorded(store, recording, work) : store.write(outside(work));
  };
  // What is recorded is flushed.
  const writeRelaxed: Store["write"] = (work) =>
    places.getStore()?.recording.state === "open" ? write(work) : store.writeRelaxed(outside(work));
  return { ...store, write, writeRelaxed };
}

async function writeRecorded<T>(
  store: Pick<Store, "write">,
  recording: Recording,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const { intent } = recording;
  let change: Change | undefined;
  try {
    const result = await store.write(async (db) => {
      const write: Write = { also: [] };
      const before = await readObject(db, intent, intent.objectId);
      const by = await findActor(db, intent.by);
      const done = await places.run({ recording, write }, () => work(db));
      const own: Addition[] = [];
      if (write.change !== undefined && recording.state === "open") {
        recording.state = "writing";
        change = write.change;
        own.push(...(await toChange(db, recording, { change, before, by })));
      }
      await appendEntries(db, [...write.also, ...own]);
      return done;
    });
    if (change !== undefined) Object.assign(recording, { change, state: "written" });
    return result;
  } catch (error) {
    if (change !== undefined) recording.state = "open";
    throw error;
  }
}

type Made = { readonly change: Change; readonly before: Found | undefined; readonly by: Recorder };

async function toChange(db: Db, recording: Recording, { change, before, by }: Made): Promise<Addition[]> {
  const { intent } = recording;
  const objectId = change.objectId ?? intent.objectId;
  const workspaceId = change.workspaceId ?? intent.workspaceId ?? before?.workspaceId ?? null;
  const after = change.isOnlyNamed ? before : await readObject(db, { ...intent, workspaceId }, objectId);
  const { name, details } = compareObject(before, after);
  return await toAdditions(db, recording, change, {
    by: change.by === undefined ? by : await findActor(db, change.by),
    workspaceId: workspaceId ?? after?.workspaceId ?? null,
    objectName: name,
    details,
    outcome: "done",
  });
}

type Ending = { readonly outcome: AuditOutcome; readonly error?: string };

/** In a separate write. */
async function appendEnding(
  store: Pick<Store, "write">,
  recording: Recording,
  { outcome, error }: Ending,
): Promise<void> {
  const { intent, change } = recording;
  await store.write(async (db) => {
    const found = await readObject(db, intent, intent.objectId);
    const additions = await toAdditions(db, recording, change, {
      by: await findActor(db, change.by ?? intent.by),
      workspaceId: change.workspaceId ?? intent.workspaceId,
      objectName: found?.shown.name ?? null,
      details: error === undefined ? {} : { error },
      outcome,
    });
    await appendEntries(db, additions);
  });
}

type Entry = {
  readonly by: Recorder;
  readonly workspaceId: string | null;
  readonly objectName: string | null;
  readonly details: AuditDetails;
  readonly outcome: AuditOutcome;
};

async function toAdditions(db: Db, { intent, now }: Recording, change: Change, entry: Entry): Promise<Addition[]> {
  const { by, details, outcome, workspaceId } = entry;
  const objectId = change.objectId ?? intent.objectId ?? null;
  const person = by.userId ?? (intent.object?.isPerson ? objectId : null);
  const chains = await chooseChains(db, intent, { workspaceId, person });
  const request = intent.request && Object.keys(intent.request).length > 0 ? { request: intent.request } : {};
  const own = {
    at: now(),
    action: change.instead?.action ?? intent.action,
    actor_type: by.type,
    actor_id: by.id,
    actor_name: by.name,
    actor_email: by.email,
    object_kind: (change.instead?.object ?? intent.object)?.kind ?? null,
    object_id: objectId,
    object_name: change.objectName ?? entry.objectName,
    outcome,
    times: 1,
    address: intent.address,
    details: toDetailsText({ ...request, ...details, ...change.details }),
  };
  return [{ chains, entry: own }];
}

type Whose = { readonly workspaceId: string | null; readonly person: string | null };

async function chooseChains(db: Db, { log }: Intent, { workspaceId, person }: Whose): Promise<string[]> {
  if (log === "person" && person !== null) return [...(await listChainsOf(db, person)), serverChain];
  if (log === "server" || workspaceId === null) return [serverChain];
  return log === "both" ? [workspaceId, serverChain] : [workspaceId];
}

/** Only the code: a message may repeat what was typed. */
function toError(error: unknown): string {
  return error instanceof Refusal ? error.code : "internal";
}
