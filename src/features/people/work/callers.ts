// Who makes a request: the owner of a token, or a logged-in user.

import type { Role } from "../../../platform/contract/roles.ts";
import { hashSecret, isSecret, isToken } from "../../../platform/contract/secrets.ts";
import { sessionLifeMs, sessionNotedEveryMs } from "../../../platform/contract/sessions.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Dependencies } from "../../../server/dependencies.ts";
import { type Creator, listStandings } from "../rows/memberships.ts";
import { canUseFactor } from "../rows/second-factors.ts";
import { findSession, updateSessionSeen } from "../rows/sessions.ts";
import { findToken, type TokenRow, updateTokenLastUsed } from "../rows/tokens.ts";
import type { SessionsTable } from "../tables.ts";

type CallerRights = {
  /** Null: the server operator. */
  readonly userId: string | null;
  /** The caller's workspaces and their role in each. */
  readonly memberships: ReadonlyMap<string, Role>;
};

export type TokenCaller = CallerRights & {
  readonly via: "token";
  readonly token: TokenRow;
  /** The workspace requires a second factor, which the creator doesn't have. */
  readonly lacksFactor: boolean;
};

export type SessionCaller = CallerRights & {
  readonly via: "session";
  readonly userId: string;
  readonly session: SessionsTable;
  /** Workspaces that require a second factor, which this session lacks. They are missing in `memberships`. */
  readonly withheld: ReadonlySet<string>;
  /** The session was just extended, so the cookie needs a new lifetime. */
  readonly isProlonged: boolean;
};

export type Caller = TokenCaller | SessionCaller;

/** Whose event streams are counted together: a person's, or a token's if no person created it. */
export function followerOf(caller: Caller): string {
  return caller.via === "session" ? caller.userId : (caller.userId ?? caller.token.id);
}

/** What may end a caller's rights: the person, and the token or the session. */
export function rightsOf({ userId, ...caller }: Caller): string[] {
  const own = caller.via === "session" ? caller.session.id : caller.token.id;
  return userId === null ? [own] : [userId, own];
}

/** Who creates something that opens the workspace. A token's ends with it. */
export function creatorOf(caller: Caller): Creator {
  return { createdBy: caller.userId, createdWith: caller.via === "token" ? caller.token : null };
}

type Callers = {
  /** `address`: the client's, which is noted with the use. */
  readonly findTokenCaller: (token: string, address: string) => Promise<TokenCaller | undefined>;
  readonly findSessionCaller: (secret: string) => Promise<SessionCaller | undefined>;
};

const tokenNotedEveryMs = 60_000;

export function createCallers(dependencies: Dependencies): Callers {
  const { store, system } = dependencies;
  const noteUse = createUseNotes(dependencies);
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
      if (session === undefined || !(await dependencies.oidc.admits(session))) return undefined;
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
function createUseNotes({ store, system }: Dependencies): NoteUse {
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
