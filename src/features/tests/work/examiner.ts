// Examines tests that someone opens (analyzer/reports/examination.ts), one at a time in a thread that is only there while
// it is needed. Most messages are never opened, and an examination costs several times as much as a report.

import { setTimeout as pause } from "node:timers/promises";
import {
  type ExaminationKind,
  type ExaminationState,
  examinationKinds,
  examinationVersions,
} from "../../../analyzer/reports/examination.ts";
import { type MessageRow, MissingMessage } from "../../../platform/database/messages.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { noSuchTest, Refusal } from "../../../platform/errors.ts";
import type { System } from "../../../platform/system/system.ts";
import { releaseClaim } from "../../../platform/work/claims.ts";
import { holdClaim } from "../../../platform/work/hold-claim.ts";
import {
  createJobQueue,
  everyMinute,
  type JobQueue,
  type Killed,
  triesInCompany,
} from "../../../platform/work/work-loop.ts";
import type { Publish } from "../../events/work/hub.ts";
import { phasesToLeaveOut } from "../analysis/examinations.ts";
import { type JobOutcome, type JobThread, untilStopped } from "../analysis/job-thread.ts";
import {
  claimExaminations,
  demandExamination,
  dropOutdatedExaminations,
  finishExamination,
  leaveOutPhases,
  peekExaminations,
  readExamination,
  readExamined,
} from "../rows/examinations.ts";
import { readTest } from "../rows/tests.ts";
import type { ExaminationsTable } from "../tables.ts";
import type { TestPlace } from "./viewer.ts";

type ExaminerOptions = {
  readonly store: Store;
  readonly thread: JobThread;
  readonly system: Pick<System, "now" | "log">;
  /** Identifies this process in claims. */
  readonly owner: string;
  /** Extended while an examination runs. */
  readonly leaseMs: number;
  readonly publish: Publish;
};

type Examination = {
  readonly state: ExaminationState;
  /** JSON of the result, or why there is none. Null while waiting. */
  readonly result: string | null;
  readonly examinedAt: number | null;
};

export type Examiner = Pick<JobQueue<ExaminationsTable>, "start" | "stop" | "untilIdle"> & {
  /** Starts one without a current result. */
  readonly demand: (test: TestPlace, kind: ExaminationKind) => Promise<Examination>;
  /** Starts all kinds without a current result and waits for them, but not for long: they may be behind others. */
  readonly untilExamined: (test: TestPlace) => Promise<void>;
};

const patience = { forMs: 5_000, everyMs: 100 };

/** Before one whose message can't be read is tried again. */
const unavailableForMs = 60_000;

type Trouble = Extract<JobOutcome, { readonly outcome: "stalled" | "interrupted" }>;

export function createExaminer(options: ExaminerOptions): Examiner {
  const { store, thread, system, owner, leaseMs } = options;
  let isTidy = false;
  const queue = createJobQueue<ExaminationsTable, Pick<ExaminationsTable, "attempts">, Trouble>({
    thread,
    places: 1,
    handful: 1,
    every: everyMinute,
    system,
    restMs: () => 0,
    words: { trouble: "examinations failed", over: "examinations are working again" },
    peek: async (limit) => {
      if (!isTidy) await store.write(dropOutdatedExaminations);
      isTidy = true;
      return await peekExaminations(store.read, system.now(), limit);
    },
    allow: (waiting) => waiting.length,
    claim: (which) => store.write((db) => claimExaminations(db, { now: system.now(), owner, leaseMs, ...which })),
    triesAlone: ({ attempts }) => attempts - triesInCompany,
    run: async (row, { stopping }) => {
      const terms = { ...options, thread: untilStopped(thread, stopping) };
      return await holdClaim("test_examinations", row, options, () => examine(row, terms));
    },
    giveBack: async (row) => {
      const dueAt = row.due_at ?? system.now();
      await store.write((db) => releaseClaim(db, "test_examinations", row, { dueAt, unmarked: true }));
    },
    retry: async (row) => {
      const dueAt = row.due_at ?? system.now();
      await store.write((db) => releaseClaim(db, "test_examinations", row, { dueAt }));
    },
    giveUp: async (row, why) => await conclude(row, { state: "failed", result: toFailure(why) }, options),
    putBack: (row) => conclude(row, { state: "failed", result: notSaved }, options),
  });
  const ask: Examiner["demand"] = async (place, kind) => {
    const examination = await demand(place, kind, options);
    if (examination.state === "waiting") queue.kick();
    return examination;
  };
  return {
    ...queue,
    demand: ask,
    untilExamined: async (place) => {
      const scope = inWorkspace(store.read, place.workspaceId);
      const until = performance.now() + patience.forMs;
      for (const kind of examinationKinds) await ask(place, kind);
      const isWaiting = async (kind: ExaminationKind) =>
        (await readExamination(scope, place.testId, kind))?.state === "waiting";
      for (const kind of examinationKinds)
        while (performance.now() < until && (await isWaiting(kind))) await pause(patience.everyMs);
    },
  };
}

