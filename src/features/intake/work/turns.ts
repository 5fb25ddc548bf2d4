// Takes turns between workspaces: one that receives ten thousand messages at once doesn't keep the others waiting for
// theirs. The queue is ordered by due time, so a message's due time is its turn (start-time fair queueing): a workspace's
// messages follow each other by a millisecond from the turn that is being analyzed, and a workspace without a backlog comes
// next. The state is lost with the process, which only makes the order that of arrival for a moment.

import type { Intake } from "../rows/intake.ts";

export type Turns = {
  /** When the workspace's next message is due. */
  readonly take: (workspaceId: string, now: number) => number;
  /** The due times of tests that are being analyzed. */
  readonly noteClaimed: (dueAt: readonly (number | null)[]) => void;
  readonly noteNothingWaits: () => void;
};

/** Less than any message takes to analyze, so that a turn is never in the future for long. */
const stepMs = 1;

export function createTurns(): Turns {
  /** The turn that is being analyzed. Null: no one waits. */
  let current: number | null = null;
  /** The last turn of each workspace with a backlog. */
  const last = new Map<string, number>();
  return {
    take: (workspaceId, now) => {
      current ??= now;
      const turn = Math.min(now, Math.max(current, (last.get(workspaceId) ?? 0) + stepMs));
      last.set(workspaceId, turn);
      return turn;
    },
    noteClaimed: (dueAt) => {
      for (const turn of dueAt) if (turn !== null && turn > (current ?? 0)) current = turn;
    },
    noteNothingWaits: () => {
      current = null;
      last.clear();
    },
  };
}

export function withTurns({ insert }: Intake, turns: Turns): Intake {
  return {
    insert: (messages, check) =>
      insert(
        messages.map((message) => ({
          ...message,
          tests: message.tests.map((test) => ({ ...test, dueAt: turns.take(test.workspaceId, message.receivedAt) })),
        })),
        check,
      ),
  };
}
