// A strip with the placement at each provider, the authentication results and the message type.

import type { ComponentChildren } from "preact";
import { toReach } from "../../analyzer/words/volume-words.ts";
import { toResultBadge } from "../../features/tests/words/authentication-badge-words.ts";
import { toBadges } from "../../features/tests/words/authentication-chip-words.ts";
import { toOddsPercents } from "../../features/tests/words/odds-words.ts";
import { toPercent } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { isStatic } from "../parts/static.ts";
import { toFolderLook } from "./placement-icon.ts";
import { type PlacementRow, toPlacementRows, toProviderName, toStanding } from "./placement-row.ts";
import type { ShownTest } from "./shown-test.ts";

type StripProps = { readonly test: ShownTest; readonly kind: ComponentChildren };

export function TopStrip({ test, kind }: StripProps) {
  const rows = toPlacementRows(test);
  return (
    <div class="card top-strip">
      {rows.length > 0 && (
        <div>
          <h2 class="label">Placement</h2>
          <ul class="strip-places">
            {rows.map((row) => (
              <Place key={row.provider} row={row} />
            ))}
          </ul>
        </div>
      )}
      <div>
        <h2 class="label">Authentication</h2>
        <p class="strip-chips">
          <AuthChips test={test} />
        </p>
      </div>
      {kind}
    </div>
  );
}

function Place({ row }: { readonly row: PlacementRow }) {
  const { provider, folder, method, predicted } = row;
  const look = toFolderLook(folder);
  const large = predicted?.if_large ?? null;
  return (
    <li class={look.tone}>
      <a href="#placement">
        <Icon name={look.icon} />
        <span>
          <strong>{toProviderName(provider)}</strong>
          <span class="tone">{look[method]}</span>
          <small>{toDetail(row)}</small>
          {method === "predicted" && large !== null && (
            <small class={`tone ${toFolderLook(large.folder).tone}`}>
              {toFolderLook(large.folder).large} {toReach(provider)}
            </small>
          )}
        </span>
      </a>
    </li>
  );
}

function toDetail(row: PlacementRow): string {
  if (toStanding(row) === "observed") return "observed";
  if (row.predicted === null || toStanding(row) === "awaited") return "";
  const name = row.folder === "rejected" ? "rejected" : "spam";
  const percent = toOddsPercents(row.predicted.odds).get(name);
  return `${name} ${percent === undefined ? `under ${toPercent(0.01)}` : toPercent(percent / 100)}`;
}

function AuthChips({ test }: { readonly test: ShownTest }) {
  const badges =
    (isStatic && test.badges) ||
    (test.authentication
      ? toBadges(test, test.authentication)
      : (["spf", "dkim", "dmarc"] as const).map((name) => ({ name, ...toResultBadge(test[name]) })));
  return badges.map(({ name, tone, word }) => (
    <a key={name} class={`chip ${tone}`} href={isStatic && !test.authentication ? "#fix" : "#authentication"}>
      <Icon name={tone} />
      <b>{name.toUpperCase()}</b> {word}
    </a>
  ));
}
