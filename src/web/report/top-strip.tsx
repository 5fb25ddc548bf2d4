// In one strip: where each provider puts the message, whether it is authenticated, and what type it is taken for.

import { toOddsPercents } from "../../api/odds-words.ts";
import type { TestReport } from "../../api/tests.ts";
import { toReach } from "../../api/volume-words.ts";
import { toPercent } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { type Tone, tones } from "../parts/tone.tsx";
import { KindChoice } from "./kind.tsx";
import { toFolderLook } from "./placement-looks.ts";
import { type PlacementRow, toPlacementRows, toProviderName, toStanding } from "./placement-row.ts";

type StripProps = { readonly test: TestReport; readonly onNewReport: (test: TestReport) => void };

export function TopStrip({ test, onNewReport }: StripProps) {
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
          {(["spf", "dkim", "dmarc"] as const).map((name) => (
            <AuthChip key={name} name={name} test={test} />
          ))}
        </p>
      </div>
      <KindChoice test={test} onNewReport={onNewReport} />
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

const results: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  pass: { tone: "good", word: "pass" },
  fail: { tone: "critical", word: "fail" },
  softfail: { tone: "major", word: "fail (softfail)" },
  permerror: { tone: "critical", word: "fail (permerror)" },
  policy: { tone: "major", word: "fail (policy)" },
  neutral: { tone: "minor", word: "no verdict" },
  none: { tone: "major", word: "missing" },
  temperror: { tone: "unknown", word: "not checked" },
};
/** What providers ask for is there, though the domain publishes no policy. */
const alignedWithoutRecord = { tone: "minor", word: "no record, aligned" } as const;
const unknownResult = { tone: "unknown", word: "not checked" } as const;

type ChipProps = { readonly name: "spf" | "dkim" | "dmarc"; readonly test: TestReport };

function AuthChip({ name, test }: ChipProps) {
  const result = test[name];
  const isOurs = test.transport.looped && !test.sample && result !== "pass";
  const isAligned = name === "dmarc" && (test.authentication?.dmarc?.aligned_by.length ?? 0) > 0;
  const own = isAligned && result === "none" ? alignedWithoutRecord : results[result ?? ""];
  const { tone, word } = (isOurs ? null : own) ?? unknownResult;
  return (
    <a class={`chip ${tone}`} href="#authentication">
      <Icon name={tones.includes(tone) ? tone : "unknown"} />
      <b>{name.toUpperCase()}</b> {isOurs ? "not judged" : word}
    </a>
  );
}
