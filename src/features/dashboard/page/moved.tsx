// What changed, above everything else: streams with unusual scores, and problems that reports show.

import { toPlural } from "../../../web/client/words.ts";
import { Moment } from "../../../web/parts/text.tsx";
import { toMoveWords, toSplitWords } from "../../tests/page/stream-words.ts";
import type { DashboardSummary } from "../contract.ts";

export function MovedCard({ streams }: { readonly streams: DashboardSummary["movedStreams"] }) {
  if (streams.length === 0) return null;
  return (
    <section class="card mt-4" aria-labelledby="moved-h">
      <h2 id="moved-h">Streams with unusual scores, 7 days</h2>
      <ul class="list">
        {streams.map(({ id, name, lastMove }) => {
          if (lastMove === null) return null;
          const split = toSplitWords(lastMove);
          return (
            <li key={id}>
              <span>
                <a class="clip entry" href={`/streams/${id}`}>
                  {name}
                </a>
                <span class="under small muted">
                  <Moment time={lastMove.at} />
                  {split !== null && `: ${split}`}
                </span>
              </span>
              <span class={`tone ${lastMove.points < 0 ? "critical" : "good"}`}>{toMoveWords(lastMove)}</span>
            </li>
          );
        })}
      </ul>
      <p class="mt-3">
        <a href="/streams">All streams</a>
      </p>
    </section>
  );
}

export function FeedbackCard({ feedback: { open, newest } }: Pick<DashboardSummary, "feedback">) {
  if (open === 0) return null;
  return (
    <section class="card mt-4" aria-labelledby="feedback-h">
      <h2 id="feedback-h">Problems in reports about your domains</h2>
      <ul class="list">
        {newest.map(({ id, domain, title, openedAt }) => (
          <li key={id}>
            <span>
              <a class="clip" href={`/domains/${domain.id}#feedback`}>
                {title}
              </a>
              <span class="under small muted">
                {domain.domain}, <Moment time={openedAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {open > newest.length && <p class="mt-3 label">And {toPlural(open - newest.length, "other", "others")}.</p>}
    </section>
  );
}
