// One provider: how often the folder was predicted, whether the odds can be believed, and what could be shifted.

import { toCount, toMonth, toPercent, toScore } from "../client/words.ts";
import { toProviderName } from "../report/placement-row.ts";
import {
  type Calibration,
  type FullFigures,
  hasFigures,
  isWorthMore,
  Reliability,
  ShiftPart,
  toHits,
} from "./calibration.tsx";

type ProviderSectionProps = {
  readonly calibration: Calibration;
  readonly isOwner: boolean;
  readonly onChanged: () => void;
};

export function ProviderSection({ calibration, isOwner, onChanged }: ProviderSectionProps) {
  const { provider, months } = calibration;
  const name = toProviderName(provider);
  const id = `predictions-${provider}`;
  const shiftPart = <ShiftPart calibration={calibration} isOwner={isOwner} onChanged={onChanged} />;
  return (
    <section class="card calib" aria-labelledby={id}>
      <h2 id={id}>
        {name}: {toConclusion(calibration)}
      </h2>
      {hasFigures(calibration) ? (
        <div class="calib-g">
          <div class="stack">
            <HitRate {...calibration.hitRate} />
            <Belief name={name} figures={calibration} />
            {shiftPart}
          </div>
          <Reliability bins={calibration.reliability} name={name} needed={calibration.needed} />
        </div>
      ) : (
        shiftPart
      )}
      {hasFigures(calibration) && (
        <div class="calib-more">
          <Counts confusion={calibration.confusion} />
          {months.length > 0 && <Months months={months} needed={calibration.needed} />}
        </div>
      )}
    </section>
  );
}

function toConclusion(calibration: Calibration): string {
  const { observations, needed } = calibration;
  if (!hasFigures(calibration))
    return `${toCount(observations)} of the ${toCount(needed)} that it takes were seen`;
  return `${toCount(toHits(calibration))} of ${toCount(observations)} came true`;
}

type BeliefProps = { readonly name: string; readonly figures: FullFigures };

/** Odds are worth something where they beat who always says the same. */
function Belief({ name, figures: { brier } }: BeliefProps) {
  const { value, baseRate } = brier.spam;
  return (
    <p class="measure">
      <strong>
        {isWorthMore(brier.spam) ? "The odds of spam tell something." : "The odds of spam tell nothing here."}
      </strong>{" "}
      Their error (Brier score) is {toScore(value * 100)} of 100. Always saying how often {name} put mail in
      spam would have an error of {toScore(baseRate * 100)}.
    </p>
  );
}

/** On one scale from none to all: the share, and between what the true one lies. */
function HitRate({ value, low, high }: FullFigures["hitRate"]) {
  const [from, to] = [low * 100, high * 100];
  return (
    <div class="hit">
      <p>
        <strong class="hit-v">{toPercent(value)}</strong> <span class="muted">of folders were predicted</span>
      </p>
      <svg
        role="img"
        aria-label={`${toPercent(value)}, surely between ${toPercent(low)} and ${toPercent(high)}`}
      >
        <rect class="hit-all" x="0" y="8" width="100%" height="8" rx="4" />
        <rect class="hit-sure" x={`${from}%`} y="4" width={`${to - from}%`} height="16" rx="4" />
        <rect class="hit-is" x={`${Math.min(99, value * 100)}%`} y="0" width="3" height="24" />
      </svg>
      <p class="hit-x label" aria-hidden="true">
        <span>none</span>
        <span>all</span>
      </p>
      <p class="small muted">
        The true share lies between {toPercent(low)} and {toPercent(high)}, in 19 of 20 such cases.
      </p>
    </div>
  );
}

type MonthsProps = { readonly months: Calibration["months"]; readonly needed: number };

/** Filters change, and so does a reputation: the newest tell most. */
function Months({ months, needed }: MonthsProps) {
  return (
    <details>
      <summary>Month by month</summary>
      <table class="table bare">
        <caption>A month with fewer than {needed} messages tells nothing.</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col" class="num">
              Messages
            </th>
            <th scope="col" class="num">
              Came true
            </th>
            <th scope="col" class="num">
              Error of the odds of spam
            </th>
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <tr key={month.month}>
              <th scope="row">{toMonth(month.month)}</th>
              <td class="num">{toCount(month.observations)}</td>
              {hasFigures(month) ? (
                <>
                  <td class="num">{toPercent(month.hitRate.value)}</td>
                  <td class="num">{toScore(month.brier.spam.value * 100)}</td>
                </>
              ) : (
                <td class="num faint" colSpan={2}>
                  too few
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const predicted = [
  { name: "inbox", word: "Inbox" },
  { name: "promotions", word: "Promotions" },
  { name: "spam", word: "Spam" },
  { name: "rejected", word: "Refusal" },
] as const;

const seen = ["inbox", "promotions", "spam"] as const;

/** What was refused is seen nowhere: a predicted refusal came true where the message was in spam. */
const cameTrue = { inbox: "inbox", promotions: "promotions", spam: "spam", rejected: "spam" } as const;

function Counts({ confusion }: { readonly confusion: FullFigures["confusion"] }) {
  return (
    <details>
      <summary>Each folder, predicted and seen</summary>
      <table class="table bare counts">
        <caption>Marked is what came true.</caption>
        <thead>
          <tr>
            <th scope="col">Predicted</th>
            <th scope="col" class="num">
              Seen in the inbox
            </th>
            <th scope="col" class="num">
              under Promotions
            </th>
            <th scope="col" class="num">
              in spam
            </th>
          </tr>
        </thead>
        <tbody>
          {predicted.map(({ name, word }) => (
            <tr key={name}>
              <th scope="row">{word}</th>
              {seen.map((folder) => (
                <td key={folder} class="num">
                  {cameTrue[name] === folder ? (
                    <mark>{toCount(confusion[name][folder])}</mark>
                  ) : (
                    toCount(confusion[name][folder])
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
