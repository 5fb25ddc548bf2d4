import { type Person, readMe, type TokenBearer } from "../api/me.ts";
import { toTimestampOrNull } from "../api/primitives.ts";
import { listRolesOf } from "../store/memberships.ts";
import type { Db } from "../store/schema.ts";
import { readUser } from "../store/users.ts";
import type { Caller, TokenCaller } from "./callers.ts";
import { type Route, route } from "./route.ts";
import { readShownWorkspaces } from "./workspaces.ts";

export const meRoutes: readonly Route[] = [
  route(readMe, ({ caller }, dependencies) =>
    caller.via === "session" ? toPerson(caller.userId, dependencies) : toTokenBearer(caller, dependencies),
  ),
];

type Standing = Parameters<typeof readShownWorkspaces>[1];

async function toTokenBearer(
  { token, userId, memberships }: TokenCaller,
  standing: Standing,
): Promise<TokenBearer> {
  return {
    via: "token",
    user: userId === null ? null : await toUser(standing.store.read, userId),
    token: { id: token.id, name: token.name, expiresAt: toTimestampOrNull(token.expires_at) },
    workspaces: await toWorkspaces(memberships, standing),
  };
}

/** Somebody who is logged in, or has just done so. */
export async function toPerson(userId: string, standing: Standing): Promise<Person> {
  const db = standing.store.read;
  const workspaces = await toWorkspaces(await listRolesOf(db, userId), standing);
  return { via: "session", user: await toUser(db, userId), workspaces };
}

async function toUser(db: Db, id: string): Promise<Person["user"]> {
  const user = await readUser(db, id);
  return { id, name: user?.name ?? "", email: user?.email ?? "" };
}

async function toWorkspaces(roles: Caller["memberships"], standing: Standing): Promise<Person["workspaces"]> {
  const workspaces = await readShownWorkspaces([...roles.keys()], standing);
  return workspaces.map((workspace) => ({ ...workspace, role: roles.get(workspace.id) ?? "member" }));
}
