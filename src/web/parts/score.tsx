import {
  type Grade,
  provisional,
  provisionalWhy,
  toWholeScore as toScore,
} from "../../analyzer/reports/grade-words.ts";
import { toneOfScore } from "../../analyzer/words/grade-words.ts";

/** Inline: the score and its grade. */
export function Score({ score, grade }: { readonly score: number | null; readonly grade: Grade | null }) {
  if (score === null) return <span class="faint">–</span>;
  return (
    <span class={`sev ${toneOfScore(score)}`}>
      <span class="score">{toScore(score)}</span>{" "}
      {grade ?? (
        <span class="prov" title={provisionalWhy}>
          {provisional}
        </span>
      )}
    </span>
  );
}
