// What the rules make likely, and why.

import { toPercent, toPlural } from "../client/words.ts";
import { ShareRects, toShares } from "../parts/share-bar.tsx";
import { Words } from "../parts/words.tsx";
import { toAnchor } from "./findings.ts";
import type { Odds, Reason } from "./placement-row.ts";

const oddsParts = [
  { name: "inbox", word: "inbox", fill: null, className: "f-inbox" },
  { name: "promotions", word: "Promotions", fill: "url(#h-promo)", className: undefined },
  { name: "spam", word: "spam", fill: "url(#h-spam)", className: undefined },
  { name: "rejected", word: "rejected", fill: "url(#h-reject)", className: undefined },
] as const;

/** Less than half a per cent is not told. */
const leastOdds = 0.005;

export function OddsBar({ odds }: { readonly odds: Odds }) {
  const shares = toShares(
    oddsParts,
    ({ name }) => odds[name],
    (share) => share >= leastOdds,
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

const mostReasons = 3;

export function Reasons({ reasons }: { readonly reasons: readonly Reason[] }) {
  if (reasons.length === 0) return null;
  const told = reasons.slice(0, mostReasons);
  const rest = reasons.slice(mostReasons);
  return (
    <div class="stack-2">
      <ul class="why">
        {told.map((reason) => (
          <ReasonLine key={reason.text} reason={reason} />
        ))}
      </ul>
      {rest.length > 0 && (
        <details class="small">
          <summary>{toPlural(rest.length, "more reason", "more reasons")}</summary>
          <ul class="why mt-2">
            {rest.map((reason) => (
              <ReasonLine key={reason.text} reason={reason} />
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function ReasonLine({ reason: { text, finding } }: { readonly reason: Reason }) {
  return (
    <li>
      <Words text={text} />{" "}
      {finding !== null && (
        <a href={`#${toAnchor(finding)}`} aria-label={`See fix: ${text}`}>
          See fix
        </a>
      )}
    </li>
  );
}
