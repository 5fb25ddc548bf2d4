// Previews what changed DNS records would do to a domain's check and to its recent mail. All else stays as recorded;
// only lookups that the record lacks, such as a new include, are asked now. Nothing is stored.

import type { RememberedKind } from "../../../analyzer/checks/kind-rules.ts";
import type { Volume } from "../../../analyzer/checks/volume.ts";
import type { GivenRecords } from "../../../analyzer/dns/domain-name.ts";
import { parseRecordSets, type RecordSet } from "../../../analyzer/dns/record-sets.ts";
import { unlessMissing } from "../../../platform/database/messages.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { overloaded, Refusal } from "../../../platform/errors.ts";
import { createFairQueue } from "../../../platform/system/fair-queue.ts";
import type { System } from "../../../platform/system/system.ts";
import { requireDomain, requireDomainReport } from "../../domains/work/domains.ts";
import { readSending } from "../../people/rows/workspaces.ts";
import type { JobThread } from "../../tests/analysis/job-thread.ts";
import { readRememberedKinds } from "../../tests/rows/kind-rules.ts";
import type { ListedTest } from "../../tests/rows/listed.ts";
import { readMessageRow } from "../../tests/rows/raw-messages.ts";
import { readReport } from "../../tests/rows/reports.ts";
import { toCircumstances } from "../../tests/work/analyze-claimed.ts";
import type { FoundTests, TestFinder } from "../../tests/work/find-tests.ts";
import type { DomainChange, MessageChange } from "./imagine-stored.ts";

export type DomainWhatIf = (asked: {
  readonly workspaceId: string;
  readonly domainId: string;
  readonly records: readonly GivenRecords[];
}) => Promise<ImaginedZone>;

export type ImaginedZone = DomainChange & {
  readonly messages: Pick<FoundTests, "total" | "totalIsExact"> & {
    /** The newest messages, in list order. */
    readonly seen: readonly SeenMessage[];
    /** Messages that could not be evaluated. */
    readonly unclear: number;
  };
};

export type SeenMessage = MessageChange & { readonly test: ListedTest };

type DomainWhatIfOptions = {
  readonly store: Pick<Store, "readInWorker" | "messages">;
  readonly thread: JobThread;
  readonly testFinder: Pick<TestFinder, "find">;
  readonly system: Pick<System, "now" | "log">;
};

/** Each preview takes as long as a hundred analyses. */
const bounds = { atOnce: 2, waitingPerWorkspace: 2, waitingInAll: 16, patienceMs: 10_000 };
/** The newest messages show what the domain sends today. */
const mostMessages = 50;
/** A user is waiting. Messages not evaluated by then are left out. */
const longestMs = 15_000;

type Imagined = {
  readonly changes: readonly RecordSet[];
  readonly kindRules: readonly RememberedKind[];
  readonly volume: Volume;
};

export function createDomainWhatIf({ store, thread, testFinder, system }: DomainWhatIfOptions): DomainWhatIf {
  const line = createFairQueue("DNS previews", bounds);

  async function imagine(scope: Scope, domainId: string, changes: readonly RecordSet[]): Promise<ImaginedZone> {
    const until = system.now() + longestMs;
    const { domain } = await requireDomain(scope, domainId);
    const judged = await imagineDomain(scope, domainId, changes);
    const page = { limit: mostMessages };
    const { tests, total, totalIsExact } = await testFinder.find(scope.workspaceId, page, { fromDomain: domain });
    const kindRules = await readRememberedKinds(store.readInWorker, scope.workspaceId);
    const { volume } = await readSending(store.readInWorker, scope.workspaceId);
    const seen: SeenMessage[] = [];
    let unclear = 0;
    for (const test of tests) {
      if (system.now() >= until) break;
      const change = await imagineTest(scope, test, { changes, kindRules, volume });
      if (change) seen.push({ ...change, test });
      else unclear++;
    }
    return { ...judged, messages: { total, totalIsExact, seen, unclear } };
  }

  async function imagineDomain(scope: Scope, id: string, changes: readonly RecordSet[]): Promise<DomainChange> {
    const report = await requireDomainReport(scope, id);
    const outcome = await thread.run({ kind: "imagine-domain", domain: { report, changes } });
    if (outcome.outcome === "answer") return outcome.answer;
    if (outcome.outcome === "failed") throw new Error(`The analysis of ${id} failed: ${outcome.why}`);
    throw overloaded("The analysis was interrupted");
  }

  /** Null if it cannot be evaluated: a hostile message may stall or end the thread without affecting others. */
  async function imagineTest(
    scope: Scope,
    test: ListedTest,
    { changes, ...rest }: Imagined,
  ): Promise<MessageChange | null> {
    const [row, recorded] = await Promise.all([readMessageRow(scope, test.id), readReport(scope, test.id)]);
    if (!row || recorded === undefined) return null;
    const kept = await unlessMissing(store.messages.open(row));
    if (kept === undefined) return null;
    const receivedAt = test.received_at;
    const circumstances = toCircumstances(test, { ownDomains: [], sameMessageId: 0, ...rest });
    const message = { ...kept, receivedAt, recorded, changes, circumstances };
    const outcome = await thread.run({ kind: "imagine", message });
    if (outcome.outcome === "answer") return outcome.answer;
    if (outcome.outcome === "closed") throw overloaded("The analysis was interrupted");
    system.log.warn("preview of a message failed", { test: test.id, ...outcome });
    return null;
  }

  return async ({ workspaceId, domainId, records }) => {
    const scope = inWorkspace(store.readInWorker, workspaceId);
    const parsed = parseRecordSets(records);
    if (!parsed.ok) throw new Refusal("invalid_request", parsed.problem, { field: `records.${parsed.at}` });
    return await line.run(workspaceId, () => imagine(scope, domainId, parsed.sets));
  };
}
