// Where the week's mail went, provider by provider, worst first, and whether that was seen or is only expected.

import type { DashboardSummary } from "../../api/dashboard.ts";
import { toCount, toPercent } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { ShareRects, toShares } from "../parts/share-bar.tsx";
import { toProviderName } from "../report/placement-row.ts";
import { PlacementKey, placementLooks } from "./placement-looks.tsx";

type ProviderRates = DashboardSummary["placement"][number];

export function ProvidersCard({ placement }: Pick<DashboardSummary, "placement">) {
  const rows = placement.toSorted(
    (a, b) => (b.spamRate ?? 0) - (a.spamRate ?? 0) || (a.inboxRate ?? 0) - (b.inboxRate ?? 0),
  );
  return (
    <section class="card" id="providers" aria-labelledby="providers-h">
      <div class="row between">
        <h2 id="providers-h">By provider, 7 days</h2>
        {rows.length > 0 && <PlacementKey />}
      </div>
      {rows.length === 0 ? (
        <p class="muted">No placement of this week’s tests is known.</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <Provider key={row.provider} row={row} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Provider({ row }: { readonly row: ProviderRates }) {
  const shares = toShares(
    placementLooks,
    ({ rate }) => row[rate] ?? 0,
    (share) => share > 0,
  );
  const said = shares.map(({ word, share }) => `${word.toLowerCase()} ${toPercent(share)}`).join(", ");
  const isSeen = row.observed > 0;
  return (
    <li class="hbar">
      <span>{toProviderName(row.provider)}</span>
      <svg role="img" aria-label={said} class={isSeen ? "observed" : "predicted"}>
        <ShareRects shares={shares} />
      </svg>
      <span class="num" aria-hidden="true">
        {toPercent(row.inboxRate ?? 0)} inbox
      </span>
      <Knowledge row={row} />
    </li>
  );
}

function Knowledge({ row: { observed, tests } }: { readonly row: ProviderRates }) {
  if (observed === 0) return <span class="known faint">predicted</span>;
  return (
    <span class="known">
      <Icon name="eye" />{" "}
      {observed === tests ? "observed" : `${toCount(observed)} of ${toCount(tests)} observed`}
    </span>
  );
}
