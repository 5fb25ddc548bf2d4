import { toTimestamp } from "../api/primitives.ts";
import { endSession, listSessions, type Session } from "../api/sessions.ts";
import { Refusal } from "../errors.ts";
import type { SessionsTable } from "../store/people-schema.ts";
import { listSessions as listSessionRows, removeSession } from "../store/sessions.ts";
import type { Caller } from "./callers.ts";
import { type Route, route } from "./route.ts";

export const sessionRoutes: readonly Route[] = [
  route(listSessions, async ({ caller }, { store, system }) => {
    if (caller.userId === null) return { items: [] };
    const rows = await listSessionRows(store.read, caller.userId, system.now());
    return { items: rows.map((row) => toSession(row, caller)) };
  }),

  route(endSession, async ({ caller, params, cookie }, { store }) => {
    const { userId } = caller;
    const isEnded = userId !== null && (await store.write((db) => removeSession(db, userId, params.id)));
    if (!isEnded) throw new Refusal("not_found", "There is no such session.");
    if (isCurrent(params.id, caller)) cookie.end();
    return undefined;
  }),
];

function toSession(row: SessionsTable, caller: Caller): Session {
  return {
    id: row.id,
    current: isCurrent(row.id, caller),
    address: row.address,
    agent: row.agent,
    createdAt: toTimestamp(row.created_at),
    lastSeenAt: toTimestamp(row.last_seen_at),
    expiresAt: toTimestamp(row.expires_at),
  };
}

function isCurrent(id: string, caller: Caller): boolean {
  return caller.via === "session" && caller.session.id === id;
}
