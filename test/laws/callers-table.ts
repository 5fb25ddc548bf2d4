// Everyone who may ask: with what, and what each is answered where only they may be wrong.

import { createHash } from "node:crypto";
import { insertFactor } from "../../src/features/people/rows/second-factors.ts";
import { revokeToken } from "../../src/features/people/work/tokens.ts";
import type { Access, Endpoint } from "../../src/platform/contract/endpoint.ts";
import { scopeAllows, type TokenScope } from "../../src/platform/contract/token-scopes.ts";
import { storeOf } from "../../src/platform/database/scope.ts";
import { createId } from "../../src/platform/ids.ts";
import type { Asked } from "../http/ask.ts";
import { type HttpWorld, openHttpWorld } from "../http/http-world.ts";
import { furnish, type Place } from "./places.ts";

export type Scene = {
  readonly world: HttpWorld;
  readonly ours: Place;
  readonly theirs: Place;
  /** Tokens of ours that open nothing any more. */
  readonly revoked: string;
  readonly expired: string;
  /** The cookie of such a session. */
  readonly ended: string;
  /** Of an owner of ours who has still to give their second factor. */
  readonly pending: string;
  /** Tokens of ours that open less than all. */
  readonly limited: Readonly<Record<"read" | "write" | "labeled" | "readLabeled" | "membersRead", string>>;
};

/** 403: the same answer as for a workspace that doesn't exist. "refused": 403 for another reason. */
type Outcome = 401 | 403 | "refused" | "in";

export type CallerRow = {
  readonly caller: string;
  /** How they ask for what is ours. */
  readonly credentials: (scene: Scene) => Asked | Promise<Asked>;
  readonly gets: Readonly<Record<Access, Outcome>>;
  /** Not from a page of ours: a browser sends the cookie for any page, so that nothing may be changed by it. */
  readonly fromElsewhere?: true;
  /** What the token opens, of all that its role opens. */
  readonly token?: { readonly scope: TokenScope; readonly isLabeled?: true };
  /** Whose things no answer to them may tell of. */
  readonly neverTold: (scene: Scene) => readonly Place[];
};

const nothingOpen = { public: "in", metrics: "in", caller: 403, member: 403, owner: 403, token: 403 } as const;
const notKnown = { ...nothingOpen, caller: 401, member: 401, owner: 401, token: 401 } as const;
const elsewhereOpen = { ...nothingOpen, caller: "in" } as const;
const allOpen = { public: "in", metrics: "in", caller: "in", member: "in", owner: "in", token: "in" } as const;
const allButOwnersOpen = { ...allOpen, owner: "refused" } as const;
/** A session opens nothing that is for tokens alone. */
const ofSession = <T>(gets: T) => ({ ...gets, token: 401 }) as const;

type Credentials = CallerRow["credentials"];
const withToken =
  (token: (scene: Scene) => string): Credentials =>
  (scene) => ({ token: token(scene), workspace: scene.ours.workspaceId });
const withSession =
  (userOf: (scene: Scene) => { readonly id: string }): Credentials =>
  async (scene) => ({ cookie: await openSession(scene, userOf(scene)), workspace: scene.ours.workspaceId });
const fromPage =
  (headers: Readonly<Record<string, string>>): Credentials =>
  async (scene) => ({
    headers: { cookie: await openSession(scene, scene.ours.owner), ...headers },
    workspace: scene.ours.workspaceId,
  });

const ours = ({ ours }: Scene) => [ours];
const theirs = ({ theirs }: Scene) => [theirs];
const both = (scene: Scene) => [scene.ours, scene.theirs];

