// A domain that someone asked about on the start page: checked at once, and monitored only if they want it.

import { call } from "../../../web/client/call.ts";
import type { AnswerTo } from "../../../web/client/endpoints.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { goTo } from "../../../web/client/router.tsx";
import { useDoing } from "../../../web/client/use-action.ts";
import { PageHeading } from "../../../web/parts/heading.tsx";
import { Score } from "../../../web/parts/score.tsx";
import { ErrorNote, Skeleton } from "../../../web/parts/states.tsx";
import { FixFirst } from "../../../web/report/fix.tsx";
import { AlsoWatched } from "./also-watched.tsx";
import { VerdictCards } from "./verdict-cards.tsx";
import { toJudged } from "./verdicts.tsx";

type Checked = AnswerTo<"POST /api/domains/check">;

/** For the way back to the page. Another check of the same domain is refused for as long. */
let last: { readonly name: string; readonly until: number; readonly checked: Checked } | null = null;
const keptMs = 60_000;

async function check(name: string, signal: AbortSignal): Promise<Checked> {
  if (last?.name === name && Date.now() < last.until) return last.checked;
  const checked = await call("POST /api/domains/check", { body: { domain: name }, signal });
  last = { name, until: Date.now() + keptMs, checked };
  return checked;
}

export function CheckedDomain({ name }: { readonly name: string }) {
  const { loaded, reload } = useLoaded(name, (signal) => check(name, signal));
  const { isBusy, trouble, run } = useDoing();
  const watch = () =>
    run(async () => {
      const { id } = await call("POST /api/domains", { body: { domain: name } });
      goTo(`/domains/${id}`, { replace: true });
    });
  const checked = loaded.value;
  return (
    <>
      <PageHeading title={name} lead="Checked once. Watch it to have it checked every hour, and to see what changes.">
        {checked && checked.score !== null && <Score score={checked.score} grade={checked.grade} />}
        <button class="btn primary" type="button" disabled={isBusy} onClick={watch}>
          Watch this domain
        </button>
      </PageHeading>
      {trouble !== null && <ErrorNote title="Couldn’t add the domain." message={trouble.message} />}
      {loaded.state === "failed" && (
        <ErrorNote title="The check failed." message={loaded.trouble.message} onRetry={reload} />
      )}
      {checked === null && loaded.state === "loading" && <Skeleton lines={9} what="the records of the domain" />}
      {checked && (
        <>
          <VerdictCards domain={checked} />
          <AlsoWatched domain={checked} />
          <FixFirst test={toJudged(checked)} />
        </>
      )}
    </>
  );
}
