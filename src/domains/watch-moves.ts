// Keeps what was reported about a part of a domain, so that the monitor knows what was fixed and what keeps changing.

import type { Direction } from "./change-kind-table.ts";
import { isSame, type Trace } from "./parts.ts";

// What was told of a part, so that the monitor knows a thing that is mended, and one that goes to and fro.

export type Move = {
  readonly at: number;
  readonly from: Trace;
  readonly to: Trace;
  readonly direction: Direction;
  /** Told as mended: to undo that is no mending. */
  readonly isMended: boolean;
};

type Judgement = { readonly isMended: boolean; readonly isFlapping: boolean };

export const stillMs = 6 * 3_600_000;

/** Of an honest hand: within the six hours one more is told as unstable, whatever it leads to. */
const maxMoves = 3;

/** Whether a move mends what was told before, or is one turn too many: the first is drift, its undoing mends, then it flaps. */
export function judgeMove(earlier: readonly Move[], move: Move): Judgement {
  const [last, previous] = earlier.toReversed();
  const isBack = last !== undefined && opposes(last, move);
  const isThirdTurn =
    isBack &&
    previous !== undefined &&
    opposes(previous, last) &&
    isRecent(previous, last) &&
    isRecent(last, move);
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

/** The last says what could be mended, however old it is. */
export function keepMoves(moves: readonly Move[], at: number): readonly Move[] {
  return moves
    .filter((move, index) => index === moves.length - 1 || at - move.at <= 2 * stillMs)
    .slice(-maxMoves);
}
