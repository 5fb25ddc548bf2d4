// Renders a user's message. A hostile message may stall or end the thread. The user then gets an error, and nothing
// else happens.

import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { noSuchTest, Refusal } from "../../../platform/errors.ts";
import { createFairQueue } from "../../../platform/system/fair-queue.ts";
import type { System } from "../../../platform/system/system.ts";
import { answerOf, type JobThread, reading } from "../analysis/job-thread.ts";
import type { ViewJob } from "../analysis/jobs.ts";
import type { EmlView, KeptBytes, PartContent, PreviewLook } from "../analysis/view-message.ts";
import { readMessageRow } from "../rows/raw-messages.ts";

export type TestPlace = { readonly workspaceId: string; readonly testId: string };

export type Viewer = {
  readonly eml: (test: TestPlace) => Promise<EmlView>;
  readonly preview: (test: TestPlace, look: PreviewLook) => Promise<string>;
  readonly part: (test: TestPlace, part: string) => Promise<PartContent>;
};

type ViewerOptions = {
  readonly store: Pick<Store, "readInWorker" | "messages">;
  readonly thread: JobThread;
  readonly system: Pick<System, "log">;
};

/** One in the thread and one waiting, each with a possibly large message in memory. */
const bounds = { atOnce: 2, waitingPerWorkspace: 32, waitingInAll: 128, patienceMs: 5_000 };

export function createViewer({ store, thread, system }: ViewerOptions): Viewer {
  const line = createFairQueue("message views", bounds);

  function view<J extends ViewJob>({ workspaceId, testId }: TestPlace, toJob: (kept: KeptBytes) => J) {
    return line.run(workspaceId, async () => {
      const row = await readMessageRow(inWorkspace(store.readInWorker, workspaceId), testId);
      if (!row) throw noSuchTest();
      const { encoding, bytes } = await store.messages.open(row);
      return answerOf(await thread.run(toJob({ encoding, bytes })), reading, { testId, log: system.log });
    });
  }

  return {
    eml: (test) => view(test, (message) => ({ kind: "eml", message })),
    preview: (test, look) => view(test, (message) => ({ kind: "preview", message, ...look })),
    part: async (test, part) => {
      const found = await view(test, (message) => ({ kind: "part", message, part }));
      if (!found) throw new Refusal("not_found", "This message has no such part.");
      return found;
    },
  };
}
