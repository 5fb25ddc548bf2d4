import type { PlanAnswer } from "../../api/billing.ts";
import { toCount } from "../client/words.ts";
import { ceilingNames, ceilingWords } from "./plan-use.tsx";

type PlanChoiceProps = {
  readonly plans: readonly PlanAnswer[];
  readonly isBusy: boolean;
  /** Null: the reader cannot. */
  readonly onChoose: ((plan: PlanAnswer) => void) | null;
};

export function PlanChoice({ plans, isBusy, onChoose }: PlanChoiceProps) {
  return (
    <section aria-labelledby="other-plans">
      <div class="sec-h mt-6">
        <h3 id="other-plans">Other plans</h3>
        {onChoose !== null && <p>They are paid on the payment provider’s own page.</p>}
      </div>
      <div class="grid settings-plans">
        {plans.map((plan) => (
          <section class="card stack-2" key={plan.name} aria-label={plan.label}>
            <h4>{plan.label}</h4>
            <dl class="settings-ceilings">
              {ceilingNames.map((name) => {
                const ceiling = plan.ceilings[name];
                return (
                  <div key={name}>
                    <dt>{name === "testsPerMonth" ? "Tests a month" : ceilingWords[name]}</dt>
                    <dd>{ceiling === null ? "no ceiling" : toCount(ceiling)}</dd>
                  </div>
                );
              })}
            </dl>
            {onChoose !== null && plan.forSale && (
              <button class="btn" type="button" disabled={isBusy} onClick={() => onChoose(plan)}>
                Choose {plan.label}
              </button>
            )}
          </section>
        ))}
      </div>
    </section>
  );
}
