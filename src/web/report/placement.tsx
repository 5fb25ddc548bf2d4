// Placement. Observed and predicted rows have separate groups, looks and names.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toInnerTitle } from "../../analyzer/words/plain-words.ts";
import { toReach } from "../../analyzer/words/volume-words.ts";
import { SeedList } from "../../features/mailboxes/page/seed-list.tsx";
import { toCount, toList, toPercent, toSentence } from "../client/words.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Note } from "../parts/states.tsx";
import { Mailboxes } from "./mailboxes.tsx";
import { OddsBar, Reasons } from "./odds.tsx";
import { toFolderLook, toRowLook } from "./placement-icon.ts";
import {
  type Folder,
  isOwnMailbox,
  isUnseen,
  type PlacementRow,
  type Prediction,
  type Standing,
  standings,
  toPlacementRows,
  toProviderName,
  toStanding,
} from "./placement-row.ts";
import { ProviderRules } from "./provider-rules.tsx";
import type { ShownTest } from "./shown-test.ts";
import { toVerdict } from "./verdict.ts";
import { VolumeBasis } from "./volume-basis.tsx";

type SectionProps = {
  readonly test: ShownTest;
  /** Link to change the sending volume. */
  readonly volume?: ComponentChildren;
  /** Shown below the rows. */
  readonly children?: ComponentChildren;
};

export function PlacementSection({ test, volume, children }: SectionProps) {
  const rows = toPlacementRows(test);
  return (
    <section class="sec" id="placement" aria-labelledby="placement-h">
      <div class="sec-h">
        <h2 id="placement-h">Placement: {toConclusion(test)}</h2>
        {rows.length > 0 && <p>{toBasis(rows)}</p>}
      </div>
      <VolumeBasis test={test}>{volume}</VolumeBasis>
      {rows.length === 0 && <Note tone="unknown">Unknown. There wasn’t enough information for a prediction.</Note>}
      {standings.map((standing) => (
        <Group
          key={standing}
          standing={standing}
          rows={rows.filter((row) => toStanding(row) === standing)}
          test={test}
        />
      ))}
      {children}
    </section>
  );
}

/** The addresses are only loaded when opened. */
export function SeeForYourself() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="place-more noprint">
      <p>
        <a href="/docs/checks#predictions">How accurate are these predictions?</a>
      </p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Send this message to your seed mailboxes</summary>
        <div class="stack mt-3">
          <p class="muted">
            Send it to all of these addresses at once. This creates a new test, and its report shows which folder each
            mailbox put the message in.
          </p>
          {isOpen && <SeedList />}
        </div>
      </details>
    </div>
  );
}

/** The same words as the verdict at the top. */
function toConclusion(test: ShownTest): string {
  const [placed] = toVerdict(test).filter(({ to }) => to === "#placement");
  return placed === undefined || toPlacementRows(test).length === 0 ? "unknown" : toInnerTitle(placed.text);
}

/** How many rows are observed and how many are predicted. */
function toBasis(rows: readonly PlacementRow[]): string {
  const count = (standing: Standing) => rows.filter((row) => toStanding(row) === standing).length;
  const [observed, awaited, predicted] = standings.map(count) as [number, number, number];
  if (observed === 0 && awaited === 0) return "Providers also consider your reputation, which a message can’t show.";
  const parts = [
    ...(observed > 0 ? [`${toCount(observed)} observed`] : []),
    ...(awaited > 0 ? [`${toCount(awaited)} not seen`] : []),
    ...(predicted > 0 ? [`${toCount(predicted)} predicted`] : []),
  ];
  return `${toList(parts)}.`;
}

type Naming = { readonly heading: string; readonly why: string; readonly badge: string; readonly icon: IconName };

