// A shift that a user sets for a provider, based on their own seed mailboxes. It is added to the log-odds of spam, but
// never changes published rules. Predictions with a shift name it.

import type { Prediction, Provider } from "./provider.ts";

export type Shift = {
  /** Natural log-odds of spam, in hundredths. */
  readonly value: number;
  /** Number of observations behind it. */
  readonly observations: number;
};

export type Shifts = Readonly<Partial<Record<Provider, Shift>>>;

/** About 20 times the odds, or a twentieth. A larger shift would hide another problem. */
export const maxShift = 3;

/** Avoids -0. */
export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100 || 0;
}

/** For example `+0.4`. */
export function toSigned(value: number): string {
  return value > 0 ? `+${value}` : `${value}`;
}

/** The version of the weights, plus the shift if there was one: `2026-11-21 gmail+0.40`. */
export function toWeightsName(version: string, { provider, shift }: Pick<Prediction, "provider" | "shift">) {
  if (!shift) return version;
  return `${version} ${provider}${shift.value > 0 ? "+" : ""}${shift.value.toFixed(2)}`;
}

/** Reads such a name. */
export function readWeightsName(name: string): { readonly version: string; readonly shift: number } {
  const [, version = name, shift = "0"] = /^(.+) [a-z]+([+-]\d\.\d\d)$/.exec(name) ?? [];
  return { version, shift: Number(shift) };
}
