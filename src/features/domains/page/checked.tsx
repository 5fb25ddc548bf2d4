// A domain that someone asked about on the start page: checked at once, and monitored only if they want it.

import { call } from "../../../web/client/call.ts";
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

export function CheckedDomain({ name }: { readonly name: string }) {
  const body = { domain: name };
  const { loaded, reload } = useLoaded(name, (signal) => call("POST /api/domains/check", { body, signal }));
  const { isBusy, trouble, run } = useDoing();
  const watch = () =>
    run(async () => {
      const { id } = await call("POST /api/domains", { body });
      goTo(`/domains/${id}`, { replace: true });
    });
  const checked = loaded.value;
  return (
    <>
      <PageHeading title={name} lead="Checked once. Watch it to have it checked every hour, and to see what changes.">
        {checked && <Score score={checked.score} grade={checked.grade} />}
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
