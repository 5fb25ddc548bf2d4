// Who makes a request: the owner of a token, or a logged-in user.

import { hashSecret, isSecret, isToken } from "../../../platform/contract/secrets.ts";
import { sessionLifeMs, sessionNotedEveryMs } from "../../../platform/contract/sessions.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Caller, Callers } from "../../../platform/http/callers/caller.ts";
import type { Server } from "../../../platform/server.ts";
import { type Creator, listStandings } from "../rows/memberships.ts";
import { canUseFactor } from "../rows/second-factors.ts";
import { findSession, updateSessionSeen } from "../rows/sessions.ts";
import { findToken, type TokenRow, updateTokenLastUsed } from "../rows/tokens.ts";
import type { SessionsTable } from "../tables.ts";

/** Who creates something that opens the workspace. A token's ends with it. */
export function creatorOf(caller: Caller): Creator {
  return { createdBy: caller.userId, createdWith: caller.via === "token" ? caller.token : null };
}

const tokenNotedEveryMs = 60_000;

declare module "../../../platform/http/callers/caller.ts" {
  interface CallerToken extends TokenRow {}
  interface CallerSession extends SessionsTable {}
}

type CallerTerms = Pick<Server, "store" | "system" | "otherLogins">;

export function createCallers(server: CallerTerms): Callers {
  const { store, system } = server;
  const noteUse = createUseNotes(server);
  return {
    findTokenCaller: async (text, address) => {
      const now = system.now();
      const token = isToken(text) ? await findToken(store.read, hashSecret(text), now) : undefined;
      // A token ends with its creator's membership (store/migrations). Checked here all the same.
      const role = token && (token.created_by === null ? "owner" : token.creator_role);
      if (token === undefined || !role) return undefined;
      const { id, last_used_at, created_by: userId } = token;
      noteUse(id, last_used_at ?? 0, tokenNotedEveryMs, (db) => updateTokenLastUsed(db, id, { now, address }));
      const lacksFactor =
        userId !== null && token.requires_second_factor === 1 && !(await canUseFactor(store.read, userId));
      const memberships = new Map([[token.workspace_id, role]]);
      return { via: "token", token, lacksFactor, userId, memberships };
    },

    findSessionCaller: async (secret) => {
      const now = system.now();
      const session = isSecret(secret) ? await findSession(store.read, hashSecret(secret), now) : undefined;
      if (session === undefined || !(await server.otherLogins.admits(session))) return undefined;
      const { id, last_seen_at, user_id: userId } = session;
      const seen = { now, expiresAt: now + sessionLifeMs };
      const isProlonged = noteUse(id, last_seen_at, sessionNotedEveryMs, (db) => updateSessionSeen(db, id, seen));
      const standings = await listStandings(store.read, userId);
      const isWithheld = ({ requiresFactor }: (typeof standings)[number]) =>
        requiresFactor && session.second_factor_at === null;
      const withheld = new Set(standings.filter(isWithheld).map(({ workspaceId }) => workspaceId));
      const rights = standings.filter((standing) => !isWithheld(standing));
      const memberships = new Map(rights.map(({ workspaceId, role }) => [workspaceId, role]));
      return { via: "session", session, userId, memberships, withheld, isProlonged };
    },
  };
}

type NoteUse = (id: string, lastNotedAt: number, everyMs: number, write: (db: Db) => Promise<void>) => boolean;

/** We remember a recorded use until it can be read back from the database. */
const maxRemembered = 1_000;

/** No answer waits for this, and no answer fails because of it. */
function createUseNotes({ store, system }: CallerTerms): NoteUse {
  const notedAt = new Map<string, number>();
  return (id, lastNotedAt, everyMs, write) => {
    const now = system.now();
    if (now - Math.max(lastNotedAt, notedAt.get(id) ?? 0) < everyMs) return false;
    notedAt.delete(id);
    notedAt.set(id, now);
    const [oldest] = notedAt.keys();
    if (notedAt.size > maxRemembered && oldest !== undefined) notedAt.delete(oldest);
    store
      .write(write)
      .catch((cause: unknown) => system.log.warn("Could not record a caller's last use.", { cause: String(cause) }));
    return true;
  };
}
