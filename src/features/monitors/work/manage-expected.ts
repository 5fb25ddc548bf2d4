// Creates and changes monitors of expected mail, and tries out what they would match.

import type { z } from "zod";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { readSeedInbox } from "../../intake/rows/seed-inboxes.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import type * as endpoints from "../contract/expected.ts";
import type { ExpectedMatch } from "../contract/expected.ts";
import { maxMonitors, removeOpenRuns } from "../rows/expected.ts";
import { listStoredMail, type StoredMail } from "../rows/monitor-list.ts";
import { countMonitors, insertMonitor, lockMonitor, readMonitor, updateMonitor } from "../rows/monitors.ts";
import { matchMail, toFirstAddress } from "../rules/expected.ts";
import type { MonitorsTable } from "../tables.ts";
import { beginWatching, readTerms } from "./runs.ts";

type Sys = Pick<System, "now" | "random">;

type WantedExpected = z.output<typeof endpoints.createExpected.body>;
type ExpectedChanges = z.output<typeof endpoints.changeExpected.body>;

export async function createExpected(
  store: WorkspaceStore,
  system: Sys,
  { name, ...terms }: WantedExpected,
): Promise<MonitorsTable> {
  const now = system.now();
  const id = createId("monitor", now, system.random(16));
  return await store.write(async (scope) => {
    await lockWorkspace(scope);
    await requireInbox(scope, terms.match);
    if ((await countMonitors(scope, "expected")) >= maxMonitors)
      throw new Refusal(
        "conflict",
        `A workspace can have at most ${maxMonitors} monitors of expected mail. Delete one first.`,
      );
    await insertMonitor(scope, {
      id,
      kind: "expected",
      name,
      relay_id: null,
      terms: JSON.stringify(terms),
      next_at: null,
      created_at: now,
    });
    await beginWatching(scope, await requireMonitor(scope, id), system);
    recordChange({ objectId: id });
    return await requireMonitor(scope, id);
  });
}

export async function changeExpected(
  store: WorkspaceStore,
  system: Sys,
  id: string,
  { name, enabled, ...changes }: ExpectedChanges,
): Promise<MonitorsTable> {
  return await store.write(async (scope) => {
    const row = await requireExpected(scope, id);
    const before = (await lockMonitor(scope, row.id)) ?? row;
    const terms = JSON.stringify({ ...readTerms(before), ...withoutUndefined(changes) });
    if (changes.match) await requireInbox(scope, changes.match);
    await updateMonitor(scope, id, { terms, ...(name !== undefined && { name }) });
    recordChange();
    const isOn = enabled ?? before.enabled === 1;
    if (!isOn) await pause(scope, id);
    else if (terms !== before.terms || before.enabled === 0) {
      await updateMonitor(scope, id, { enabled: 1 });
      await beginWatching(scope, { ...before, terms }, system);
    }
    return await requireMonitor(scope, id);
  });
}

/** Mail that arrives meanwhile doesn't count. */
async function pause(scope: Scope, id: string): Promise<void> {
  await removeOpenRuns(scope, id);
  await updateMonitor(scope, id, { enabled: 0, due_at: null });
}

function withoutUndefined<T extends object>(changes: T): Partial<T> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<T>;
}

export async function requireMonitor(scope: Scope, id: string): Promise<MonitorsTable> {
  const row = await readMonitor(scope, id);
  if (!row) throw new Refusal("not_found", "Monitor not found.");
  return row;
}

export async function requireExpected(scope: Scope, id: string): Promise<MonitorsTable> {
  const row = await requireMonitor(scope, id);
  if (row.kind !== "expected") throw new Refusal("not_found", "This monitor does not expect others' mail.");
  return row;
}

async function requireInbox(scope: Scope, { inboxId }: ExpectedMatch): Promise<void> {
  if (inboxId === null || (await readSeedInbox(scope, inboxId))) return;
  throw new Refusal("invalid_request", '"match.inboxId" is not a seed inbox of this workspace.', { field: "match" });
}

const daysCompared = 30;
const mostCompared = 5_000;

type Preview = {
  readonly since: number;
  readonly compared: number;
  readonly isCut: boolean;
  readonly matching: readonly StoredMail[];
  readonly others: readonly StoredMail[];
};

/** Words in the message aren't compared, because that would read every raw message. */
export async function previewExpected(
  { readInWorker }: Pick<WorkspaceStore, "readInWorker">,
  system: Pick<System, "now">,
  match: ExpectedMatch,
): Promise<Preview> {
  const since = system.now() - daysCompared * 86_400_000;
  const stored = await listStoredMail(readInWorker, since, mostCompared);
  const told = stored.map((mail) => ({ mail, verdict: matchMail({ ...match, textContains: null }, toArrived(mail)) }));
  const those = (wanted: "expected" | "wrong-words") =>
    told.filter(({ verdict }) => verdict === wanted).map(({ mail }) => mail);
  return {
    since,
    compared: stored.length,
    isCut: stored.length === mostCompared,
    matching: those("expected"),
    others: those("wrong-words"),
  };
}

function toArrived({ became, seed_inbox_id, label, header_from, subject }: StoredMail) {
  return {
    inboxId: seed_inbox_id,
    label,
    address: toFirstAddress(header_from),
    subject,
    text: null,
    isNotice: became !== "test" && became !== "auto-reply",
  };
}
