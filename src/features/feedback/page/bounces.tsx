import { addressOf, call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { toCount, toPlural } from "../../../web/client/words.ts";
import { ErrorNote, Skeleton } from "../../../web/parts/states.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { DashboardSummary } from "../../dashboard/contract.ts";
import { type BounceGroup, toBounceGroups, toLinkName } from "../../dashboard/page/words.ts";

const readAtMost = 100;
const shownAtMost = 5;

/** Reloads when the counts in the summary change. */
export function BouncesCard({ summary }: { readonly summary: DashboardSummary }) {
  const { bounces7d, complaints7d, window } = summary;
  const { loaded, reload } = useLoaded(`${bounces7d} ${complaints7d}`, (signal) =>
    call("GET /api/bounces", { query: { limit: readAtMost }, signal }),
  );
  const groups = toBounceGroups(loaded.value?.items ?? [], window.from);
  const total = bounces7d + complaints7d;
  return (
    <section class="card" id="bounces" aria-labelledby="bounces-h">
      <h2 id="bounces-h">Bounces and complaints</h2>
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load bounces and complaints." message={loaded.trouble.message} onRetry={reload} />
      )}
      {loaded.value === null && loaded.state === "loading" && <Skeleton lines={3} what="bounces and complaints" />}
      <ul class="list">
        {groups.slice(0, shownAtMost).map((group) => (
          <GroupLine key={group.key} group={group} />
        ))}
      </ul>
      {loaded.value !== null && (groups.length > shownAtMost || total > readAtMost) && (
        <p class="mt-3 label">
          {total > readAtMost
            ? `Based on the newest ${toCount(readAtMost)} of ${toCount(total)} messages.`
            : `And ${toPlural(groups.length - shownAtMost, "other type", "other types")}.`}
        </p>
      )}
    </section>
  );
}

function GroupLine({ group }: { readonly group: BounceGroup }) {
  const { tone, word, title, line, example } = group;
  return (
    <li>
      <span>
        <Severity tone={tone}>{word}</Severity> <strong>{title}</strong>
        <span class="label">
          {line}
          {!example.authenticated && "; may not be about your mail"}
        </span>
      </span>
      {example.testId === null ? (
        <a
          class="more"
          href={addressOf("/api/bounces/:id/raw", { params: { id: example.id } })}
          download={`${example.id}.eml`}
          aria-label={`Download the message: ${toLinkName(group)}`}
        >
          Message
        </a>
      ) : (
        <a class="more" href={`/tests/${example.testId}`} aria-label={`Test: ${toLinkName(group)}`}>
          Test
        </a>
      )}
    </li>
  );
}
