import * as endpoints from "../api/kind-rules.ts";
import { toTimestamp } from "../api/primitives.ts";
import { listKindRules } from "../store/kind-rules.ts";
import type { KindRulesTable } from "../store/schema.ts";
import { forgetKind, rememberKind } from "../tasks/kind-rules.ts";
import { type Route, route } from "./route.ts";

export const kindRuleRoutes: readonly Route[] = [
  route(endpoints.listKindRules, async ({ store: { read } }) => ({
    items: (await listKindRules(read)).map(toKindRule),
  })),

  route(endpoints.createKindRule, async ({ store, body }, { system }) =>
    toKindRule(await rememberKind(store, system, body)),
  ),

  route(endpoints.deleteKindRule, async ({ store, params: { id } }) => {
    await forgetKind(store, id);
    return undefined;
  }),
];

function toKindRule({ id, matches, value, kind, created_at }: KindRulesTable): endpoints.KindRule {
  return { id, match: matches, value, kind, createdAt: toTimestamp(created_at) };
}
