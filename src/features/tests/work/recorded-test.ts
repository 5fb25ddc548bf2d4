// A test with all that was recorded about it, to replay it.

import type { Scope } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { noSuchTest } from "../../../platform/errors.ts";
import type { RecordedTest } from "../../compare/work/split-change.ts";
import { readRememberedKinds } from "../rows/kind-rules.ts";
import { readMessageRow } from "../rows/raw-messages.ts";
import { readTest } from "../rows/tests.ts";
import type { TestsTable } from "../tables.ts";
import { toCircumstances } from "./analyze-claimed.ts";

/** `readReport` returns the report, as JSON, whose evidence is replayed. */
export async function readRecordedTest(
  { readInWorker, messages }: Pick<Store, "readInWorker" | "messages">,
  scope: Scope,
  testId: string,
  readReport: () => Promise<string>,
): Promise<{ readonly test: TestsTable; readonly message: RecordedTest }> {
  const test = await readTest(scope, testId);
  const row = test && (await readMessageRow(scope, test.id));
  if (!row) throw noSuchTest();
  const kept = await messages.open(row);
  const circumstances = toCircumstances(test, {
    // The evidence has the real values.
    ownDomains: [],
    sameMessageId: 0,
    kindRules: await readRememberedKinds(readInWorker, scope.workspaceId),
    volume: null,
  });
  const message = { ...kept, receivedAt: test.received_at, recorded: await readReport(), circumstances };
  return { test, message };
}