const namings: Readonly<Record<Standing, Naming>> = {
  observed: {
    heading: "Observed",
    why: "Seen in your seed mailboxes. Observations replace predictions.",
    badge: "Observed",
    icon: "eye",
  },
  awaited: {
    heading: "Not seen",
    why: "The message hasn’t appeared in these connected mailboxes. They don’t count.",
    badge: "Not seen",
    icon: "unknown",
  },
  predicted: {
    heading: "Predicted",
    why: "Based on provider rules and this message. Not observed.",
    badge: "Predicted",
    icon: "rule",
  },
};

type GroupProps = { readonly standing: Standing; readonly rows: readonly PlacementRow[]; readonly test: ShownTest };

function Group({ standing, rows, test }: GroupProps) {
  if (rows.length === 0) return null;
  const { heading, why } = namings[standing];
  return (
    <div class="place-group">
      <h3>
        {heading} <span class="label">{why}</span>
      </h3>
      <ul class="places">
        {rows.map((row) => (
          <PlacementCard key={row.provider} row={row} test={test} standing={standing} />
        ))}
      </ul>
    </div>
  );
}

type CardProps = { readonly row: PlacementRow; readonly test: ShownTest; readonly standing: Standing };

function PlacementCard({ row, test, standing }: CardProps) {
  const { provider, folder, method, predicted, observed } = row;
  const look = toRowLook(row);
  const { badge, icon } = namings[standing];
  const isPredicted = standing === "predicted";
  return (
    <li class={`place ${standing} ${look.tone}`}>
      <header>
        <h4>{toProviderName(provider)}</h4>
        <span class="method">
          <Icon name={icon} />
          {badge}
        </span>
      </header>
      <p class="folder">
        <Icon name={look.icon} />
        <span>
          {look[method]} <MajorityNote row={row} />
        </span>
      </p>
      {isPredicted && predicted?.if_large && <IfLarge provider={provider} large={predicted.if_large} />}
      <Mailboxes mailboxes={observed} standing={standing} isNamed={isOwnMailbox(provider)} />
      {predicted && (
        <details class="basis">
          <summary>
            {isPredicted ? "Why?" : toPredictionWords(predicted, folder)}
            <span class="vh"> Reasons and rules of {toProviderName(provider)}</span>
          </summary>
          <div class="stack-2 mt-2">
            <OddsBar odds={predicted.odds} />
            <Reasons reasons={predicted.reasons} />
            {predicted.smtp_reply !== null && <ReplyToExpect reply={predicted.smtp_reply} />}
            {isPredicted && <p class="small muted">Confidence {toPercent(predicted.confidence)}</p>}
            <ProviderRules test={test} provider={provider} />
          </div>
        </details>
      )}
    </li>
  );
}

/** The prediction that an observation has replaced. */
function toPredictionWords(predicted: Prediction, folder: Folder): string {
  return `Prediction: ${toFolderLook(predicted.folder).large}. ${predicted.folder === folder ? "Correct." : "Incorrect."}`;
}

type IfLargeProps = { readonly provider: string; readonly large: NonNullable<Prediction["if_large"]> };

/** The prediction for bulk senders. */
function IfLarge({ provider, large }: IfLargeProps) {
  const look = toFolderLook(large.folder);
  return (
    <div class={`if-large ${look.tone}`}>
      <p>
        <Icon name={look.icon} />{" "}
        <strong>
          {toSentence(look.large)} {toReach(provider)}
        </strong>
      </p>
      <Reasons reasons={large.reasons} />
      {large.smtp_reply !== null && <ReplyToExpect reply={large.smtp_reply} />}
    </div>
  );
}

/** Shown if the provider has several mailboxes. */
function MajorityNote({ row: { folder, observed } }: { readonly row: PlacementRow }) {
  const seen = observed.filter((mailbox) => !isUnseen(mailbox.folder));
  const here = seen.filter((mailbox) => mailbox.folder === folder).length;
  if (seen.length < 2) return null;
  return (
    <small>
      in {toCount(here)} of {toCount(seen.length)} mailboxes
    </small>
  );
}

function ReplyToExpect({ reply }: { readonly reply: string }) {
  return (
    <p class="muted">
      Expected SMTP reply
      <br />
      <code>{reply}</code>
    </p>
  );
}
