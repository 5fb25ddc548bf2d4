// The audit log is complete: every route that changes or exports something says what is recorded of it, or why nothing.
// Nothing that is recorded is a secret. That a changing route does say so is a matter of types (platform/route.ts), and
// that its writes keep the promise of every test over HTTP (test/http/http-world.ts).

import { expect, test } from "vitest";
import { z } from "zod";
import { auditGroups } from "../../src/features/audit-log/words.ts";
import type { AuditedObject } from "../../src/platform/audit/rows/objects.ts";
import { auditActions, isActionOrGroup } from "../../src/platform/audit/rules/actions.ts";
import { isMedia } from "../../src/platform/contract/endpoint.ts";
import type { Audited } from "../../src/platform/route.ts";
import { features, routes } from "../../src/server.ts";

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

const recorded = routes.flatMap(({ endpoint, audit }) =>
  audit === undefined || "nothing" in audit ? [] : [{ endpoint, audit: audit as Audited }],
);
const objects: readonly AuditedObject[] = [
  ...new Set(recorded.flatMap(({ audit }) => [audit.object, audit.others?.object]).filter((one) => one !== undefined)),
];

test("every route that changes something says what the audit log records, or why nothing", () => {
  const silent = routes.filter(({ endpoint, audit }) => endpoint.method !== "GET" && audit === undefined);
  expect(silent.map(({ endpoint }) => keyOf(endpoint))).toEqual([]);
});

test("every download of a workspace's data is recorded", () => {
  const downloads = routes.filter(({ endpoint: { method, access, answer } }) => {
    const isOfWorkspace = access === "member" || access === "owner" || access === "token";
    return method === "GET" && isOfWorkspace && isMedia(answer) && answer.download === true;
  });
  expect(downloads.length).toBeGreaterThan(5);
  expect(downloads.filter(({ audit }) => audit === undefined).map(({ endpoint }) => keyOf(endpoint))).toEqual([]);
});

test("every recorded field is a field of its request", () => {
  const unknown = recorded.flatMap(({ endpoint, audit: { keep = [] } }) => {
    const { params, query, body } = endpoint;
    const schemas = [params, query, ...(body instanceof z.ZodType ? [body] : [])];
    const known = new Set(
      schemas.flatMap((schema) =>
        Object.keys(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }).properties ?? {}),
      ),
    );
    return keep.filter((name) => !known.has(name)).map((name) => `${keyOf(endpoint)}: ${name}`);
  });
  expect(unknown).toEqual([]);
});

test("no recorded field has the name of a secret", () => {
  const kept = recorded.flatMap(({ audit }) => audit.keep ?? []);
  const shown = objects.flatMap(({ columns }) => columns);
  const secret = /pass|secret|token|hash|url|credential|private|signing_key/i;
  expect([...kept, ...shown].filter((name) => secret.test(name))).toEqual([]);
});

test("no encrypted column is recorded", () => {
  const tables = features.flatMap(({ secrets }) => secrets?.tables ?? []);
  const sealed = tables.flatMap(({ table, columns }) => Object.keys(columns).map((column) => `${table}.${column}`));
  const shown = objects.flatMap(({ table, columns, hosts = [] }) =>
    [...columns, ...hosts].map((column) => `${table}.${column}`),
  );
  expect(shown.filter((column) => sealed.includes(column))).toEqual([]);
});

test("each group on the page has actions, and each action a group", () => {
  const groups = Object.keys(auditActions).map((action) => action.split(".")[0]);
  expect([...new Set(groups)].sort()).toEqual(auditGroups.map(({ value }) => value).sort());
  expect(auditGroups.filter(({ value }) => !isActionOrGroup(value))).toEqual([]);
  expect(Object.keys(auditActions).every(isActionOrGroup)).toBe(true);
});
