// Raises an alert some days before an API token expires, so that a pipeline doesn't find out first.

import { toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import { expiryNoticeDays } from "../../../platform/contract/token-scopes.ts";
import { type Scope, storeOf } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import type { ServeRow } from "../../../platform/work/serve-row.ts";
import { raiseAlert } from "../../alerts/work/raise.ts";
import { listExpiringTokens, noteExpiryNotice } from "../rows/tokens.ts";
import type { ApiTokensTable } from "../tables.ts";

type Terms = { readonly store: Store; readonly system: Pick<System, "now" | "random"> };

export function createExpiryChore(terms: Terms): Chore {
  return {
    id: "expiring tokens",
    everyMs: 6 * 3_600_000,
    run: (_stopping, serve) => noticeExpiringTokens(terms, serve),
  };
}

/** A token that a command uses meanwhile, or that was made for less than a day, is no surprise when it ends. */
const shortestLifeMs = 2 * 86_400_000;

export async function noticeExpiringTokens({ store, system }: Terms, serve: ServeRow): Promise<void> {
  const now = system.now();
  for (const days of expiryNoticeDays.toSorted((one, other) => one - other))
    for (const token of await listExpiringTokens(store.read, { now, days })) {
      if ((token.expires_at ?? 0) - token.created_at < shortestLifeMs) continue;
      const notice = async (scope: Scope) => {
        if (!(await noteExpiryNotice(scope, token.id, days))) return;
        await raiseAlert(scope, { type: "token.expiring", data: toData(token) }, system);
      };
      await serve(token.id, () => storeOf(store, token.workspace_id).write(notice));
    }
}

function toData({ id, name, scope, label, expires_at, last_used_at }: ApiTokensTable) {
  return {
    token: {
      id,
      name,
      scope,
      label,
      expiresAt: toTimestamp(expires_at ?? 0),
      lastUsedAt: toTimestampOrNull(last_used_at),
    },
  };
}
