import type { Direction } from "./change-kind-table.ts";
import { isSame, type Trace } from "./parts.ts";

// Remembers what was reported about a part of a domain, to recognize fixes and records that keep changing.

export type Move = {
  readonly at: number;
  readonly from: Trace;
  readonly to: Trace;
  readonly direction: Direction;
  /** Reported as a fix. Undoing it is not another fix. */
  readonly isMended: boolean;
};

type Judgement = { readonly isMended: boolean; readonly isFlapping: boolean };

export const stillMs = 6 * 3_600_000;

/** Normal edits stay below this. One more change within six hours counts as unstable. */
const maxMoves = 3;

/**
 * Whether a change fixes an earlier one, or is one too many: the first change is drift, undoing it is a fix, the next
 * counts as flapping.
 */
export function judgeMove(earlier: readonly Move[], move: Move): Judgement {
  const [last, previous] = earlier.toReversed();
  const isBack = last !== undefined && opposes(last, move);
  const isThirdTurn =
    isBack && previous !== undefined && opposes(previous, last) && isRecent(previous, last) && isRecent(last, move);
  return {
    isMended: isBack && !last.isMended && move.direction !== "worse",
    isFlapping: isThirdTurn || earlier.filter((one) => isRecent(one, move)).length >= maxMoves,
  };
}

function isRecent(one: Move, other: Move): boolean {
  return Math.abs(other.at - one.at) <= stillMs;
}

function opposes(one: Move, other: Move): boolean {
  const directions = `${one.direction} ${other.direction}`;
  return isSame(one.from, other.to) || directions === "worse better" || directions === "better worse";
}

/** The last one is kept regardless of age, because a later change may fix it. */
export function keepMoves(moves: readonly Move[], at: number): readonly Move[] {
  return moves.filter((move, index) => index === moves.length - 1 || at - move.at <= 2 * stillMs).slice(-maxMoves);
}
