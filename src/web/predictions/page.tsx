// How good the predictions of placement were here: held against what this workspace's own seed mailboxes showed.

import { useCallback } from "preact/hooks";
import { call } from "../client/call.ts";
import { useEvents } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";
import { useArrival, useTitle } from "../client/router.tsx";
import { useIsOwner } from "../client/session.ts";
import { toCount, toList, toPercent, toWord } from "../client/words.ts";
import { PageHeading } from "../parts/heading.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../parts/states.tsx";
import { Severity } from "../parts/tone.tsx";
import { toProviderName } from "../report/placement-row.ts";
import { type Calibration, hasFigures, toHits } from "./calibration.tsx";
import { ProviderSection } from "./provider.tsx";

export function PredictionsPage() {
  useTitle("Predictions");
  const { loaded, reload } = useLoaded("calibration", async (signal) => {
    const { providers } = await call("GET /api/calibration", { signal });
    return providers;
  });
  useEvents(
    useCallback(
      ({ type }) => {
        if (type === "test.observed" || type === "reset") reload();
      },
      [reload],
    ),
  );
  useArrival(loaded.value !== null);
  const isOwner = useIsOwner();
  const providers = loaded.value;
  return (
    <>
      <PageHeading
        title={providers === null ? "How good the predictions are" : toConclusion(providers)}
        lead={
          <>
            What was predicted for your tests, beside what your seed mailboxes showed of them.{" "}
            <a href="/docs/checks#predictions">How predictions are made, and what this cannot tell</a>
          </>
        }
      />
      {loaded.state === "failed" && (
        <ErrorNote title="The figures were not read." message={loaded.trouble.message} onRetry={reload} />
      )}
      {providers === null && loaded.state === "loading" && <Skeleton lines={9} what="what was seen" />}
      {providers !== null && <Providers providers={providers} isOwner={isOwner} onChanged={reload} />}
    </>
  );
}

type ProvidersProps = {
  readonly providers: readonly Calibration[];
  readonly isOwner: boolean;
  readonly onChanged: () => void;
};

function Providers({ providers, isOwner, onChanged }: ProvidersProps) {
  if (providers.every(({ observations, shift }) => observations === 0 && shift === null))
    return <NothingSeen />;
  const told = providers.filter((one) => hasFigures(one) || one.shift !== null);
  const others = providers.filter((one) => !told.includes(one));
  return (
    <div class="stack">
      {told.map((calibration) => (
        <ProviderSection
          key={calibration.provider}
          calibration={calibration}
          isOwner={isOwner}
          onChanged={onChanged}
        />
      ))}
      {others.length > 0 && <TooFew providers={others} />}
    </div>
  );
}

function NothingSeen() {
  return (
    <EmptyState icon="eye" title="Nothing was seen in a mailbox yet">
      <p>
        Connect a seed mailbox and send your tests to it as well. From 20 messages on that a provider’s
        mailboxes show, this page says how often their folder was predicted.
      </p>
      <div class="row">
        <a class="btn primary" href="/integrations">
          Connect a mailbox
        </a>
        <a class="btn" href="/start#seed-list">
          Addresses to send to
        </a>
      </div>
    </EmptyState>
  );
}

/** The answer first: all providers that can be told together. */
function toConclusion(providers: readonly Calibration[]): string {
  const told = providers.filter(hasFigures);
  if (told.length === 0) return "How good the predictions are: too little was seen to say";
  const hits = told.reduce((sum, one) => sum + toHits(one), 0);
  const all = told.reduce((sum, { observations }) => sum + observations, 0);
  const names = told.map(({ provider }) => toProviderName(provider));
  const where = names.length > 2 ? `at ${toWord(names.length)} providers` : `at ${toList(names)}`;
  return `${toPercent(hits / all)} of what was seen ${where} was predicted`;
}

/** A figure of a few would be chance. */
function TooFew({ providers }: { readonly providers: readonly Calibration[] }) {
  const needed = providers[0]?.needed ?? 0;
  return (
    <section class="card flush" aria-labelledby="too-few-h">
      <h2 class="pad t4" id="too-few-h">
        Too few to say: {toWord(providers.length)} {providers.length === 1 ? "provider" : "providers"}
      </h2>
      <p class="few-why muted">
        It takes {toCount(needed)} messages that a provider’s seed mailboxes show. Fewer would tell chance,
        not the predictions.
      </p>
      <ul class="plain">
        {providers.map(({ provider, observations }) => (
          <li key={provider}>
            <span>{toProviderName(provider)}</span>
            <span class="few">
              <svg aria-hidden="true">
                <rect class="few-all" width="100%" height="100%" rx="3" />
                <rect
                  class="few-seen"
                  width={`${Math.min(100, (observations / needed) * 100)}%`}
                  height="100%"
                  rx="3"
                />
              </svg>
              <Severity tone="unknown">
                {toCount(observations)} of {toCount(needed)} seen
              </Severity>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
