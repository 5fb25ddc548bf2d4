// Who makes a request: the owner of a token, or a logged-in user.

import type { Role } from "../../contract/roles.ts";
import type { TokenScope } from "../../contract/token-scopes.ts";

type CallerRights = {
  /** Null: the server operator. */
  readonly userId: string | null;
  /** The caller's workspaces and their role in each. */
  readonly memberships: ReadonlyMap<string, Role>;
};

/** The feature that keeps tokens adds what else it knows of one. */
export interface CallerToken {
  id: string;
  name: string;
  workspace_id: string;
  scope: TokenScope;
  label: string | null;
}

export interface CallerSession {
  id: string;
}

export type TokenCaller = CallerRights & {
  readonly via: "token";
  readonly token: CallerToken;
  /** The workspace requires a second factor, which the creator doesn't have. */
  readonly lacksFactor: boolean;
};

export type SessionCaller = CallerRights & {
  readonly via: "session";
  readonly userId: string;
  readonly session: CallerSession;
  /** Workspaces that require a second factor, which this session lacks. They are missing in `memberships`. */
  readonly withheld: ReadonlySet<string>;
  /** The session was just extended, so the cookie needs a new lifetime. */
  readonly isProlonged: boolean;
};

export type Caller = TokenCaller | SessionCaller;

/** `workspaceId` is null if the endpoint doesn't belong to a workspace. */
export type Admission = { readonly caller: Caller | null; readonly workspaceId: string | null };

export type Callers = {
  /** `address`: the client's, which is noted with the use. */
  readonly findTokenCaller: (token: string, address: string) => Promise<TokenCaller | undefined>;
  readonly findSessionCaller: (secret: string) => Promise<SessionCaller | undefined>;
};

/** Whose event streams are counted together: a person's, or a token's if no person created it. */
export function followerOf(caller: Caller): string {
  return caller.via === "session" ? caller.userId : (caller.userId ?? caller.token.id);
}

/** What may end a caller's rights: the person, and the token or the session. */
export function rightsOf({ userId, ...caller }: Caller): string[] {
  const own = caller.via === "session" ? caller.session.id : caller.token.id;
  return userId === null ? [own] : [userId, own];
}
