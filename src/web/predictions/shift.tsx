// One number by which all odds of spam at a provider move. It is suggested from what was seen, and set by a person.

import { useState } from "preact/hooks";
import { call } from "../client/call.ts";
import { useDoing } from "../client/use-action.ts";
import { toCount, toPercent, toScore, toSigned } from "../client/words.ts";
import { Confirm } from "../parts/dialog.tsx";
import { Moment } from "../parts/moment.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { sayDone } from "../parts/toast.tsx";
import { toProviderName } from "../report/placement-row.ts";
import { type Calibration, toShifted } from "./calibration.ts";

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
