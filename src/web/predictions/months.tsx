import { toCount, toMonth, toPercent, toScore } from "../client/words.ts";
import { type Calibration, hasFigures } from "./calibration.ts";

type MonthsProps = { readonly months: Calibration["months"]; readonly needed: number };

/** Filters change, and so does a reputation: the newest tell most. */
export function Months({ months, needed }: MonthsProps) {
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
