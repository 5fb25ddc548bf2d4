// Renders a user's message. A hostile message may stall or end the thread. The user then gets an error, and nothing
// else happens.

import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { noSuchTest, Refusal } from "../../../platform/errors.ts";
import { createFairQueue } from "../../../platform/system/fair-queue.ts";
import type { System } from "../../../platform/system/system.ts";
import { answerOf, type JobThread, reading } from "../analysis/job-thread.ts";
import type { ViewJob } from "../analysis/jobs.ts";
import type { EmlView, KeptBytes, PartContent, PreviewLook, Still } from "../analysis/view-message.ts";
import type { TestReport } from "../contract/tests.ts";
import { readMessageRow } from "../rows/raw-messages.ts";
import { readReport } from "../rows/reports.ts";
import { faultsOf } from "../rules/issues.ts";

export type TestPlace = { readonly workspaceId: string; readonly testId: string };

export type Viewer = {
  readonly eml: (test: TestPlace) => Promise<EmlView>;
  readonly preview: (test: TestPlace, look: PreviewLook & { readonly hasPins: boolean }) => Promise<string>;
  /** `seedDomains`: with all recipients masked. Null: as it is. */
  readonly still: (workspaceId: string, test: TestReport, seedDomains: readonly string[] | null) => Promise<Still>;
  /** For the page of a share and the frame in it, which ask one after the other: the second one gets the same. */
  readonly shared: (workspaceId: string, test: TestReport, seedDomains: readonly string[]) => Promise<Still>;
  readonly part: (test: TestPlace, part: string) => Promise<PartContent>;
};

type ViewerOptions = {
  readonly store: Pick<Store, "readInWorker" | "messages">;
  readonly thread: JobThread;
  readonly system: Pick<System, "log">;
};

/** One in the thread and one waiting, each with a possibly large message in memory. */
const bounds = { atOnce: 2, waitingPerWorkspace: 32, waitingInAll: 128, patienceMs: 5_000 };

/** In memory until the frame asks: a few megabytes in all. */
const [mostLeft, longestLeft] = [8, 500_000];

export function createViewer({ store, thread, system }: ViewerOptions): Viewer {
  const line = createFairQueue("message views", bounds);

  function view<J extends ViewJob>(
    { workspaceId, testId }: TestPlace,
    toJob: (kept: KeptBytes, scope: Scope) => J | Promise<J>,
    lineName = workspaceId,
  ) {
    return line.run(lineName, async () => {
      const scope = inWorkspace(store.readInWorker, workspaceId);
      const row = await readMessageRow(scope, testId);
      if (!row) throw noSuchTest();
      const { encoding, bytes } = await store.messages.open(row);
      const job = await toJob({ encoding, bytes }, scope);
      return answerOf(await thread.run(job), reading, { testId, log: system.log });
    });
  }

  const still: Viewer["still"] = (workspaceId, test, seedDomains) => {
    const concealed = seedDomains && { recipients: test.to, seedDomains };
    const numbered = faultsOf(test).map(({ id }) => id);
    const toJob = async (message: KeptBytes, scope: Scope) => {
      const report = (await readReport(scope, test.id)) ?? null;
      return { kind: "still" as const, message, report, numbered, concealed };
    };
    // Strangers open these, so they have a separate line and don't delay the workspace.
    return view({ workspaceId, testId: test.id }, toJob, `${workspaceId} shared`);
  };

  const left = new Map<string, Still>();

  return {
    eml: (test) => view(test, (message) => ({ kind: "eml", message })),
    preview: (test, { hasPins, ...look }) =>
      view(test, async (message, scope) => {
        const report = hasPins ? await readReport(scope, test.testId) : null;
        return { kind: "preview", message, ...look, report: report ?? null };
      }),
    still,
    shared: async (workspaceId, test, seedDomains) => {
      const key = `${test.id} ${test.analyzed_at}`;
      const found = left.get(key);
      if (left.delete(key) && found) return found;
      const made = await still(workspaceId, test, seedDomains);
      if (made.document.length <= longestLeft) left.set(key, made);
      if (left.size > mostLeft) left.delete(left.keys().next().value ?? "");
      return made;
    },
    part: async (test, part) => {
      const found = await view(test, (message) => ({ kind: "part", message, part }));
      if (!found) throw new Refusal("not_found", "This message has no such part.");
      return found;
    },
  };
}