async function demand(
  { workspaceId, testId }: TestPlace,
  kind: ExaminationKind,
  { store, system }: ExaminerOptions,
): Promise<Examination> {
  const scope = inWorkspace(store.read, workspaceId);
  const test = await readTest(scope, testId);
  if (test === undefined) throw noSuchTest();
  const row = await readExamination(scope, testId, kind);
  if (row && row.state !== "waiting" && row.version >= examinationVersions[kind])
    return { state: row.state, result: row.result, examinedAt: row.examined_at };
  // Without a report there is nothing to compare with.
  if (test.analyzed_at !== null)
    await store.write((db) => demandExamination(inWorkspace(db, workspaceId), { testId, kind, now: system.now() }));
  else if (test.status === "failed") {
    const result = "The message was not analyzed, so there is no report to examine.";
    return { state: "failed", result, examinedAt: null };
  }
  return { state: "waiting", result: null, examinedAt: null };
}

async function examine(row: ExaminationsTable, options: ExaminerOptions) {
  const { store, thread, system } = options;
  const examined = await readExamined(store.read, row.test_id);
  if (!examined) return await conclude(row, { state: "failed", result: "The test has no report." }, options);
  const opened = await open(examined, row, options);
  if (opened === null) return undefined;
  const message = { ...opened, received_at: examined.received_at, report: examined.report };
  const frozen = JSON.parse(row.frozen ?? "[]") as string[];
  const outcome = await thread.run({ kind: "examine", examination: row.kind, message, frozen });
  if (outcome.outcome === "closed") return outcome;
  if (outcome.outcome === "answer") {
    const state = outcome.answer === null ? ("failed" as const) : ("done" as const);
    const result = outcome.answer ?? "The report is in an old format. Re-analyze the test first.";
    return await conclude(row, { state, result }, options);
  }
  const subject = { test: row.test_id, kind: row.kind };
  if (outcome.outcome === "failed") {
    system.log.error("examination failed", { ...subject, why: outcome.why });
    return await conclude(row, { state: "failed", result: outcome.why }, options);
  }
  system.log.warn("examination did not finish", { ...subject, ...outcome });
  const { phase } = outcome;
  if (phase && phasesToLeaveOut.includes(phase) && !frozen.includes(phase)) {
    await store.write((db) => leaveOutPhases(db, row, [...frozen, phase]));
    return undefined;
  }
  // It was alone in its thread, so a stall is its own doing.
  if (outcome.outcome === "stalled")
    return await conclude(row, { state: "failed", result: toFailure(outcome) }, options);
  return outcome;
}

/** Null if there is no message now. If it can't be read, it is tried again later. */
async function open(examined: MessageRow, row: ExaminationsTable, options: ExaminerOptions) {
  const { store, system } = options;
  try {
    return await store.messages.open(examined, "patiently");
  } catch (error) {
    if (error instanceof MissingMessage) await conclude(row, { state: "failed", result: error.message }, options);
    else if (error instanceof Refusal) {
      const dueAt = system.now() + unavailableForMs;
      await store.write((db) => releaseClaim(db, "test_examinations", row, { dueAt, unmarked: true }));
    } else throw error;
    return null;
  }
}

const notSaved = "Internal error: the result could not be saved. See the server's log.";

function toFailure(why: Trouble | Killed): string {
  if (why.outcome === "killed") return `The server stopped ${why.times} times during this examination.`;
  return `The message ${why.outcome === "stalled" ? "stalled" : "crashed"} the examination, ${why.during}.`;
}

/** Without effect if the claim was lost. */
async function conclude(
  row: ExaminationsTable,
  outcome: Pick<ExaminationsTable, "state" | "result">,
  { store, system, publish }: ExaminerOptions,
): Promise<undefined> {
  const columns = { ...outcome, examined_at: system.now() };
  if (!(await store.writeRelaxed((db) => finishExamination(db, row, columns)))) return;
  publish(row.workspace_id, { type: "test.examined", id: row.test_id, kind: row.kind });
}
