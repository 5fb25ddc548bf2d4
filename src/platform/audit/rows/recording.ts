// Records what a call or a command did, in the transaction that does it (src/decisions.md, "Audit log"). The caller says
// beforehand what is about to happen (`recorded`). The first write that changes one of the expected tables also appends
// the entry, so that the change and its record are committed together or not at all. A change without such a write, such
// as an export, is recorded after it succeeded and before anyone gets its result.

import { AsyncLocalStorage } from "node:async_hooks";
import type { Db, Schema } from "../../database/schema.ts";
import type { Store } from "../../database/store.ts";
import { Refusal } from "../../errors.ts";
import type { AuditAction } from "../rules/actions.ts";
import { type AuditDetails, type AuditOutcome, serverChain, toDetailsText } from "../rules/entry.ts";
import { findActor, listChainsOf, type Recorder } from "./actors.ts";
import { type Addition, appendEntries } from "./append.ts";
import { compareObject, type Found, readObject } from "./objects.ts";
import { type AuditObjectKind, auditedObjects } from "./objects-table.ts";
import { createWatch, type Watch } from "./watch.ts";

export type Intent = {
  readonly action: AuditAction;
  readonly by: Recorder;
  readonly address: string | null;
  readonly at: () => number;
  readonly object?: AuditObjectKind | undefined;
  /** Absent for an object that is about to be created. */
  readonly objectId?: string | undefined;
  readonly objectName?: string | undefined;
  /** A change of one of these is what is recorded. Default: the object's table. */
  readonly tables?: readonly (keyof Schema)[] | undefined;
  /** Null: of none, or known only from the rows that are written. */
  readonly workspaceId: string | null;
  /** person: the server's log, and those of all workspaces of the person who acts, or on whom a command acts. */
  readonly log: "workspace" | "server" | "both" | "person";
  /** What was asked for, without secrets. */
  readonly request?: AuditDetails["request"];
  /** True: the effect is outside the database, so it is recorded before and after. */
  readonly isBefore?: boolean | undefined;
  /** change: if no such table was changed, nothing happened. described: if the change wasn't described, nothing did. */
  readonly isOnly?: "change" | "described" | undefined;
};

/** What only the code that makes the change knows. */
type Described = {
  /** Another action than the one that was expected, and who did it. */
  readonly instead?: { readonly action: AuditAction; readonly object: AuditObjectKind };
  /** Who did it, if the request doesn't say. */
  readonly by?: Recorder;
  readonly workspaceId?: string;
  readonly objectId?: string;
  readonly objectName?: string;
  readonly details?: AuditDetails;
};

type Recording = {
  readonly intent: Intent;
  described: Described;
  /** What else the write in progress records. */
  also: readonly Addition[];
  state: "open" | "writing" | "written" | "closed";
};

const recordings = new AsyncLocalStorage<Recording | undefined>();

/** Runs work that does what `intent` says. */
export async function recorded<T>(store: Pick<Store, "write">, intent: Intent, work: () => Promise<T>): Promise<T> {
  const recording: Recording = { intent, described: {}, also: [], state: "open" };
  if (intent.isBefore === true) {
    await append(store, recording, { outcome: "started" });
    recording.state = "written";
  }
  let result: T;
  try {
    result = await recordings.run(recording, work);
  } catch (error) {
    // The change was made, and only the login after it goes on elsewhere.
    const isDone = error instanceof Refusal && error.code === "second_factor_required";
    if (isWritten(recording) && !isDone) await append(store, recording, { outcome: "failed", error: toError(error) });
    recording.state = "closed";
    throw error;
  }
  if (intent.isBefore === true || (!isWritten(recording) && intent.isOnly === undefined))
    await append(store, recording, { outcome: "done" });
  recording.state = "closed";
  return result;
}

function isWritten({ state }: Recording): boolean {
  return state === "written";
}

/** Adds to the entry of the call in progress, if it is recorded. */
export function describeChange(described: Described): void {
  const recording = recordings.getStore();
  if (recording !== undefined) recording.described = { ...recording.described, ...described };
}

/** Records what a call changed besides what it is for, in the same transaction. Without a call, this is the last step. */
export async function recordAlso(db: Db, additions: readonly Addition[]): Promise<void> {
  const recording = recordings.getStore();
  if (recording?.state === "open") recording.also = [...recording.also, ...additions];
  else await appendEntries(db, additions);
}

/** The store, whose writes append the entry of the call that they belong to. */
export function withRecording(store: Store): Store {
  const write: Store["write"] = (work) => {
    const recording = recordings.getStore();
    // Writes that wait together run one after another, in the context of the first.
    if (recording?.state !== "open") return store.write((db) => recordings.run(undefined, () => work(db)));
    return writeRecorded(store, recording, work);
  };
  return { ...store, write };
}

