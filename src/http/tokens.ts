import { toTimestamp, toTimestampOrNull } from "../api/primitives.ts";
import { type ApiToken, issueToken, listTokens, revokeToken } from "../api/tokens.ts";
import type { ApiTokensTable } from "../store/people-schema.ts";
import { listTokens as listTokenRows } from "../store/tokens.ts";
import * as tasks from "../tasks/tokens.ts";
import { type Route, route } from "./route.ts";

export const tokenRoutes: readonly Route[] = [
  route(listTokens, async ({ store }) => {
    const rows = await listTokenRows(store.read);
    return { items: rows.map(toApiToken) };
  }),

  route(issueToken, async ({ store, caller, body }, { system, plans }) => {
    const { row, token } = await tasks.issueToken(store, system, {
      name: body.name,
      createdBy: caller.userId,
      expiresAt: body.expiresAt ?? null,
      plans,
    });
    return { ...toApiToken(row), token };
  }),

  route(revokeToken, async ({ store, params }) => {
    await tasks.revokeToken(store, params.id);
    return undefined;
  }),
];

function toApiToken(row: ApiTokensTable): ApiToken {
  return {
    id: row.id,
    name: row.name,
    createdBy: row.created_by,
    createdAt: toTimestamp(row.created_at),
    lastUsedAt: toTimestampOrNull(row.last_used_at),
    expiresAt: toTimestampOrNull(row.expires_at),
  };
}
