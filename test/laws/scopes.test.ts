// To forget the workspace is impossible rather than unlikely: a route of a workspace is handed that workspace's part of
// the store and nothing else to read or write with. The compiler holds it; what could go around it is held here by text.

import { join } from "node:path";
import { expect, test } from "vitest";
import { readSources } from "../../scripts/imports.ts";
import type { listTokens } from "../../src/features/people/contract/tokens.ts";
import type { listWorkspaces } from "../../src/features/people/contract/workspaces.ts";
import type { Handler } from "../../src/platform/http/route.ts";

const sources = readSources(join(import.meta.dirname, "../../src"));

function filesNaming(folder: string, words: RegExp): string[] {
  return sources.filter(({ path, text }) => path.startsWith(folder) && words.test(text)).map(({ path }) => path);
}

test("a handler of a workspace's route has its part of the store, and cannot name the whole", () => {
  const scoped: Handler<typeof listTokens> = ({ store }, dependencies) => {
    // @ts-expect-error: a scope takes no query that bears no workspace.
    store.read.selectFrom("users");
    // @ts-expect-error: there is no other store than the call's.
    return dependencies.store;
  };
  // @ts-expect-error: where no workspace is named the call has no part of one.
  const unscoped: Handler<typeof listWorkspaces> = ({ store }) => store;
  expect([scoped, unscoped]).toHaveLength(2);
});

test("scopes are made where the caller was let in, and of what a share's link says", () => {
  const makers = filesNaming("http/", /\b(inWorkspace|storeOf)\b/);
  expect(makers).toEqual(["platform/http/answer-call.ts", "features/tests/routes/share-link.ts"]);
});

test("the whole store is handed to what finds out who asks, counts for the operator, or answers a route of no workspace", () => {
  expect(filesNaming("http/", /\bimport (type )?\{[^}]*\b(Db|Store)\b[^}]*\}/)).toEqual([
    "features/people/routes/accounts.ts",
    "features/people/work/callers.ts",
    "server/dependencies.ts",
    "features/server/metrics/metrics.ts",
    "features/server/metrics/object-metrics.ts",
  ]);
});

test("only the store itself looks beyond a scope", () => {
  const lookers = sources.filter(({ text }) => /\bunscoped\b/.test(text)).map(({ path }) => path);
  expect(lookers).toEqual([
    "features/alerts/rows/addresses.ts",
    "platform/audit/rows/log.ts",
    "features/mailboxes/rows/integrations.ts",
    "features/people/rows/workspace-origins.ts",
    "features/people/rows/workspaces.ts",
    "platform/database/scope.ts",
    "features/intake/rows/released-addresses.ts",
  ]);
});

test("a message comes in by way of the intake alone, which counts it", () => {
  expect(filesNaming("", /insertInto\("tests"\)|createInsert\("tests"\)|insert into tests\b/i)).toEqual([
    "features/intake/rows/intake.ts",
  ]);
});
