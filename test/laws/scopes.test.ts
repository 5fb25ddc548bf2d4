// Code can't forget the workspace: a route of a workspace gets only that workspace's part of the store to read or
// write with. The compiler enforces it; the ways around it are checked here in the source text.

import { join } from "node:path";
import { expect, test } from "vitest";
import { readSources } from "../../scripts/imports.ts";
import type { listTokens } from "../../src/features/people/contract/tokens.ts";
import type { listWorkspaces } from "../../src/features/people/contract/workspaces.ts";
import type { Handler } from "../../src/platform/route.ts";

const sources = readSources(join(import.meta.dirname, "../../src"));

/** The handlers, and what they use of HTTP. */
const handling = /^platform\/(?:http\/|route\.ts)|^features\/[^/]+\/routes/;

function filesNaming(where: RegExp, words: RegExp): string[] {
  return sources.filter(({ path, text }) => where.test(path) && words.test(text)).map(({ path }) => path);
}

test("a workspace route's handler gets only its workspace's part of the store", () => {
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

test("workspace scopes are created only after authentication or from a link to a report", () => {
  const makers = filesNaming(handling, /\b(inWorkspace|storeOf)\b/);
  expect(makers).toEqual(["features/tests/routes/strangers.ts", "platform/http/answer-call.ts"]);
});

test("the whole store is used only for authentication, the operator, and routes without a workspace", () => {
  expect(filesNaming(handling, /\bimport (type )?\{[^}]*\b(Db|Store)\b[^}]*\}/)).toEqual([
    "features/people/routes/accounts.ts",
  ]);
});

test("only the store itself reads beyond a workspace", () => {
  const lookers = sources.filter(({ text }) => /\bunscoped\b/.test(text)).map(({ path }) => path);
  expect(lookers).toEqual([
    "features/alerts/rows/addresses.ts",
    "features/intake/rows/released-addresses.ts",
    "features/mailboxes/rows/integrations.ts",
    "features/people/rows/workspace-origins.ts",
    "features/people/rows/workspaces.ts",
    "platform/audit/rows/log.ts",
    "platform/database/scope.ts",
  ]);
});

test("every message is stored where it is counted", () => {
  expect(filesNaming(/^/, /insertInto\("tests"\)|createInsert\("tests"\)|insert into tests\b/i)).toEqual([
    "features/intake/rows/intake.ts",
    "features/tests/rows/insert-tests.ts",
  ]);
});
