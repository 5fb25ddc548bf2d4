// Where it lands. Seen in a mailbox and expected from rules stand apart, look different and are called different names.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { toInnerTitle } from "../../api/plain-words.ts";
import { toReach } from "../../api/volume-words.ts";
import { toPercent, toSentence, toWord } from "../client/words.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { SeedList } from "../parts/seed-list.tsx";
import { Note } from "../parts/states.tsx";
import { Mailboxes } from "./mailboxes.tsx";
import { OddsBar, Reasons } from "./odds.tsx";
import { toFolderLook } from "./placement-icon.ts";
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
import { RulesTally } from "./provider-rules.tsx";
import type { ShownTest } from "./shown-test.ts";
import { toVerdict } from "./verdict.ts";
import { VolumeBasis } from "./volume-basis.tsx";

type SectionProps = {
  readonly test: ShownTest;
  /** Where to change the answer on how much is sent. */
  readonly volume?: ComponentChildren;
  /** What else there is to do. */
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
      {rows.length === 0 && <Note tone="unknown">Not known: there was too little to go by.</Note>}
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

/** The addresses are asked for when somebody wants them. */
export function SeeForYourself() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="place-more noprint">
      <p>
        <a href="/predictions">How accurate are these predictions?</a>
      </p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>See where it lands: send the message to your seed mailboxes</summary>
        <div class="stack mt-3">
          <p class="muted">
            Send it to all of these addresses at once. That makes a new test, whose report shows in which
            folder each mailbox has it.
          </p>
          {isOpen && <SeedList />}
        </div>
      </details>
    </div>
  );
}

/** In the words of the line on top. */
function toConclusion(test: ShownTest): string {
  const [placed] = toVerdict(test).filter(({ to }) => to === "#placement");
  return placed === undefined || toPlacementRows(test).length === 0 ? "not known" : toInnerTitle(placed.text);
}

/** How much of it is known, and how much only expected. */
function toBasis(rows: readonly PlacementRow[]): string {
  const count = (standing: Standing) => rows.filter((row) => toStanding(row) === standing).length;
  const [observed, awaited, predicted] = standings.map(count) as [number, number, number];
  if (observed === 0 && awaited === 0)
    return "Predicted from provider rules and this message, not observed. The odds come from this message alone. The confidence is lower, because a provider also knows your reputation, which no message shows.";
  const parts = [
    `${observed === 0 ? "none" : toWord(observed)} of ${rows.length} ${observed === 1 ? "was" : "were"} seen in a mailbox`,
    ...(awaited > 0 ? [`${toWord(awaited)} ${awaited === 1 ? "has" : "have"} not been seen`] : []),
    ...(predicted > 0 ? [`${toWord(predicted)} ${predicted === 1 ? "is" : "are"} only predicted`] : []),
  ];
  return `${toSentence(parts.join("; "))}.`;
}

type Naming = {
  readonly heading: string;
  readonly why: string;
  readonly badge: string;
  readonly icon: IconName;
};

const namings: Readonly<Record<Standing, Naming>> = {
  observed: {
    heading: "Seen in a mailbox",
    why: "What your seed mailboxes show. It counts, whatever was predicted.",
    badge: "Observed",
    icon: "eye",
  },
  awaited: {
    heading: "Not seen",
    why: "Connected mailboxes that have not shown the message. They count neither way.",
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

type GroupProps = {
  readonly standing: Standing;
  readonly rows: readonly PlacementRow[];
  readonly test: ShownTest;
};

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

type CardProps = {
  readonly row: PlacementRow;
  readonly test: ShownTest;
  readonly standing: Standing;
};

function PlacementCard({ row, test, standing }: CardProps) {
  const { provider, folder, method, predicted, reasons, observed, smtp_reply } = row;
  const look = toFolderLook(folder);
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
      {isPredicted && predicted && <OddsBar odds={predicted.odds} />}
      {isPredicted && <Reasons reasons={reasons} />}
      {isPredicted && predicted && <Confidence confidence={predicted.confidence} />}
      <Mailboxes mailboxes={observed} standing={standing} isNamed={isOwnMailbox(provider)} />
      {!isPredicted && predicted && <Expected predicted={predicted} folder={folder} />}
      <footer class="told">
        <RulesTally test={test} provider={provider} />
        {smtp_reply !== null && <ReplyToExpect reply={smtp_reply} />}
      </footer>
    </li>
  );
}

type IfLargeProps = {
  readonly provider: string;
  readonly large: NonNullable<Prediction["if_large"]>;
};

/** What the provider's rules for senders of many messages would do. */
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

function Confidence({ confidence }: { readonly confidence: number }) {
  return <p class="small muted">Confidence {toPercent(confidence)}</p>;
}

/** Where its mailboxes do not agree. */
function MajorityNote({ row: { folder, observed } }: { readonly row: PlacementRow }) {
  const seen = observed.filter((mailbox) => !isUnseen(mailbox.folder));
  const here = seen.filter((mailbox) => mailbox.folder === folder).length;
  if (seen.length < 2) return null;
  return (
    <small>
      in {here} of {seen.length} mailboxes
    </small>
  );
}

/** The prediction that what was seen has overtaken. */
function Expected({ predicted, folder }: { readonly predicted: Prediction; readonly folder: Folder }) {
  const look = toFolderLook(predicted.folder);
  const isSame = predicted.folder === folder;
  return (
    <details class="expected">
      <summary>
        <Icon name="rule" />
        <span>
          Predicted was: <em>{look.predicted.toLowerCase()}</em>.{" "}
          {isSame ? "It came true." : "It did not come true."}
        </span>
      </summary>
      <div class="stack-2 mt-2">
        <OddsBar odds={predicted.odds} />
        <Reasons reasons={predicted.reasons} />
        {predicted.smtp_reply !== null && <ReplyToExpect reply={predicted.smtp_reply} />}
      </div>
    </details>
  );
}

function ReplyToExpect({ reply }: { readonly reply: string }) {
  return (
    <p class="muted">
      SMTP reply to expect
      <br />
      <code>{reply}</code>
    </p>
  );
}
