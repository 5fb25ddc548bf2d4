import { toPercent } from "../client/words.ts";
import type { FullFigures } from "./calibration.ts";

/** On one scale from none to all: the share, and between what the true one lies. */
export function HitRate({ value, low, high }: FullFigures["hitRate"]) {
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
