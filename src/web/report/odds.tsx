// The predicted odds of each folder, and the reasons.

import { toOddsPercents } from "../../features/tests/words/odds-words.ts";
import { toPercent } from "../client/words.ts";
import { ShareRects, toShares } from "../parts/charts.tsx";
import { Words } from "../parts/text.tsx";
import { toAnchor } from "./findings.ts";
import type { Odds, Reason } from "./placement-row.ts";

const oddsParts = [
  { name: "inbox", word: "inbox", fill: null, className: "f-inbox" },
  { name: "promotions", word: "Promotions", fill: "url(#h-promo)", className: undefined },
  { name: "spam", word: "spam", fill: "url(#h-spam)", className: undefined },
  { name: "rejected", word: "rejected", fill: "url(#h-reject)", className: undefined },
] as const;

export function OddsBar({ odds }: { readonly odds: Odds }) {
  const percents = toOddsPercents(odds);
  const shares = toShares(
    oddsParts.filter(({ name }) => percents.has(name)),
    ({ name }) => (percents.get(name) ?? 0) / 100,
    () => true,
  );
  return (
    <div class="odds">
      <svg aria-hidden="true">
        <ShareRects shares={shares} />
      </svg>
      <p>
        {shares.map(({ name, word, share }) => (
          <span key={name}>
            {word} {toPercent(share)}
          </span>
        ))}
      </p>
    </div>
  );
}

export function Reasons({ reasons }: { readonly reasons: readonly Reason[] }) {
  return (
    <ul class="why">
      {reasons.map((reason) => (
        <ReasonLine key={reason.text} reason={reason} />
      ))}
    </ul>
  );
}

function ReasonLine({ reason: { text, finding } }: { readonly reason: Reason }) {
  return (
    <li>
      <Words text={text} />{" "}
      {finding !== null && (
        <a href={`#${toAnchor(finding)}`} aria-label={`See issue: ${text}`}>
          See issue
        </a>
      )}
    </li>
  );
}
