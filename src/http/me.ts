import { type Person, readMe, type TokenBearer } from "../api/me.ts";
import { toTimestampOrNull } from "../api/primitives.ts";
import { listRolesOf } from "../store/memberships.ts";
import type { Db } from "../store/schema.ts";
import { readUser } from "../store/users.ts";
import { readWorkspaces } from "../store/workspaces.ts";
import type { Caller, TokenCaller } from "./callers.ts";
import { type Route, route } from "./route.ts";

export const meRoutes: readonly Route[] = [
  route(readMe, ({ caller }, { store }) =>
    caller.via === "session" ? toPerson(store.read, caller.userId) : toTokenBearer(store.read, caller),
  ),
];

async function toTokenBearer(db: Db, { token, userId, memberships }: TokenCaller): Promise<TokenBearer> {
  return {
    via: "token",
    user: userId === null ? null : await toUser(db, userId),
    token: { id: token.id, name: token.name, expiresAt: toTimestampOrNull(token.expires_at) },
    workspaces: await toWorkspaces(db, memberships),
  };
}

/** Somebody who is logged in, or has just done so. */
export async function toPerson(db: Db, userId: string): Promise<Person> {
  const workspaces = await toWorkspaces(db, await listRolesOf(db, userId));
  return { via: "session", user: await toUser(db, userId), workspaces };
}

async function toUser(db: Db, id: string): Promise<Person["user"]> {
  const user = await readUser(db, id);
  return { id, name: user?.name ?? "", email: user?.email ?? "" };
}

async function toWorkspaces(db: Db, roles: Caller["memberships"]): Promise<Person["workspaces"]> {
  const rows = await readWorkspaces(db, [...roles.keys()]);
  return rows.map(({ id, name }) => ({ id, name, role: roles.get(id) ?? "member" }));
}
