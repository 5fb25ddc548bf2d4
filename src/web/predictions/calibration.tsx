// Calibration: of 100 messages with 30% odds of spam, about 30 should be seen in spam. The plot has a point for each
// tenth of the scale with enough messages. On the line, predicted and observed are equal.

import { useState } from "preact/hooks";
import type { readCalibration } from "../../api/calibration.ts";
import type { AnswerOf } from "../../api/endpoint.ts";
import { call } from "../client/call.ts";
import { useDoing } from "../client/use-action.ts";
import { toCount, toPercent, toPlural, toScore, toSigned } from "../client/words.ts";
import { Confirm } from "../parts/dialog.tsx";
import { ErrorNote, sayDone } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import { toProviderName } from "../report/placement-row.ts";

type Bin = FullFigures["reliability"][number];
type FullBin = Bin & { readonly predicted: number; readonly observed: number };

type ReliabilityProps = {
  readonly bins: readonly Bin[];
  readonly name: string;
  readonly needed: number;
};

export function Reliability({ bins, name, needed }: ReliabilityProps) {
  const shown = bins.filter(hasShares);
  return (
    <figure class="relia">
      <figcaption>
        <strong>Spam odds: predicted and observed</strong>
        <span class="small muted">
          {shown.length === 0
            ? `Not enough data yet. No 10% range has ${toPlural(needed, "message", "messages")}.`
            : "On the line, predictions were exact. Above it, more mail went to spam than predicted. Below it, less did."}
        </span>
      </figcaption>
      {shown.length > 0 && <Plot bins={shown} name={name} />}
      <details class="small">
        <summary>Show as table</summary>
        <table class="table bare">
          <thead>
            <tr>
              <th scope="col">Spam odds</th>
              <th scope="col" class="num">
                Messages
              </th>
              <th scope="col" class="num">
                Predicted{" "}
              </th>
              <th scope="col" class="num">
                Observed{" "}
              </th>
            </tr>
          </thead>
          <tbody>
            {bins
              .filter(({ count }) => count > 0)
              .map((bin) => (
                <tr key={bin.from}>
                  <th scope="row">
                    {toPercent(bin.from)} to {toPercent(bin.to)}
                  </th>
                  <td class="num">{toCount(bin.count)}</td>
                  {hasShares(bin) ? (
                    <>
                      <td class="num">{toPercent(bin.predicted)}</td>
                      <td class="num">{toPercent(bin.observed)}</td>
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
    </figure>
  );
}

function hasShares(bin: Bin): bin is FullBin {
  return bin.predicted !== null && bin.observed !== null;
}

const left = 68;
const top = 12;
const side = 220;
const marks = [0, 0.5, 1];

const xAt = (share: number) => left + share * side;
const yAt = (share: number) => top + (1 - share) * side;

function Plot({ bins, name }: { readonly bins: readonly FullBin[]; readonly name: string }) {
  const most = Math.max(...bins.map(({ count }) => count));
  const points = bins.map(
    ({ count, predicted, observed }) =>
      `${toPercent(predicted)} predicted, ${toPercent(observed)} observed (${toPlural(count, "message", "messages")})`,
  );
  return (
    <svg viewBox="0 0 314 280" role="img" aria-label={`Spam odds at ${name}: ${points.join("; ")}.`}>
      {marks.map((share) => (
        <g key={share}>
          <path class="gl" d={`M${left} ${yAt(share)}h${side}M${xAt(share)} ${top}v${side}`} />
          <text class="y" x={left - 6} y={yAt(share) + 4}>
            {toPercent(share)}
          </text>
          <text class="x" x={xAt(share)} y={top + side + 18}>
            {toPercent(share)}
          </text>
        </g>
      ))}
      <path class="alike" d={`M${xAt(0)} ${yAt(0)}L${xAt(1)} ${yAt(1)}`} />
      {bins.map(({ from, count, predicted, observed }) => (
        <g key={from}>
          <path class="off" d={`M${xAt(predicted)} ${yAt(predicted)}V${yAt(observed)}`} />
          <circle cx={xAt(predicted)} cy={yAt(observed)} r={4 + 5 * Math.sqrt(count / most)} />
        </g>
      ))}
      <text class="x axis" x={xAt(0.5)} y={top + side + 40}>
        predicted{" "}
      </text>
      <text class="x axis" x={left - 34} y={yAt(0.25)}>
        observed{" "}
      </text>
    </svg>
  );
}

// The shift: one number that moves all odds of spam at a provider. Assay suggests it from observations, and an owner
// applies it.

type ShiftProps = {
  readonly calibration: Calibration;
  readonly isOwner: boolean;
  readonly onChanged: () => void;
};

export function ShiftPart({ calibration, isOwner, onChanged }: ShiftProps) {
  const { shift, suggested, notSuggested } = calibration;
  return (
    <div class="calib-shift">
      {shift !== null && <InForce calibration={calibration} isOwner={isOwner} onChanged={onChanged} />}
      {suggested !== null ? (
        <Suggested calibration={calibration} isOwner={isOwner} onChanged={onChanged} />
      ) : (
        <p class="muted">
          <strong>No {shift === null ? "shift" : "other shift"} suggested.</strong> {notSuggested}
        </p>
      )}
    </div>
  );
}

const example = 0.3;

/** The effect of a shift on one example. */
function toEffect(value: number): string {
  return `spam odds of ${toPercent(example)} become ${toPercent(toShifted(example, value))}`;
}

function InForce({ calibration: { provider, shift }, isOwner, onChanged }: ShiftProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, trouble, run } = useDoing();
  if (shift === null) return null;
  const name = toProviderName(provider);
  const remove = async () => {
    if (!(await run(() => call("DELETE /api/calibration/:provider", { params: { provider } })))) return;
    setAsking(false);
    onChanged();
    sayDone(`Shift removed. New predictions for ${name} use the published weights.`);
  };
  return (
    <div class="stack-2">
      <p class="measure">
        <strong>Shift applied: {toSigned(shift.value)}</strong>, since <Moment time={shift.setAt} />, based on{" "}
        {toPlural(shift.observations, "message", "messages")}. For example, {toEffect(shift.value)}.
        Predictions that use the shift mention it.
      </p>
      {isOwner && (
        <button class="btn small danger" type="button" onClick={() => setAsking(true)}>
          Remove shift <span class="vh">for {name}</span>
        </button>
      )}
      {isAsking && (
        <Confirm
          title={`Remove the shift for ${name}?`}
          action="Remove shift"
          isBusy={isBusy}
          onClose={() => setAsking(false)}
          onConfirm={() => void remove()}
        >
          <p>New predictions will use the published weights. Existing predictions won’t change.</p>
          {trouble !== null && <ErrorNote title="Couldn’t remove the shift." message={trouble.message} />}
        </Confirm>
      )}
    </div>
  );
}

function Suggested({ calibration: { provider, suggested, shift }, isOwner, onChanged }: ShiftProps) {
  const { isBusy, trouble, run } = useDoing();
  if (suggested === null || suggested.shift === shift?.value) return null;
  const { shift: value, observations, brier } = suggested;
  const name = toProviderName(provider);
  const apply = async () => {
    const body = { shift: value };
    if (!(await run(() => call("PUT /api/calibration/:provider", { params: { provider }, body })))) return;
    onChanged();
    sayDone(`Shift applied. New predictions for ${name} are shifted by ${toSigned(value)}.`);
  };
  return (
    <>
      <div class="stack-2">
        <p class="measure">
          <strong>
            {value > 0 ? "More" : "Less"} mail landed in spam than{" "}
            {shift === null ? "predicted" : "the published weights predict"}. Suggested shift:{" "}
            {toSigned(value)}.
          </strong>{" "}
          For example, {toEffect(value)}. For {toPlural(observations, "past message", "past messages")}, this
          changes the error from {toScore(brier.before * 100)} to {toScore(brier.after * 100)} out of 100.{" "}
          {!isOwner && "A workspace owner can apply it."}
        </p>
        {isOwner && (
          <button class="btn small" type="button" disabled={isBusy} onClick={() => void apply()}>
            Apply shift <span class="vh">for {name}</span>
          </button>
        )}
      </div>
      {trouble !== null && <ErrorNote title="Couldn’t apply the shift." message={trouble.message} />}
    </>
  );
}

// The figures of a provider, from which its texts and charts are made.

export type Calibration = AnswerOf<typeof readCalibration>["providers"][number];
type Figures = Pick<Calibration, "observations" | "confusion" | "hitRate" | "brier" | "reliability">;
export type FullFigures = { readonly [K in keyof Figures]: NonNullable<Figures[K]> };
type Brier = FullFigures["brier"]["spam"];

/** False below the required number of observations. */
export function hasFigures<T extends Figures>(figures: T): figures is T & FullFigures {
  return figures.hitRate !== null;
}

export function toHits({ hitRate, observations }: Pick<FullFigures, "hitRate" | "observations">): number {
  return Math.round(hitRate.value * observations);
}

/** Smaller differences are rounding noise. */
const tiny = 0.0005;

export function isWorthMore({ value, baseRate }: Brier): boolean {
  return value < baseRate - tiny;
}

/** The share after a shift of its log-odds. */
function toShifted(share: number, shift: number): number {
  return 1 / (1 + Math.exp(-(Math.log(share / (1 - share)) + shift)));
}
