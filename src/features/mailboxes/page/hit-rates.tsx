// How often predictions were right, by what the seed mailboxes showed.

import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useSession } from "../../../web/client/session.ts";
import { toCount, toDay, toPercent, toPlural } from "../../../web/client/words.ts";
import { Severity } from "../../../web/parts/tone.tsx";
import { toProviderName } from "../../../web/report/placement-row.ts";
import { Reading } from "../../../web/settings/parts.tsx";

export function HitRates() {
  const { learned } = useSession().workspace;
  const reading = useLoaded("calibration", async (signal) => {
    const { providers } = await call("GET /api/calibration", { signal });
    return providers;
  });
  return (
    <section class="mt-6" id="accuracy" aria-labelledby="accuracy-h">
      <h3 id="accuracy-h">Prediction accuracy</h3>
      <p class="muted measure">
        How often your tests were in the predicted folder. A rate needs{" "}
        {toPlural(reading.loaded.value?.[0]?.needed ?? 20, "message", "messages")} seen at a provider.{" "}
        <a href="/docs/checks#predictions">How predictions work</a>
      </p>
      {learned && (
        <p class="muted measure">
          Fitted to {toCount(learned.spam + learned.wanted)} of your own messages on {toDay(learned.at)}.{" "}
          <code>assay learn --forget</code> undoes it.
        </p>
      )}
      <Reading reading={reading} what="the prediction accuracy">
        {(providers) =>
          providers.every(({ observations }) => observations === 0) ? (
            <p class="muted">No messages seen yet.</p>
          ) : (
            <ul class="list">
              {providers.map(({ provider, observations, needed, hitRate }) => (
                <li key={provider}>
                  <span>{toProviderName(provider)}</span>
                  {hitRate === null ? (
                    <Severity tone="unknown">
                      {toCount(observations)} of {toCount(needed)} seen
                    </Severity>
                  ) : (
                    <span>
                      {toPercent(hitRate.value)} of {toCount(observations)} right (95% interval:{" "}
                      {toPercent(hitRate.low)} to {toPercent(hitRate.high)})
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
    </section>
  );
}
