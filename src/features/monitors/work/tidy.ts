// Forgets what canaries leave behind. They are many, so what was OK goes sooner than what wasn't.

import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { beginningAt } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import type { ServeRow } from "../../../platform/work/serve-row.ts";
import { listCanaryWorkspaces, removeCanarySends, removeCanaryTests, removeRunsBefore } from "../rows/monitors.ts";

const dayMs = 86_400_000;
/** The longest span of the figures, and a day. */
const runsKeptMs = 31 * dayMs;
const okReportsKeptMs = dayMs;
/** Bounces come for five days (RFC 5321 §4.5.4.1). */
const sendsKeptMs = 7 * dayMs;
const removedAtOnce = 500;

type TidyTerms = {
  readonly store: Pick<Store, "read" | "write">;
  readonly system: Pick<System, "now">;
  readonly stopping: AbortSignal;
  readonly serve: ServeRow;
};

export async function tidyCanaries({ store, system, stopping, serve }: TidyTerms): Promise<void> {
  const now = system.now();
  const limit = removedAtOnce;
  const inSteps = async (remove: () => Promise<number>) => {
    for (let removed = limit; removed === limit; ) {
      stopping.throwIfAborted();
      removed = await remove();
    }
  };
  const okBefore = beginningAt("test", now - okReportsKeptMs);
  const before = beginningAt("test", now - runsKeptMs);
  for (const id of await listCanaryWorkspaces(store.read)) {
    const remove = () => store.write((db) => removeCanaryTests(inWorkspace(db, id), { okBefore, before, limit }));
    await serve(id, () => inSteps(remove));
  }
  // A window of expected mail may be open for a month.
  const ended = now - runsKeptMs;
  const runs = { began: beginningAt("monitorRun", ended), ended, limit };
  await inSteps(() => store.write((db) => removeRunsBefore(db, runs)));
  const sendsBefore = beginningAt("send", now - sendsKeptMs);
  await inSteps(() => store.write((db) => removeCanarySends(db, sendsBefore, limit)));
}
