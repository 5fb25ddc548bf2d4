// Manages the rules by which a workspace's mail gets its type.

import type { Kind } from "../../../analyzer/checks/kind.ts";
import { type KindMatch, toRuleValue } from "../../../analyzer/checks/kind-rules.ts";
import { recordChange, recordIf } from "../../../platform/audit/rows/recording.ts";
import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import { listKindRules, maxKindRules, putKindRule, removeKindRule } from "../rows/kind-rules.ts";
import type { KindRulesTable } from "../tables.ts";

type WantedRule = { readonly match: KindMatch; readonly value: string; readonly kind: Kind };

const forms: Readonly<Record<KindMatch, string>> = {
  from: "an email address, such as news@example.com",
  "from-domain": "a domain, such as example.com",
  label: "a label of 1 to 100 characters",
};

export async function rememberKind(
  store: Pick<WorkspaceStore, "workspaceId" | "write">,
  system: Pick<System, "now" | "random">,
  { match, value: written, kind }: WantedRule,
): Promise<KindRulesTable> {
  const value = toRuleValue(match, written);
  if (value === null) throw new Refusal("invalid_request", `"value" must be ${forms[match]}.`, { field: "value" });
  const now = system.now();
  const id = createId("kindRule", now, system.random(16));
  const row = { id, matches: match, value, kind, created_at: now };
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    const rules = await listKindRules(scope);
    const isNew = !rules.some((rule) => rule.matches === match && rule.value === value);
    if (isNew && rules.length >= maxKindRules)
      throw new Refusal(
        "conflict",
        `A workspace can have at most ${maxKindRules} message type rules. Delete one first.`,
      );
    await putKindRule(scope, row);
    recordChange({ objectId: id });
  });
  return { ...row, workspace_id: store.workspaceId };
}

export async function forgetKind(store: Pick<WorkspaceStore, "write">, id: string): Promise<void> {
  if (!(await store.write(async (scope) => recordIf(await removeKindRule(scope, id)))))
    throw new Refusal("not_found", "Message type rule not found.");
}
