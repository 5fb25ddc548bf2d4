// Where other features join the path of a message (analyze-claimed.ts). Each point is called in the order of the list in
// server.ts, and in the order of these fields.

import type { Db } from "../../../platform/database/schema.ts";
import type { Feature, WorkspaceSettings } from "../../../platform/server.ts";
import type { System } from "../../../platform/system/system.ts";
import type { LowScoreData } from "../../alerts/rules/alert-event.ts";
import type { WorkspaceEvent } from "../../events/contract.ts";
import type { Finding } from "../analysis/analyze-stored.ts";
import type { TestAnalysis } from "../rows/tests.ts";
import type { TestsTable } from "../tables.ts";
import { isArrival } from "./arrived.ts";

declare module "../../../platform/server.ts" {
  interface Feature {
    /** Before a message is analyzed that just arrived. Null: nothing waits for such mail. */
    readonly awaitMail?: (test: ClaimedTest) => Awaiting | null;
    /** Puts a test into a series, before its report is stored and its alerts are raised. Only one feature can. */
    readonly placeTest?: PlaceTest;
    /** In the transaction that stores what a message is, after its alerts were raised. Returns what to publish. */
    readonly onAnalyzed?: OnAnalyzed;
  }
}

type Sys = Pick<System, "now" | "random">;

export type ClaimedTest = TestsTable & {
  readonly settings: WorkspaceSettings;
  /** Why the settings can't be read. They are the failure of this workspace's tests, and of no other's. */
  readonly unreadable?: unknown;
};

/** Once for all that are claimed together. The next ones see what changed since. */
export async function withSettings<Test extends Pick<TestsTable, "workspace_id">>(
  features: readonly Feature[],
  db: Db,
  tests: readonly Test[],
): Promise<(Test & Pick<ClaimedTest, "settings" | "unreadable">)[]> {
  const read = new Map<string, Pick<ClaimedTest, "settings" | "unreadable">>();
  for (const { workspace_id } of tests) {
    if (read.has(workspace_id)) continue;
    const settings = {} as WorkspaceSettings;
    try {
      for (const { readSettings } of features) Object.assign(settings, await readSettings?.(db, workspace_id));
      read.set(workspace_id, { settings });
    } catch (unreadable) {
      read.set(workspace_id, { settings, unreadable });
    }
  }
  return tests.map((test) => Object.assign({}, test, read.get(test.workspace_id)) as Test & ClaimedTest);
}

/** Learns what the message is before all features do. */
export type Awaiting = { readonly wantsText: boolean; readonly onAnalyzed: OnAnalyzed };

export type OnAnalyzed = (step: AnalyzedStep) => Promise<readonly WorkspaceEvent[]>;

/** `test`: the row as claimed. */
type AnalyzedStep = { readonly db: Db; readonly test: TestsTable; readonly outcome: Outcome; readonly system: Sys };

type Outcome =
  | (TestFinding & { readonly analysis: TestAnalysis })
  | Extract<Finding, { readonly kind: "noTest" }>
  | { readonly kind: "failed" };

type TestFinding = Extract<Finding, { readonly kind: "test" }>;

type PlaceTest = (db: Db, test: ClaimedTest, analysis: TestAnalysis, system: Sys) => Promise<Place>;

type Place = {
  /** JSON of Traits, which the test is stored with. */
  readonly traits: string | null;
  /** Null if the test was analyzed before, or has none. */
  readonly stream: {
    readonly id: string;
    /** As it was before this test. */
    readonly describe: () => Promise<LowScoreData["stream"]>;
    /** Once the report is stored. */
    readonly save: () => Promise<void>;
  } | null;
};

export function listAwaiting(features: readonly Feature[], test: ClaimedTest): Awaiting[] {
  return isArrival(test) && test.unreadable === undefined
    ? features.flatMap(({ awaitMail }) => awaitMail?.(test) ?? [])
    : [];
}

export async function placeTest(
  features: readonly Feature[],
  ...[db, test, analysis, system]: Parameters<PlaceTest>
): Promise<Place> {
  const place = features.find((feature) => feature.placeTest)?.placeTest;
  if (!place || test.became === "canary") return { traits: analysis.traits, stream: null };
  return await place(db, test, analysis, system);
}

/** Those that waited for the message come first. */
export async function joinIn(
  features: readonly Feature[],
  awaiting: readonly Awaiting[],
  step: AnalyzedStep,
): Promise<WorkspaceEvent[]> {
  const events: WorkspaceEvent[] = [];
  for (const { onAnalyzed } of [...awaiting, ...features]) if (onAnalyzed) events.push(...(await onAnalyzed(step)));
  return events;
}
