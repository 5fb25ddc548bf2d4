// One provider: how often the folder was right, how good the odds of spam are, and the shift.

import { toCount, toMonth, toPercent, toPlural, toScore } from "../client/words.ts";
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
  if (!hasFigures(calibration)) return `${toCount(observations)} of ${toCount(needed)} messages observed`;
  return `${toCount(toHits(calibration))} of ${toCount(observations)} predictions right`;
}

type BeliefProps = { readonly name: string; readonly figures: FullFigures };

/** The odds are useful if they beat a constant guess. */
function Belief({ name, figures: { brier } }: BeliefProps) {
  const { value, baseRate } = brier.spam;
  return (
    <p class="measure">
      <strong>
        {isWorthMore(brier.spam)
          ? "The spam odds are better than a constant guess."
          : "The spam odds aren’t better than a constant guess."}
      </strong>{" "}
      The error (Brier score) is {toScore(value * 100)} out of 100. Always predicting the observed spam rate
      at {name} would have an error of {toScore(baseRate * 100)}.
    </p>
  );
}

/** The hit rate with its 95% confidence interval, on a scale from 0 to 100%. */
function HitRate({ value, low, high }: FullFigures["hitRate"]) {
  const [from, to] = [low * 100, high * 100];
  return (
    <div class="hit">
      <p>
        <strong class="hit-v">{toPercent(value)}</strong>{" "}
        <span class="muted">of folders predicted correctly</span>
      </p>
      <svg
        role="img"
        aria-label={`${toPercent(value)}, likely between ${toPercent(low)} and ${toPercent(high)}`}
      >
        <rect class="hit-all" x="0" y="8" width="100%" height="8" rx="4" />
        <rect class="hit-sure" x={`${from}%`} y="4" width={`${to - from}%`} height="16" rx="4" />
        <rect class="hit-is" x={`${Math.min(99, value * 100)}%`} y="0" width="3" height="24" />
      </svg>
      <p class="hit-x label" aria-hidden="true">
        <span>{toPercent(0)}</span> <span>{toPercent(1)}</span>
      </p>
      <p class="small muted">
        {toPercent(0.95)} confidence interval: {toPercent(low)} to {toPercent(high)}.
      </p>
    </div>
  );
}

type MonthsProps = { readonly months: Calibration["months"]; readonly needed: number };

/** Filters and reputations change, so the newest months matter most. */
function Months({ months, needed }: MonthsProps) {
  return (
    <details>
      <summary>By month</summary>
      <table class="table bare">
        <caption>Months with fewer than {toPlural(needed, "message", "messages")} have no figures.</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col" class="num">
              Messages
            </th>
            <th scope="col" class="num">
              Correct{" "}
            </th>
            <th scope="col" class="num">
              Spam odds error{" "}
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
                  Too few{" "}
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
  { name: "rejected", word: "Rejected" },
] as const;

const seen = ["inbox", "promotions", "spam"] as const;

/** A rejected message is never seen. A predicted rejection counts as right if the message was in spam. */
const rightFolder = { inbox: "inbox", promotions: "promotions", spam: "spam", rejected: "spam" } as const;

function Counts({ confusion }: { readonly confusion: FullFigures["confusion"] }) {
  return (
    <details>
      <summary>By folder</summary>
      <table class="table bare counts">
        <caption>Correct predictions are highlighted.</caption>
        <thead>
          <tr>
            <th scope="col">Predicted</th>
            <th scope="col" class="num">
              Observed in inbox{" "}
            </th>
            <th scope="col" class="num">
              Observed in Promotions{" "}
            </th>
            <th scope="col" class="num">
              Observed in spam{" "}
            </th>
          </tr>
        </thead>
        <tbody>
          {predicted.map(({ name, word }) => (
            <tr key={name}>
              <th scope="row">{word}</th>
              {seen.map((folder) => (
                <td key={folder} class="num">
                  {rightFolder[name] === folder ? (
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
