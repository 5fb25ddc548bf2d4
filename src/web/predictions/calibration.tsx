// Whether the odds can be believed: where spam was said with 30 %, 30 of 100 should be seen in spam. A point for each tenth
// of the odds of which there are enough; on the line said and seen are alike.

import { useState } from "preact/hooks";
import type { readCalibration } from "../../api/calibration.ts";
import type { AnswerOf } from "../../api/endpoint.ts";
import { call } from "../client/call.ts";
import { useDoing } from "../client/use-action.ts";
import { toCount, toPercent, toScore, toSigned } from "../client/words.ts";
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
  const told = bins.filter(isTold);
  return (
    <figure class="relia">
      <figcaption>
        <strong>Odds of spam, said and seen</strong>
        <span class="small muted">
          {told.length === 0
            ? `No tenth of the scale has ${needed} messages yet.`
            : "On the line both are alike. Above it more was spam than was said, below it less."}
        </span>
      </figcaption>
      {told.length > 0 && <Plot bins={told} name={name} />}
      <details class="small">
        <summary>The same as a table</summary>
        <table class="table bare">
          <thead>
            <tr>
              <th scope="col">Odds of spam</th>
              <th scope="col" class="num">
                Messages
              </th>
              <th scope="col" class="num">
                Said
              </th>
              <th scope="col" class="num">
                Seen
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
                  {isTold(bin) ? (
                    <>
                      <td class="num">{toPercent(bin.predicted)}</td>
                      <td class="num">{toPercent(bin.observed)}</td>
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
    </figure>
  );
}

function isTold(bin: Bin): bin is FullBin {
  return bin.predicted !== null && bin.observed !== null;
}

const left = 44;
const top = 12;
const side = 220;
const marks = [0, 0.5, 1];

const xAt = (share: number) => left + share * side;
const yAt = (share: number) => top + (1 - share) * side;

function Plot({ bins, name }: { readonly bins: readonly FullBin[]; readonly name: string }) {
  const most = Math.max(...bins.map(({ count }) => count));
  const said = bins.map(
    ({ count, predicted, observed }) =>
      `of ${toCount(count)} said with ${toPercent(predicted)}, ${toPercent(observed)} were seen in spam`,
  );
  return (
    <svg viewBox="0 0 290 280" role="img" aria-label={`${name}: ${said.join("; ")}.`}>
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
        said
      </text>
      <text class="x axis" x={left - 20} y={yAt(0.25)}>
        seen
      </text>
    </svg>
  );
}

// One number by which all odds of spam at a provider move. It is suggested from what was seen, and set by a person.

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
          <strong>No {shift === null ? "shift" : "other shift"} is suggested.</strong> {notSuggested}
        </p>
      )}
    </div>
  );
}

const example = 0.3;

/** What it does to odds that a reader can picture. */
function toEffect(value: number): string {
  return `${toPercent(example)} becomes ${toPercent(toShifted(example, value))}`;
}

function InForce({ calibration: { provider, shift }, isOwner, onChanged }: ShiftProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, trouble, run } = useDoing();
  if (shift === null) return null;
  const name = toProviderName(provider);
  const takeBack = async () => {
    if (!(await run(() => call("DELETE /api/calibration/:provider", { params: { provider } })))) return;
    setAsking(false);
    onChanged();
    sayDone(`${name} is predicted by the published weights again.`);
  };
  return (
    <div class="stack-2">
      <p class="measure">
        <strong>A shift of {toSigned(shift.value)} is in force</strong> since <Moment time={shift.setAt} />,
        drawn from {toCount(shift.observations)} messages: odds of spam of {toEffect(shift.value)}. Each
        prediction made with it says so.
      </p>
      {isOwner && (
        <button class="btn small danger" type="button" onClick={() => setAsking(true)}>
          Take back the shift <span class="vh">for {name}</span>
        </button>
      )}
      {isAsking && (
        <Confirm
          title={`Take back the shift for ${name}?`}
          action="Take back"
          isBusy={isBusy}
          onClose={() => setAsking(false)}
          onConfirm={() => void takeBack()}
        >
          <p>
            Later predictions are by the published weights. Those that were made with the shift stay as they
            are.
          </p>
          {trouble !== null && <ErrorNote title="The shift is still in force." message={trouble.message} />}
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
  const adopt = async () => {
    const body = { shift: value };
    if (!(await run(() => call("PUT /api/calibration/:provider", { params: { provider }, body })))) return;
    onChanged();
    sayDone(`Later predictions for ${name} are shifted by ${toSigned(value)}.`);
  };
  return (
    <>
      <div class="stack-2">
        <p class="measure">
          <strong>
            {value > 0 ? "More" : "Less"} is seen in spam than predicted: a shift of {toSigned(value)} is
            suggested.
          </strong>{" "}
          Odds of spam of {toEffect(value)}. Over {toCount(observations)} messages that brings their error
          from {toScore(brier.before * 100)} to {toScore(brier.after * 100)} of 100.{" "}
          {!isOwner && "An owner of the workspace can adopt it."}
        </p>
        {isOwner && (
          <button class="btn small" type="button" disabled={isBusy} onClick={() => void adopt()}>
            Adopt the shift <span class="vh">for {name}</span>
          </button>
        )}
      </div>
      {trouble !== null && <ErrorNote title="The shift was not adopted." message={trouble.message} />}
    </>
  );
}

// What the figures of a provider say, in numbers that words and drawings are made of.

export type Calibration = AnswerOf<typeof readCalibration>["providers"][number];
type Figures = Pick<Calibration, "observations" | "confusion" | "hitRate" | "brier" | "reliability">;
export type FullFigures = { readonly [K in keyof Figures]: NonNullable<Figures[K]> };
type Brier = FullFigures["brier"]["spam"];

/** Below a number of observations there is none. */
export function hasFigures<T extends Figures>(figures: T): figures is T & FullFigures {
  return figures.hitRate !== null;
}

export function toHits({ hitRate, observations }: Pick<FullFigures, "hitRate" | "observations">): number {
  return Math.round(hitRate.value * observations);
}

/** Less than this is chance of the last digits. */
const tiny = 0.0005;

export function isWorthMore({ value, baseRate }: Brier): boolean {
  return value < baseRate - tiny;
}

/** What a shift of the log-odds makes of a share. */
function toShifted(share: number, shift: number): number {
  return 1 / (1 + Math.exp(-(Math.log(share / (1 - share)) + shift)));
}
