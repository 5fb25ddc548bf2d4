import { toCount, toWord } from "../client/words.ts";
import { Severity } from "../parts/tone.tsx";
import { toProviderName } from "../report/placement-row.ts";
import type { Calibration } from "./calibration.ts";

/** A figure of a few would be chance. */
export function TooFew({ providers }: { readonly providers: readonly Calibration[] }) {
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
