import {
  type Grade,
  gradeMarks,
  provisional,
  provisionalWhy,
  toneOfScore,
  toWholeScore as toScore,
} from "../../analyzer/words/grade-words.ts";

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

const centre = 66;
const radius = 56;
/** Half the arc of the dial, in degrees from the top. */
const opening = 135;

function pointAt(share: number, distance: number): string {
  const angle = ((-opening + 2 * opening * share) * Math.PI) / 180;
  const x = centre + distance * Math.sin(angle);
  const y = centre - distance * Math.cos(angle);
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}

function arcTo(share: number): string {
  return `M${pointAt(0, radius)} A${radius} ${radius} 0 ${share > 2 / 3 ? 1 : 0} 1 ${pointAt(share, radius)}`;
}

export function Dial({ score, grade }: { readonly score: number | null; readonly grade: Grade | null }) {
  const said =
    score === null
      ? "No score"
      : `Overall score ${toScore(score)} of 100, ${grade === null ? `${provisional}: not enough was checked for a grade` : `grade ${grade}`}`;
  return (
    <svg class={`dial ${toneOfScore(score)}`} viewBox="0 0 132 134" role="img" aria-label={said}>
      <path class="track" d={arcTo(1)} fill="none" stroke-width="11" />
      {score !== null && score > 0 && <path class="arc" d={arcTo(score / 100)} fill="none" stroke-width="11" />}
      {gradeMarks.map(({ grade: at, from }) => (
        <path key={at} class="tick" d={`M${pointAt(from / 100, 49)} L${pointAt(from / 100, 63)}`} stroke-width="2.5" />
      ))}
      <text x="66" y="71" font-size="35" font-weight="650" letter-spacing="-1.5">
        {score === null ? "–" : toScore(score)}
      </text>
      <text class="of" x="66" y="89" font-size="12">
        of 100
      </text>
      {grade === null ? (
        <text class="of" x="66" y="118" font-size="13" font-weight="650">
          {score === null ? "" : provisional}
        </text>
      ) : (
        <>
          <path class="oct" d="M57 98h18l9 9v18l-9 9H57l-9-9v-18z" />
          <text class="gr" x="66" y="123.5" font-size="20" font-weight="700">
            {grade}
          </text>
        </>
      )}
    </svg>
  );
}
