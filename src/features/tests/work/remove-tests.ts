// Deletes tests in small steps, so that incoming mail does not wait long to be written.

import { recordIf } from "../../../platform/audit/rows/recording.ts";
import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Publish } from "../../events/work/hub.ts";
import { listTestSizes, removeTests, takeFitting } from "../rows/removal.ts";

/** Returns the number of deleted tests. */
export async function removeTestsOf(
  { workspaceId, readInWorker, write }: Pick<WorkspaceStore, "workspaceId" | "readInWorker" | "write">,
  ids: readonly string[],
  publish: Publish,
): Promise<number> {
  const sizes = await listTestSizes(readInWorker, ids);
  let removed = 0;
  for (const step of toSteps(sizes)) {
    const gone = await write(async (scope) => {
      const removed = await removeTests(scope, step);
      recordIf(removed.length > 0);
      return removed;
    });
    for (const id of gone) publish(workspaceId, { type: "test.deleted", id });
    removed += gone.length;
  }
  return removed;
}

function toSteps(sizes: readonly { readonly id: string; readonly size_bytes: number }[]): string[][] {
  const steps: string[][] = [];
  for (let rest = sizes; rest.length > 0; rest = rest.slice(steps.at(-1)?.length)) {
    const fitting = takeFitting(rest.slice(0, deletionStep.tests), deletionStep.bytes);
    steps.push(fitting.map(({ id }) => id));
  }
  return steps;
}

/**
 * Limits of one transaction, so that incoming mail does not wait long to be written. A larger message is deleted alone.
 */
export const deletionStep = { tests: 50, domains: 50, deliveries: 100, sends: 500, bytes: 4_194_304 } as const;
