// A stream's state in words.

import { toWholeCauses, toWholePoints } from "../../../analyzer/words/grade-words.ts";
import { toList } from "../../../web/client/words.ts";
import { causeWords } from "../../compare/page/comparison.ts";
import type { Stream } from "../contract/streams.ts";

export type Move = NonNullable<Stream["lastMove"]>;

/** "9 points because of DNS, 3 because of the message". Null if the causes aren't known. */
export function toSplitWords(move: Pick<Move, "causes" | "score" | "usualScore">): string | null {
  const points = toWholePoints(move.usualScore, move.score);
  const causes = toWholeCauses(move.causes ?? [], points);
  if (causes.length === 0) return null;
  const [only] = causes;
  if (causes.length === 1 && only) return `because of ${toCauseName(only)}`;
  const parts = causes.map((one, index) => {
    const size = Math.abs(one.points);
    const unit = index > 0 ? "" : size === 1 ? " point" : " points";
    // A cause may work against the others.
    const isAgainst = Math.sign(one.points) !== Math.sign(points);
    const way = isAgainst ? (one.points > 0 ? " up" : " down") : "";
    return `${size}${unit}${way} because of ${toCauseName(one)}`;
  });
  return toList(parts);
}

function toCauseName({ cause }: NonNullable<Move["causes"]>[number]): string {
  return cause === "variation" ? "normal variation" : causeWords[cause].name;
}

/** "12 points lower than usual". */
export function toMoveWords({ score, usualScore }: Pick<Move, "score" | "usualScore">): string {
  const points = toWholePoints(usualScore, score);
  const size = Math.abs(points);
  return `${size} ${size === 1 ? "point" : "points"} ${points < 0 ? "lower" : "higher"} than usual`;
}
