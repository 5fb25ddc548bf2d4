// After a stream moved, splits the change among its causes and raises the alert. Not in the transaction that found the
// move, because both messages are analyzed again for it.

import { toMoveCauses } from "../../../analyzer/reports/stream.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { messageOf, Refusal } from "../../../platform/errors.ts";
import type { System } from "../../../platform/system/system.ts";
import { releaseClaim } from "../../../platform/work/claims.ts";
import { createWorkLoop, type WorkLoop } from "../../../platform/work/work-loop.ts";
import type { StreamData } from "../../alerts/rules/alert-event.ts";
import { raiseAlert } from "../../alerts/work/raise.ts";
import type { ScoreSplit } from "../../compare/work/split-change.ts";
import type { JobThread } from "../../tests/analysis/job-thread.ts";
import { readTest } from "../../tests/rows/tests.ts";
import { readRecorded } from "../../tests/work/reanalyze.ts";
import { readRecordedTest } from "../../tests/work/recorded-test.ts";
import { claimMovedStreams, finishMovedStream, readStreamName } from "../rows.ts";
import type { StreamsTable } from "../tables.ts";
import { readMove, type StreamMove } from "./streams.ts";

type MoveOptions = {
  readonly store: Store;
  readonly thread: JobThread;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly owner: string;
};

const pollEveryMs = 15_000;
const atOnce = 8;
/** Longer than the analyses of a whole batch. */
const leaseMs = 300_000;
/** After that the alert goes out without the split. */
const mostAttempts = 3;

export function createMoveWatcher(options: MoveOptions): Pick<WorkLoop, "start" | "stop" | "untilIdle"> {
  const { store, system, owner } = options;
  const loop: WorkLoop = createWorkLoop({
    poll: async () => {
      const lease = { now: system.now(), owner, leaseMs, limit: atOnce };
      const moved = await store.write((db) => claimMovedStreams(db, lease));
      for (const stream of moved) {
        if (loop.stopping.aborted) return;
        const putBack = (_error: unknown, dueAt: number) =>
          store.write((db) => releaseClaim(db, "streams", stream, { dueAt }));
        await loop.serve(stream.id, () => finishMove(stream, options), putBack);
      }
    },
    every: pollEveryMs,
    system,
    words: { trouble: "checking streams failed", over: "checking streams is working again" },
  });
  return loop;
}

async function finishMove(stream: StreamsTable, { store, thread, system }: MoveOptions): Promise<void> {
  const move = readMove(stream);
  const split =
    move && stream.attempts <= mostAttempts ? await trySplit(stream, move, { store, thread, system }) : null;
  await store.write(async (db) => {
    const scope = inWorkspace(db, stream.workspace_id);
    const whole = move && { ...move, causes: split && toMoveCauses(split.causes, move.points) };
    if (!(await finishMovedStream(db, stream, whole ? { move: JSON.stringify(whole) } : {}))) return;
    const test = stream.moved_test_id === null ? undefined : await readTest(scope, stream.moved_test_id);
    if (!test || !whole) return;
    const data: StreamData = {
      stream: { id: stream.id, name: await readStreamName(scope, stream) },
      test: {
        id: test.id,
        receivedAt: toTimestamp(test.received_at),
        from: test.header_from,
        subject: test.subject,
        label: test.label,
        score: whole.score,
      },
      usualScore: whole.usual?.score ?? whole.score - whole.points,
      points: whole.points,
      comparedWith: whole.comparedWith,
      causes: whole.causes,
      changes: whole.marks,
    };
    await raiseAlert(scope, { type: "stream.moved", data }, system);
  });
}

/** Null if one of the tests was deleted since, or can't be analyzed again. */
async function trySplit(
  { workspace_id, moved_test_id, id }: StreamsTable,
  { comparedWith }: StreamMove,
  { store, thread, system }: Pick<MoveOptions, "store" | "thread" | "system">,
): Promise<ScoreSplit | null> {
  if (moved_test_id === null) return null;
  const scope = inWorkspace(store.readInWorker, workspace_id);
  const read = async (testId: string) =>
    (await readRecordedTest(store, scope, testId, () => readRecorded(scope, testId))).message;
  try {
    const before = await read(comparedWith);
    const outcome = await thread.run({ kind: "split", before, after: await read(moved_test_id) });
    if (outcome.outcome === "answer") return outcome.answer;
    system.log.warn("a stream's change was not split", { stream: id, ...outcome });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    system.log.debug("a stream's change was not split", { stream: id, why: messageOf(error) });
  }
  return null;
}