async function writeRecorded<T>(
  store: Pick<Store, "write">,
  recording: Recording,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const { intent } = recording;
  const tables = intent.tables ?? (intent.object ? [auditedObjects[intent.object].table] : []);
  let isAppended = false;
  try {
    const result = await store.write(async (db) => {
      const watch = createWatch(tables);
      recording.also = [];
      const before = await readObject(db, intent, intent.objectId);
      const by = await findActor(db, intent.by, watch);
      const done = await recordings.run(recording, () => work(db.withPlugin(watch.plugin)));
      const isMeant = intent.isOnly !== "described" || Object.keys(recording.described).length > 0;
      if (!watch.isTouched() || !isMeant || recording.state !== "open") {
        await appendEntries(db, recording.also);
        return done;
      }
      recording.state = "writing";
      isAppended = true;
      await appendWatched(db, recording, { watch, before, by });
      return done;
    });
    if (isAppended) recording.state = "written";
    return result;
  } catch (error) {
    if (isAppended) recording.state = "open";
    throw error;
  }
}

type Watched = { readonly watch: Watch; readonly before: Found | undefined; readonly by: Recorder };

async function appendWatched(db: Db, recording: Recording, { watch, before, by }: Watched): Promise<void> {
  const { intent, described } = recording;
  const table = intent.object === undefined ? undefined : auditedObjects[intent.object];
  const created = table === undefined ? undefined : watch.inserted(table.table);
  const key = table !== undefined && "key" in table ? table.key : "id";
  const objectId = described.objectId ?? intent.objectId ?? toText(created?.[key]);
  const own = intent.object === "workspace" ? objectId : (before?.workspaceId ?? toText(created?.workspace_id));
  const workspaceId = described.workspaceId ?? intent.workspaceId ?? own ?? null;
  const after = await readObject(db, { ...intent, workspaceId }, objectId);
  const { name, details } = compareObject(before, after);
  await appendNow(db, recording, {
    by: await findActor(db, described.by ?? by, watch),
    workspaceId,
    objectId,
    objectName: name,
    details,
    outcome: "done",
  });
}

type Ending = { readonly outcome: AuditOutcome; readonly error?: string };

/** In a separate write. */
async function append(store: Pick<Store, "write">, recording: Recording, ending: Ending): Promise<void> {
  const { intent, described } = recording;
  recording.also = [];
  await store.write(async (db) => {
    const found = await readObject(db, intent, intent.objectId);
    const by = await findActor(db, described.by ?? intent.by);
    await appendNow(db, recording, {
      by,
      workspaceId: intent.workspaceId,
      objectId: intent.objectId,
      objectName: found?.shown.name ?? null,
      details: ending.error === undefined ? {} : { error: ending.error },
      outcome: ending.outcome,
    });
  });
}

type Entry = {
  readonly by: Recorder;
  readonly workspaceId: string | null;
  readonly objectId: string | undefined;
  readonly objectName: string | null;
  readonly details: AuditDetails;
  readonly outcome: AuditOutcome;
};

async function appendNow(db: Db, { intent, described, also }: Recording, entry: Entry): Promise<void> {
  const { by, details, outcome } = entry;
  if (by.type === "none") return;
  const chains = await chooseChains(db, intent, {
    workspaceId: described.workspaceId ?? entry.workspaceId,
    person: by.userId ?? (intent.object === "user" ? (described.objectId ?? entry.objectId ?? null) : null),
  });
  const request = intent.request && Object.keys(intent.request).length > 0 ? { request: intent.request } : {};
  const own = {
    at: intent.at(),
    action: described.instead?.action ?? intent.action,
    actor_type: toActorType(by),
    actor_id: by.id,
    actor_name: by.name,
    actor_email: by.email,
    object_kind: described.instead?.object ?? intent.object ?? null,
    object_id: described.objectId ?? entry.objectId ?? null,
    object_name: described.objectName ?? entry.objectName ?? intent.objectName ?? null,
    outcome,
    times: 1,
    address: intent.address,
    details: toDetailsText({ ...request, ...details, ...described.details }),
  };
  await appendEntries(db, [...also, { chains, entry: own }]);
}

type Whose = { readonly workspaceId: string | null; readonly person: string | null };

async function chooseChains(db: Db, { log }: Intent, { workspaceId, person }: Whose): Promise<string[]> {
  if (log === "person" && person !== null) return [...(await listChainsOf(db, person)), serverChain];
  if (log === "server" || workspaceId === null) return [serverChain];
  return log === "both" ? [workspaceId, serverChain] : [workspaceId];
}

function toActorType({ type }: Recorder): "person" | "token" | "command" | "system" | "unknown" {
  return type === "session" || type === "new-session" || type === "none" ? "unknown" : type;
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Only the code: a message may repeat what was typed. */
function toError(error: unknown): string {
  return error instanceof Refusal ? error.code : "internal";
}