/** Metrics are asked for on loopback; who else may is told in health.test.ts. */
export const callers: readonly CallerRow[] = [
  { caller: "nobody", credentials: ({ ours }) => ({ workspace: ours.workspaceId }), gets: notKnown, neverTold: both },
  {
    caller: "somebody with another scheme",
    credentials: ({ ours }) => ({ workspace: ours.workspaceId, headers: { authorization: `Basic ${btoa("a:b")}` } }),
    gets: nothingOpen,
    neverTold: both,
  },
  {
    caller: "a token that nobody issued",
    credentials: withToken(() => `asy_${"z".repeat(40)}`),
    gets: nothingOpen,
    neverTold: both,
  },
  { caller: "a revoked token", credentials: withToken(({ revoked }) => revoked), gets: nothingOpen, neverTold: both },
  { caller: "an expired token", credentials: withToken(({ expired }) => expired), gets: nothingOpen, neverTold: both },
  {
    caller: "a token of somebody who left",
    credentials: withToken(({ ours }) => ours.leaversToken),
    gets: nothingOpen,
    neverTold: both,
  },
  {
    caller: "a token of another workspace",
    credentials: withToken(({ theirs }) => theirs.token),
    gets: elsewhereOpen,
    token: { scope: "full" },
    neverTold: ours,
  },
  {
    caller: "a member's token",
    credentials: withToken(({ ours }) => ours.membersToken),
    gets: allButOwnersOpen,
    token: { scope: "full" },
    neverTold: theirs,
  },
  {
    caller: "an owner's token",
    credentials: withToken(({ ours }) => ours.token),
    gets: allOpen,
    token: { scope: "full" },
    neverTold: theirs,
  },
  {
    caller: "a token that only reads",
    credentials: withToken(({ limited }) => limited.read),
    gets: allOpen,
    token: { scope: "read" },
    neverTold: theirs,
  },
  {
    caller: "a token that also writes",
    credentials: withToken(({ limited }) => limited.write),
    gets: allOpen,
    token: { scope: "write" },
    neverTold: theirs,
  },
  {
    caller: "a token of one label",
    credentials: withToken(({ limited }) => limited.labeled),
    gets: allOpen,
    token: { scope: "admin", isLabeled: true },
    neverTold: theirs,
  },
  {
    caller: "a token that only reads one label",
    credentials: withToken(({ limited }) => limited.readLabeled),
    gets: allOpen,
    token: { scope: "read", isLabeled: true },
    neverTold: theirs,
  },
  {
    caller: "a member's token that only reads",
    credentials: withToken(({ limited }) => limited.membersRead),
    gets: allButOwnersOpen,
    token: { scope: "read" },
    neverTold: theirs,
  },
  {
    caller: "a session that waits for its second factor",
    credentials: ({ pending, ours }) => ({ cookie: pending, workspace: ours.workspaceId }),
    gets: notKnown,
    neverTold: both,
  },
  {
    caller: "a session that has ended",
    credentials: ({ ended, ours }) => ({ cookie: ended, workspace: ours.workspaceId }),
    gets: notKnown,
    neverTold: both,
  },
  {
    caller: "a session of another workspace",
    credentials: withSession(({ theirs }) => theirs.owner),
    gets: ofSession(elsewhereOpen),
    neverTold: ours,
  },
  {
    caller: "a member's session",
    credentials: withSession(({ ours }) => ours.member),
    gets: ofSession(allButOwnersOpen),
    neverTold: theirs,
  },
  {
    caller: "an owner's session",
    credentials: withSession(({ ours }) => ours.owner),
    gets: ofSession(allOpen),
    neverTold: theirs,
  },
  {
    caller: "an owner's session, from a page of another address",
    credentials: fromPage({ origin: "https://elsewhere.example" }),
    gets: { ...allOpen, token: "refused" },
    fromElsewhere: true,
    neverTold: theirs,
  },
  {
    caller: "an owner's session, without a word from which page",
    credentials: fromPage({}),
    gets: ofSession(allOpen),
    fromElsewhere: true,
    neverTold: theirs,
  },
];

export function outcomeOf({ gets, fromElsewhere, token }: CallerRow, endpoint: Endpoint): Outcome {
  const { access, method } = endpoint;
  if (fromElsewhere && method !== "GET" && access !== "token") return "refused";
  const outcome = gets[access];
  // Nobody in the workspace has what the server lacks.
  if (endpoint.needs !== null && outcome === "refused") return "in";
  return outcome === "in" && endpoint.needs === null && token !== undefined && !isEnough(token, endpoint)
    ? "refused"
    : outcome;
}

function isEnough({ scope, isLabeled }: NonNullable<CallerRow["token"]>, endpoint: Endpoint): boolean {
  const { token: needed, labelToken } = endpoint;
  if (needed === null) return true;
  return needed !== "person" && scopeAllows(scope, needed) && !(isLabeled && labelToken === null);
}

/** With all rights in ours. */
export const owners = callers.filter(
  ({ gets, fromElsewhere, token }) =>
    gets.owner === "in" && !fromElsewhere && (token === undefined || (token.scope === "full" && !token.isLabeled)),
);

/**
 * Used again until something is asked that may end one: after each new one, the whole database is read again to be
 * compared.
 */
let open: { readonly world: HttpWorld; readonly cookies: Map<string, string> } | undefined;

export async function openSession({ world }: Pick<Scene, "world">, user: { id: string }): Promise<string> {
  if (open?.world !== world) open = { world, cookies: new Map() };
  const cookie = open.cookies.get(user.id) ?? (await world.openSession(user.id)).cookie;
  open.cookies.set(user.id, cookie);
  return cookie;
}

export function forgetSessions(): void {
  open = undefined;
}

/** A session after the password. */
async function openPending(world: HttpWorld, workspaceId: string): Promise<string> {
  const { id: userId } = await world.addPerson(workspaceId, "owner", "ours-pending");
  const id = createId("secondFactor", world.clock.nowMs, createHash("sha256").update(userId).digest());
  await world.store.write((db) =>
    insertFactor(db, {
      id,
      user_id: userId,
      kind: "totp",
      name: "phone",
      created_at: world.clock.nowMs,
      confirmed_at: world.clock.nowMs,
      last_used_at: null,
      secret: null,
      last_step: null,
      passkey: null,
      credential_id: null,
    }),
  );
  return (await world.openSession(userId)).cookie;
}

export async function openScene(): Promise<Scene> {
  const world = await openHttpWorld();
  const ours = await furnish(world, "ours");
  const theirs = await furnish(world, "theirs");
  const { workspaceId: workspace } = ours;
  const toRevoke = await world.issueToken(workspace);
  const toExpire = await world.issueToken(workspace, world.clock.nowMs + 1);
  await revokeToken(storeOf(world.store, workspace), toRevoke.row.id);
  const issue = async (scope: TokenScope, label: string | null = null, by: string | null = null) =>
    (await world.issueToken(workspace, null, by, { scope, label })).token;
  const limited = {
    read: await issue("read"),
    write: await issue("write"),
    labeled: await issue("admin", "ours-label"),
    readLabeled: await issue("read", "ours-label"),
    membersRead: await issue("read", null, ours.member.id),
  };
  world.clock.nowMs += 1;
  const ended = await openSession({ world }, ours.owner);
  await world.ask("POST", "/api/auth/logout", { cookie: ended });
  forgetSessions();
  const pending = await openPending(world, workspace);
  return { pending, world, ours, theirs, revoked: toRevoke.token, expired: toExpire.token, ended, limited };
}
