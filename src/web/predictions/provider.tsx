// One provider: how often the folder was predicted, whether the odds can be believed, and what could be shifted.

import { toCount, toScore } from "../client/words.ts";
import { toProviderName } from "../report/placement-row.ts";
import { type Calibration, type FullFigures, hasFigures, isWorthMore, toHits } from "./calibration.ts";
import { Counts } from "./counts.tsx";
import { HitRate } from "./hit-rate.tsx";
import { Months } from "./months.tsx";
import { Reliability } from "./reliability.tsx";
import { ShiftPart } from "./shift.tsx";

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
