// Where it lands. Seen in a mailbox and expected from rules look different and are called different names.

import type { TestReport } from "../../api/tests.ts";
import { toDuration, toMoment, toPercent, toPlural } from "../client/words.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Note } from "../parts/states.tsx";
import type { Tone } from "../parts/tone.tsx";
import { Away, Words } from "../parts/words.tsx";
import { toAnchor } from "./findings.ts";
import {
  type Folder,
  type Observation,
  type Odds,
  type PlacementRow,
  type Reason,
  toPlacementRows,
  toProviderName,
} from "./placement-row.ts";

export function PlacementSection({ test }: { readonly test: TestReport }) {
  const rows = toPlacementRows(test);
  const observed = rows.filter(({ method }) => method === "observed").length;
  return (
    <section class="sec" id="placement" aria-labelledby="placement-h">
      <div class="sec-h">
        <h2 id="placement-h">Placement: {toConclusion(rows)}</h2>
        <p>
          {observed === 0
            ? "All of it is predicted, from the providers’ published rules and this message. None was seen in a mailbox."
            : `${observed} of ${rows.length} were seen in a mailbox; the rest is predicted.`}
        </p>
      </div>
      {rows.length === 0 ? (
        <Note tone="unknown">Not known: there was too little to go by.</Note>
      ) : (
        <ul class="places">
          {rows.map((row) => (
            <PlacementCard key={row.provider} row={row} test={test} />
          ))}
        </ul>
      )}
    </section>
  );
}

function toConclusion(rows: readonly PlacementRow[]): string {
  const count = (...folders: Folder[]) => rows.filter(({ folder }) => folders.includes(folder)).length;
  if (rows.length === 0) return "not known";
  if (count("rejected") === rows.length) return "refused by all";
  if (count("rejected") > 0) return `refused by ${count("rejected")} of ${rows.length}`;
  if (count("spam", "missing") === rows.length) return "spam everywhere";
  if (count("spam", "missing") > 0) return `out of sight at ${count("spam", "missing")} of ${rows.length}`;
  return count("inbox", "promotions") === rows.length ? "in sight everywhere" : "still on its way";
}

type FolderLook = {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly predicted: string;
  readonly observed: string;
};

const folderLooks: Readonly<Record<Folder, FolderLook>> = {
  inbox: { tone: "good", icon: "inbox", predicted: "Likely the inbox", observed: "In the inbox" },
  promotions: {
    tone: "info",
    icon: "promotions",
    predicted: "Likely Promotions",
    observed: "Under Promotions",
  },
  spam: { tone: "major", icon: "spam", predicted: "Likely spam", observed: "In spam" },
  rejected: { tone: "critical", icon: "rejected", predicted: "Would refuse it", observed: "Refused it" },
  pending: { tone: "unknown", icon: "unknown", predicted: "Not seen yet", observed: "Not seen yet" },
  missing: { tone: "major", icon: "unknown", predicted: "Never arrived", observed: "Never arrived" },
};

const unknownLook: FolderLook = {
  tone: "unknown",
  icon: "unknown",
  predicted: "Not known",
  observed: "Not known",
};

function PlacementCard({ row, test }: { readonly row: PlacementRow; readonly test: TestReport }) {
  const { provider, folder, method, predicted, reasons, smtp_reply } = row;
  const look = folderLooks[folder] ?? unknownLook;
  return (
    <li class={`place ${method} ${look.tone}`}>
      <header>
        <h3>{toProviderName(provider)}</h3>
        <span class="method">
          <Icon name={method === "observed" ? "eye" : "rule"} />
          {method === "observed" ? "Observed" : "Predicted"}
        </span>
      </header>
      <p class="folder">
        <Icon name={look.icon} />
        {look[method]}
      </p>
      {method === "observed" ? (
        <Observations row={row} />
      ) : (
        predicted && <OddsBar odds={predicted.odds} confidence={predicted.confidence} />
      )}
      <Reasons reasons={reasons} />
      <footer class="told">
        <Tally test={test} provider={provider} />
        {smtp_reply !== null && (
          <span class="muted">
            {method === "observed" ? "SMTP reply" : "SMTP reply to expect"}
            <br />
            <code>{smtp_reply}</code>
          </span>
        )}
      </footer>
    </li>
  );
}

function Observations({ row: { observed = [], folder, predicted } }: { readonly row: PlacementRow }) {
  const expected = predicted && predicted.folder !== folder ? folderLooks[predicted.folder] : null;
  return (
    <div class="stack-2 small muted">
      {observed.map((one, index) => (
        <Sighting key={`${one.account}-${index}`} sighting={one} />
      ))}
      {predicted && (
        <p>
          {expected
            ? `The prediction was: ${expected.predicted.toLowerCase()}.`
            : "The prediction was the same."}
        </p>
      )}
    </div>
  );
}

function Sighting({ sighting }: { readonly sighting: Observation }) {
  const { account, folder_name, seen_at, delay_ms, differs = [] } = sighting;
  return (
    <div>
      <p>
        {folder_name ? `Seen in “${folder_name}”` : "Looked for"}
        {account ? ` of ${account}` : ""}
        {seen_at ? `, ${toMoment(seen_at)}` : ""}
        {delay_ms ? `, after ${toDuration(delay_ms)}` : ""}
      </p>
      {differs.map(({ mechanism, ours, theirs }) => (
        <p key={mechanism}>
          Its own {mechanism.toUpperCase()} verdict is {theirs ?? "not told"}; Assay’s is{" "}
          {ours ?? "not known"}.
        </p>
      ))}
    </div>
  );
}

const oddsParts = [
  { name: "inbox", word: "Inbox", fill: null, className: "f-inbox" },
  { name: "promotions", word: "Promotions", fill: "url(#h-promo)", className: undefined },
  { name: "spam", word: "Spam", fill: "url(#h-spam)", className: undefined },
  { name: "rejected", word: "Refused", fill: "url(#h-reject)", className: undefined },
] as const;

/** Less than half a per cent is not told. */
const leastOdds = 0.005;

function OddsBar({ odds, confidence }: { readonly odds: Odds; readonly confidence: number }) {
  let left = 0;
  const parts = oddsParts.flatMap((part) => {
    const share = odds[part.name];
    const placed = { ...part, share, left };
    left += share;
    return share >= leastOdds ? [placed] : [];
  });
  return (
    <div class="odds">
      <svg aria-hidden="true">
        {parts.map(({ name, share, left, fill, className }) => (
          <rect
            key={name}
            x={`${left * 100}%`}
            width={`${share * 100}%`}
            height="100%"
            class={className}
            fill={fill ?? undefined}
          />
        ))}
      </svg>
      <p>
        {parts.map(({ name, word, share }) => (
          <span key={name}>
            {word} {toPercent(share)}
          </span>
        ))}
        <span>confidence {toPercent(confidence)}</span>
      </p>
    </div>
  );
}

const mostReasons = 3;

function Reasons({ reasons }: { readonly reasons: readonly Reason[] }) {
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
        <a href={`#${toAnchor(finding)}`} aria-label={`Mend: ${text}`}>
          Mend
        </a>
      )}
    </li>
  );
}

const boxPx = 13;

/** How many of the provider's published rules it keeps: filled, open, dashed, and in words. */
function Tally({ test, provider }: { readonly test: TestReport; readonly provider: string }) {
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
