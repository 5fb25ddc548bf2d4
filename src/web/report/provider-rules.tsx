// What a provider asks of senders, and what of it this message keeps.

import type { TestReport } from "../../api/tests.ts";
import { Icon } from "../parts/icon.tsx";
import { Away } from "../parts/text.tsx";

const boxPx = 13;

/** How many of the provider's published rules it keeps: filled, open, dashed, and in words. */
export function RulesTally({ test, provider }: { readonly test: TestReport; readonly provider: string }) {
  const rules = test.rules?.find((one) => one.provider === provider);
  if (!rules) return null;
  const items = rules.items.filter(({ applies, met }) => applies || met !== null);
  const sorted = items.toSorted((a, b) => rankOf(a.met) - rankOf(b.met));
  const width = sorted.length * boxPx;
  return (
    <details>
      <summary>
        <span class="tally">
          <svg width={width} viewBox={`0 0 ${width} 12`} aria-hidden="true">
            {sorted.map(({ rule, met }, index) => (
              <rect
                key={rule}
                class={met === null ? "unk" : met ? "met" : "not"}
                x={index * boxPx + 1.8}
                y="1.8"
                width="8.4"
                height="8.4"
                rx="1"
              />
            ))}
          </svg>
          <span class="words">
            <strong>
              {rules.met} of {rules.total}
            </strong>{" "}
            published rules met{rules.unknown > 0 && `, ${rules.unknown} not checked`}
          </span>
        </span>
      </summary>
      <ul class="rules">
        {sorted.map(({ rule, asks, met, why, reference }) => (
          <li key={rule} class={met === null ? "unknown" : met ? "good" : "major"}>
            <span class="tone">
              <Icon name={met === null ? "unknown" : met ? "good" : "major"} />
            </span>
            <span>
              <span class="vh">{met === null ? "Not checked: " : met ? "Met: " : "Not met: "}</span>
              {asks} <span class="muted">{why}</span> <Away url={reference.url}>{reference.title}</Away>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function rankOf(met: boolean | null): number {
  return met === null ? 2 : met ? 0 : 1;
}
