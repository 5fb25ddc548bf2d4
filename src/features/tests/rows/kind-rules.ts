// The kinds of message that a workspace set for senders and labels.

import type { RememberedKind } from "../../../analyzer/checks/kind-rules.ts";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { KindRulesTable } from "../tables.ts";

/** More than any workspace needs. An analysis reads all of them. */
export const maxKindRules = 200;

/** Oldest first. */
export async function listKindRules(scope: Scope): Promise<KindRulesTable[]> {
  return await scope.selectFrom("kind_rules").selectAll().orderBy("id").limit(maxKindRules).execute();
}

/** For the analysis of a message, in any workspace. */
export async function readRememberedKinds(db: Db, workspaceId: string): Promise<RememberedKind[]> {
  const { rows } = await selectRemembered(db, { workspaceId });
  return rows.map(({ matches, value, kind }) => ({ match: matches, value, kind }));
}

const selectRemembered = prepare<{ workspaceId: string }, Pick<KindRulesTable, "matches" | "value" | "kind">>(
  (db, { workspaceId }) =>
    db
      .selectFrom("kind_rules")
      .select(["matches", "value", "kind"])
      .where("workspace_id", "=", workspaceId)
      .orderBy("id")
      .limit(maxKindRules),
);

/** Replaces the rule for the same sender or label. */
export async function putKindRule(scope: Scope, row: Omit<KindRulesTable, "workspace_id">): Promise<void> {
  await scope.deleteFrom("kind_rules").where("matches", "=", row.matches).where("value", "=", row.value).execute();
  await scope.insertInto("kind_rules", row).execute();
}

/** False if there is no such rule. */
export async function removeKindRule(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope.deleteFrom("kind_rules").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
