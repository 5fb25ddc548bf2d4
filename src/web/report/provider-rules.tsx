// A provider's published rules for senders, and which of them this message meets.

import { toCount, toPlural } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { isStatic } from "../parts/static.ts";
import { Away } from "../parts/text.tsx";
import type { ShownTest } from "./shown-test.ts";

const boxPx = 13;

/** The number of published rules met, as boxes (filled: met, open: not met, dashed: not checked) and in words. */
export function RulesTally({ test, provider }: { readonly test: ShownTest; readonly provider: string }) {
  const rules = test.rules?.find((one) => one.provider === provider);
  if (!rules) return null;
  // Shared reports have the numbers, but not the rules.
  return isStatic && rules.items.length === 0 ? (
    <Tally rules={rules} />
  ) : (
    <details>
      <summary>
        <Tally rules={rules} />
      </summary>
      <ul class="rules">
        {rules.items
          .filter(({ applies, met }) => applies || met !== null)
          .toSorted((a, b) => rankOf(a.met) - rankOf(b.met))
          .map((item) => (
            <RuleItem key={item.rule} item={item} />
          ))}
      </ul>
    </details>
  );
}

type Rules = NonNullable<ShownTest["rules"]>[number];

function Tally({ rules: { met, total, unknown } }: { readonly rules: Rules }) {
  const width = (total + unknown) * boxPx;
  return (
    <span class="tally">
      <svg width={width} viewBox={`0 0 ${width} 12`} aria-hidden="true">
        {Array.from({ length: total + unknown }, (_, index) => (
          <rect
            key={index}
            class={index < met ? "met" : index < total ? "not" : "unk"}
            x={index * boxPx + 1.8}
            y="1.8"
            width="8.4"
            height="8.4"
            rx="1"
          />
        ))}
      </svg>
      <span class="words">
        {total === 0 ? (
          `None of its ${toPlural(unknown, "rule", "rules")} could be checked`
        ) : (
          <>
            Meets{" "}
            <strong>
              {toCount(met)} of {toPlural(total, "rule", "rules")}
            </strong>
            {unknown > 0 && `. ${toCount(unknown)} more couldn’t be checked.`}
          </>
        )}
      </span>
    </span>
  );
}

function RuleItem({ item: { asks, met, why, reference } }: { readonly item: Rules["items"][number] }) {
  const tone = met === null ? "unknown" : met ? "good" : "major";
  return (
    <li class={tone}>
      <span class="tone">
        <Icon name={tone} />
      </span>
      <span>
        <span class="vh">{met === null ? "Not checked: " : met ? "Met: " : "Not met: "}</span>
        {asks} <span class="muted">{why}</span> <Away url={reference.url}>{reference.title}</Away>
      </span>
    </li>
  );
}

function rankOf(met: boolean | null): number {
  return met === null ? 2 : met ? 0 : 1;
}
