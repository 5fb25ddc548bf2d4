// The accuracy of placement predictions: compared with what the workspace's seed mailboxes showed.

import { useCallback } from "preact/hooks";
import { call } from "../client/call.ts";
import { useEvents } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";
import { useArrival, useTitle } from "../client/router.tsx";
import { useIsOwner } from "../client/session.ts";
import { toCount, toList, toPercent, toPlural, toWord } from "../client/words.ts";
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
        title={providers === null ? "Prediction accuracy" : toConclusion(providers)}
        lead={
          <>
            How predictions for your tests compare with what your seed mailboxes showed.{" "}
            <a href="/docs/checks#predictions">How predictions work, and their limits</a>
          </>
        }
      />
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load the data." message={loaded.trouble.message} onRetry={reload} />
      )}
      {providers === null && loaded.state === "loading" && <Skeleton lines={9} what="the data" />}
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
  const shown = providers.filter((one) => hasFigures(one) || one.shift !== null);
  const others = providers.filter((one) => !shown.includes(one));
  return (
    <div class="stack">
      {shown.map((calibration) => (
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
    <EmptyState icon="eye" title="No messages observed yet">
      <p>
        Connect a seed mailbox, and send your tests to it as well. After 20 observed messages at a provider,
        this page shows how often predictions were right.
      </p>
      <div class="row">
        <a class="btn primary" href="/integrations">
          Connect a mailbox
        </a>
        <a class="btn" href="/start#seed-list">
          See seed addresses
        </a>
      </div>
    </EmptyState>
  );
}

/** The result over all providers with enough data. */
function toConclusion(providers: readonly Calibration[]): string {
  const known = providers.filter(hasFigures);
  if (known.length === 0) return "Prediction accuracy: not enough data yet";
  const hits = known.reduce((sum, one) => sum + toHits(one), 0);
  const all = known.reduce((sum, { observations }) => sum + observations, 0);
  const names = known.map(({ provider }) => toProviderName(provider));
  const where = names.length > 2 ? `at ${toWord(names.length)} providers` : `at ${toList(names)}`;
  return `${toPercent(hits / all)} of predictions ${where} were right`;
}

/** Too few observations would only show chance. */
function TooFew({ providers }: { readonly providers: readonly Calibration[] }) {
  const needed = providers[0]?.needed ?? 0;
  return (
    <section class="card flush" aria-labelledby="too-few-h">
      <h2 class="pad t4" id="too-few-h">
        Not enough data: {toPlural(providers.length, "provider", "providers")}
      </h2>
      <p class="few-why muted">
        Each provider needs {toPlural(needed, "observed message", "observed messages")}. With fewer, the
        result could just be chance.
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
                {toCount(observations)} of {toCount(needed)} observed
              </Severity>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
