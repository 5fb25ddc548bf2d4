// Failed logins in the audit log. Anyone can cause them, so repeats become one entry for each account, address and minute,
// and in a flood the rest is only counted.

import { listChainsOf } from "../../../platform/audit/rows/actors.ts";
import { appendEntry, bySystem } from "../../../platform/audit/rows/append.ts";
import { addFailure, type FailureKey, listFailures, takeFailure } from "../../../platform/audit/rows/failures.ts";
import type { AuditFailuresTable } from "../../../platform/audit/rows/tables.ts";
import { serverChain, toDetailsText } from "../../../platform/audit/rules/entry.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import type { ServeRow } from "../../../platform/work/serve-row.ts";
import { findUserByEmail } from "../../people/rows/users.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const atOnce = 500;

/** Entries of one process, apart for accounts and for other addresses. What exceeds them has no account and no address. */
const perMinute = 10;
const perDay = 300;

export type FailureCount = (account: string, address: string) => Promise<void>;

export function createFailureCount(
  store: Pick<Store, "read" | "writeRelaxed">,
  { now, log }: Pick<System, "now" | "log">,
): FailureCount {
  // Made-up addresses cost nothing, so they can't use up the room of accounts.
  const rooms = { accounts: createRoom(), others: createRoom() };
  return async (account, address) => {
    // The caller gets the same answer either way.
    try {
      const isAccount = (await findUserByEmail(store.read, account)) !== undefined;
      const failure = (isAccount ? rooms.accounts : rooms.others)(account, address, now());
      await store.writeRelaxed((db) => addFailure(db, failure));
    } catch (error) {
      log.error("A failed login could not be recorded.", { address }, error);
    }
  };
}

type Room = (account: string, address: string, at: number) => Omit<AuditFailuresTable, "times">;

/** Returns the time and names under which a failure is counted. */
function createRoom(): Room {
  const minute = { over_at: 0, known: new Set<string>() };
  const day = { over_at: 0, entries: 0 };
  return (account, address, at) => {
    const over_at = endOf(at, minuteMs);
    if (over_at !== minute.over_at) Object.assign(minute, { over_at, known: new Set() });
    if (endOf(at, dayMs) !== day.over_at) Object.assign(day, { over_at: endOf(at, dayMs), entries: 0 });
    const key = `${account} ${address}`;
    if (minute.known.has(key)) return { over_at, account, address };
    if (day.entries >= perDay) return { over_at: endOf(at, hourMs), account: "", address: "" };
    if (minute.known.size >= perMinute) return { over_at, account: "", address: "" };
    minute.known.add(key);
    day.entries += 1;
    return { over_at, account, address };
  };
}

function endOf(at: number, span: number): number {
  return at - (at % span) + span;
}

export async function recordFailures({ store, system }: Terms, serve: ServeRow): Promise<void> {
  const now = system.now();
  // One in each write, because locks of several chains must be taken in order.
  const record = (key: FailureKey) =>
    store.write(async (db) => {
      const failure = await takeFailure(db, key);
      if (failure !== undefined) await append(db, failure, now);
      return true;
    });
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const key of await listFailures(store.read, now, atOnce))
      if (await serve(`${key.over_at} ${key.account} ${key.address}`, () => record(key))) isMore = true;
  }
}

async function append(db: Db, { over_at, account, address, times }: AuditFailuresTable, now: number): Promise<void> {
  const isOne = account !== "";
  const user = isOne ? await findUserByEmail(db, account) : undefined;
  const workspaces = user === undefined ? [] : await listChainsOf(db, user.id);
  await appendEntry(db, [...workspaces, serverChain], {
    ...bySystem,
    at: now,
    action: "login.failure",
    actor_type: "unknown",
    object_kind: "user",
    object_id: user?.id ?? null,
    object_name: isOne ? account : "several accounts",
    times,
    address: isOne ? address : null,
    details: toDetailsText({ until: new Date(over_at).toISOString() }),
  });
}

type Terms = { readonly store: Pick<Store, "read" | "write">; readonly system: Pick<System, "now"> };

export function createFailureChore(terms: Terms): Chore {
  return { id: "failed logins", everyMs: minuteMs, run: (_stopping, serve) => recordFailures(terms, serve) };
}
