// How often predictions were right, by what the seed mailboxes showed.

import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useSession } from "../../../web/client/session.ts";
import { toCount, toDay, toPercent } from "../../../web/client/words.ts";
import { ErrorNote } from "../../../web/parts/states.tsx";
import { toProviderName } from "../../../web/report/placement-row.ts";

/** Old addresses lead here. A provider has a rate once at least 20 messages were seen there. */
export function HitRates() {
  const { learned } = useSession().workspace;
  const { loaded, reload } = useLoaded("calibration", async (signal) => {
    const { providers } = await call("GET /api/calibration", { signal });
    return providers.flatMap(({ hitRate, ...each }) => (hitRate === null ? [] : [{ ...each, hitRate }]));
  });
  const rated = loaded.value ?? [];
  if (loaded.state === "failed")
    return (
      <ErrorNote title="Couldn’t load the prediction accuracy." message={loaded.trouble.message} onRetry={reload} />
    );
  if (rated.length === 0 && !learned)
    return (
      <p class="mt-4 small muted" id="accuracy">
        How often predictions were right is shown here, from 20 observations at a provider.
      </p>
    );
  return (
    <section class="mt-6" id="accuracy" aria-labelledby="accuracy-h">
      <h3 id="accuracy-h">Prediction accuracy</h3>
      <p class="muted measure">
        How often your tests were in the predicted folder. <a href="/docs/checks#predictions">How predictions work</a>
      </p>
      {learned && (
        <p class="muted measure">
          Fitted to {toCount(learned.spam + learned.wanted)} of your own messages on {toDay(learned.at)}.{" "}
          <code>assay learn --forget</code> undoes it.
        </p>
      )}
      <ul class="list">
        {rated.map(({ provider, observations, hitRate: { value, low, high } }) => (
          <li key={provider}>
            <span>{toProviderName(provider)}</span>
            <span>
              {toPercent(value)} of {toCount(observations)} right (95% interval: {toPercent(low)} to {toPercent(high)})
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
