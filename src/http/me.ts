import { readMe } from "../api/me.ts";
import { toTimestampOrNull } from "../api/primitives.ts";
import { readWorkspaces } from "../store/workspaces.ts";
import { type Route, route } from "./route.ts";

export const meRoutes: readonly Route[] = [
  route(readMe, async ({ caller }, { store }) => {
    const workspaces = await readWorkspaces(store.read, [...caller.memberships.keys()]);
    const { id, name, expires_at } = caller.token;
    return {
      via: caller.via,
      token: { id, name, expiresAt: toTimestampOrNull(expires_at) },
      workspaces: workspaces.map((workspace) => ({
        id: workspace.id,
        name: workspace.name,
        role: caller.memberships.get(workspace.id) ?? "member",
      })),
    };
  }),
];
