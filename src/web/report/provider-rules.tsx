// A provider's published rules for senders, and which of them this message meets.

import { toCount, toPlural } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { Away } from "../parts/text.tsx";
import type { ShownTest } from "./shown-test.ts";

/** Shared reports have the numbers, but not the rules. */
export function ProviderRules({ test, provider }: { readonly test: ShownTest; readonly provider: string }) {
  const rules = test.rules?.find((one) => one.provider === provider);
  if (!rules) return null;
  const { met, total, unknown, items } = rules;
  return (
    <>
      <p>
        {total > 0 && `Meets ${toCount(met)} of ${toPlural(total, "rule", "rules")}. `}
        {unknown > 0 && `${toPlural(unknown, "rule", "rules")} couldn’t be checked.`}
      </p>
      <ul class="rules">
        {items
          .filter(({ applies, met }) => applies || met !== null)
          .toSorted((a, b) => rankOf(a.met) - rankOf(b.met))
          .map((item) => (
            <RuleItem key={item.rule} item={item} />
          ))}
      </ul>
    </>
  );
}

type Rules = NonNullable<ShownTest["rules"]>[number];

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
