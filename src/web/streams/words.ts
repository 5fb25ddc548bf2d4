// A stream's state in words.

import type { Stream, StreamDetail } from "../../api/streams.ts";
import { toList } from "../client/words.ts";
import { causeWords } from "../compare/comparison.ts";

export type Move = NonNullable<Stream["lastMove"]>;
export type Step = StreamDetail["steps"][number];

/** "9 points because of DNS, 3 because of the message". Null if the causes aren't known. */
export function toSplitWords({ causes, points }: Pick<Move, "causes" | "points">): string | null {
  if (causes === null || causes.length === 0) return null;
  const [only] = causes;
  if (causes.length === 1 && only) return `because of ${causeWords[only.cause].name}`;
  const parts = causes.map((one, index) => {
    const size = Math.abs(one.points);
    const unit = index > 0 ? "" : size === 1 ? " point" : " points";
    // A cause may work against the others.
    const isAgainst = Math.sign(one.points) !== Math.sign(points);
    const way = isAgainst ? (one.points > 0 ? " up" : " down") : "";
    return `${size}${unit}${way} because of ${causeWords[one.cause].name}`;
  });
  return toList(parts);
}

/** "12 points lower than usual". */
export function toMoveWords({ points }: Pick<Move, "points">): string {
  const size = Math.abs(points);
  return `${size} ${size === 1 ? "point" : "points"} ${points < 0 ? "lower" : "higher"} than usual`;
}
