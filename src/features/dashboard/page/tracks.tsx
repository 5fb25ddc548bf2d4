// Streams, each with a small line of its scores.

import { toWholeScore as toScore } from "../../../analyzer/reports/grade-words.ts";
import { toMoveWords } from "../../tests/page/stream-words.ts";
import type { DashboardSummary } from "../contract.ts";

type TracksProps = Pick<DashboardSummary, "streams"> & {
  /** Earlier unusual scores are no news. */
  readonly since: string;
};

export function TracksCard({ streams, since }: TracksProps) {
  if (streams.length === 0) return null;
  return (
    <section class="card" aria-labelledby="streams-h">
      <h2 id="streams-h">Streams</h2>
      <ul class="list">
        {streams.map(({ stream: { id, name, lastMove, usualScore }, scores }) => (
          <li key={id}>
            <span>
              <a href={`/streams/${id}`}>
                <bdi>{name}</bdi>
              </a>
              <span class="label clip">
                {lastMove !== null && lastMove.at >= since
                  ? toMoveWords(lastMove)
                  : usualScore === null
                    ? "Usual score not known yet"
                    : `Usually ${toScore(usualScore)}`}
              </span>
            </span>
            <span class="row nowrap">
              <Sparkline scores={scores} />
              <span class="num strong">{toScore(scores.at(-1) ?? 0)}</span>
            </span>
          </li>
        ))}
      </ul>
      <p class="mt-3">
        <a href="/streams">All streams</a>
      </p>
    </section>
  );
}

/** Small differences stay small. */
const leastRange = 20;

function Sparkline({ scores }: { readonly scores: readonly number[] }) {
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const range = Math.max(highest - lowest, leastRange);
  const points = scores.map((score, at) => {
    const height = (score - (lowest + highest) / 2) / range;
    return `${(at / (scores.length - 1)) * 100},${16 - height * 28}`;
  });
  return (
    <svg
      class="spark"
      viewBox="0 0 100 32"
      preserveAspectRatio="none"
      role="img"
      aria-label={`Scores: ${scores.map(toScore).join(", ")}`}
    >
      <polyline class="ln" points={points.join(" ")} />
    </svg>
  );
}
