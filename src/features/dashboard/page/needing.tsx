// Small pictures of the messages that need you.

import { addressOf } from "../../../web/client/call.ts";
import { toCount } from "../../../web/client/words.ts";
import { Score } from "../../../web/parts/score.tsx";
import { toSenderName } from "../../../web/report/inbox-words.ts";
import type { DashboardSummary } from "../contract.ts";
import { toNeedWords } from "./needs.ts";

export function NeedingList({ needsYou: { tests, newest, search } }: Pick<DashboardSummary, "needsYou">) {
  if (newest.length === 0) return null;
  return (
    <section aria-labelledby="needing-h">
      <h2 id="needing-h" class="vh">
        Messages that need you
      </h2>
      <ul class="needing">
        {newest.map((one) => (
          <li key={one.test.id} class="card">
            <Picture id={one.test.id} />
            <div>
              <p class="row between">
                <span class="label clip">
                  <bdi>{toSenderName(one.test.from) || "No sender"}</bdi>
                </span>
                <Score score={one.test.composite} grade={one.test.grade} />
              </p>
              <a href={`/tests/${one.test.id}`} dir="auto">
                {one.test.subject?.trim() || "No subject"}
              </a>
              <p class={`small tone ${one.issue?.severity ?? "major"}`}>{toNeedWords(one)}</p>
            </div>
          </li>
        ))}
      </ul>
      {tests > newest.length && (
        <p class="mt-3">
          <a href={`/tests?q=${encodeURIComponent(search)}`}>See all {toCount(tests)}</a>
        </p>
      )}
    </section>
  );
}

/** As in the report: no scripts, nothing remote. Loads when it comes into view. */
function Picture({ id }: { readonly id: string }) {
  return (
    <div class="picture" aria-hidden="true">
      <iframe
        sandbox=""
        referrerpolicy="no-referrer"
        loading="lazy"
        title="Message preview"
        tabIndex={-1}
        src={addressOf("/preview/:id", { params: { id }, query: { dark: "off" } })}
      />
    </div>
  );
}
