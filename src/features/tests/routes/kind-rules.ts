import { auditedObject } from "../../../platform/audit/rows/objects.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { type Route, route } from "../../../platform/route.ts";
import * as endpoints from "../contract/kind-detail.ts";
import { listKindRules } from "../rows/kind-rules.ts";
import type { KindRulesTable } from "../tables.ts";
import { forgetKind, rememberKind } from "../work/kind-rules.ts";

const auditedKindRule = auditedObject({
  kind: "kind-rule",
  table: "kind_rules",
  columns: ["matches", "value", "kind"],
  toName: ({ value }) => value,
});

export const kindRuleRoutes: readonly Route[] = [
  route(endpoints.listKindRules, async ({ store: { read } }) => ({
    items: (await listKindRules(read)).map(toKindRule),
  })),

  route(endpoints.createKindRule, async ({ store, body }, { system }) =>
    toKindRule(await rememberKind(store, system, body)),
  ).recording({ action: "kind-rule.create", object: auditedKindRule }),

  route(endpoints.deleteKindRule, async ({ store, params: { id } }) => {
    await forgetKind(store, id);
    return undefined;
  }).recording({ action: "kind-rule.delete", object: auditedKindRule }),
];

function toKindRule({ id, matches, value, kind, created_at }: KindRulesTable): endpoints.KindRule {
  return { id, match: matches, value, kind, createdAt: toTimestamp(created_at) };
}
