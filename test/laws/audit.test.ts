// The audit log is complete: every route that changes something records it or says why not, and every recorded
// column exists and is no secret.

import { expect, test } from "vitest";
import { z } from "zod";
import { auditRules } from "../../src/features/audit-log/audit-rules-table.ts";
import { auditGroups } from "../../src/features/audit-log/words.ts";
import { sealedTables } from "../../src/features/server/upkeep/secrets.ts";
import { type AuditedObject, auditedObjects } from "../../src/platform/audit/rows/objects-table.ts";
import { auditActions, isActionOrGroup } from "../../src/platform/audit/rules/actions.ts";
import { routes } from "../../src/server.ts";

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test("every route that changes something has an audit action, or says why not", () => {
  const changing = routes.map(({ endpoint }) => endpoint).filter(({ method }) => method !== "GET");
  expect(changing.map(keyOf).filter((key) => !(key in auditRules))).toEqual([]);
});

test("every audit rule belongs to a route", () => {
  const known = new Set(routes.map(({ endpoint }) => keyOf(endpoint)));
  expect(Object.keys(auditRules).filter((key) => !known.has(key))).toEqual([]);
});

test("every recorded field is a field of its request", () => {
  const unknown = routes.flatMap(({ endpoint }) => {
    const { params, query, body } = endpoint;
    const rule = auditRules[keyOf(endpoint)];
    const schemas = [params, query, ...(body instanceof z.ZodType ? [body] : [])];
    const known = new Set(
      schemas.flatMap((schema) =>
        Object.keys(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }).properties ?? {}),
      ),
    );
    const kept = rule !== undefined && "keep" in rule ? (rule.keep ?? []) : [];
    return kept.filter((name) => !known.has(name)).map((name) => `${keyOf(endpoint)}: ${name}`);
  });
  expect(unknown).toEqual([]);
});

test("no recorded field has the name of a secret", () => {
  const kept = Object.values(auditRules).flatMap((rule) => ("keep" in rule ? (rule.keep ?? []) : []));
  const shown = Object.values(auditedObjects).flatMap(({ columns }) => columns);
  const secret = /pass|secret|token|hash|url|credential|private|signing_key/i;
  expect([...kept, ...shown].filter((name) => secret.test(name))).toEqual([]);
});

test("no encrypted column is recorded", () => {
  const sealed = sealedTables.flatMap(({ table, columns }) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  const shown = Object.values(auditedObjects as Readonly<Record<string, AuditedObject>>).flatMap(
    ({ table, columns, hosts = [] }) => [...columns, ...hosts].map((column) => `${table}.${column}`),
  );
  expect(shown.filter((column) => sealed.includes(column))).toEqual([]);
});

test("each group on the page has actions, and each action a group", () => {
  const groups = Object.keys(auditActions).map((action) => action.split(".")[0]);
  expect([...new Set(groups)].sort()).toEqual(auditGroups.map(({ value }) => value).sort());
  expect(auditGroups.filter(({ value }) => !isActionOrGroup(value))).toEqual([]);
  expect(Object.keys(auditActions).every(isActionOrGroup)).toBe(true);
});
