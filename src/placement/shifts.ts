// A shift that a person set for a provider, from what their own seed mailboxes showed: it is added to the log-odds of spam,
// and never to what a published rule says. Whatever was predicted with one names it.

import type { Prediction, Provider } from "./provider.ts";

export type Shift = {
  /** In natural log-odds of spam, in hundredths. */
  readonly value: number;
  /** How many observations it was drawn from. */
  readonly observations: number;
};

export type Shifts = Readonly<Partial<Record<Provider, Shift>>>;

/** Some twenty times the odds, or a twentieth: who needs more has another trouble than the weights. */
export const maxShift = 3;

/** What cannot be told apart from 0 is 0, and never -0. */
export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100 || 0;
}

/** `+0.4` */
export function toSigned(value: number): string {
  return value > 0 ? `+${value}` : `${value}`;
}

/** The version of the weights, and the shift where there was one: `2026-11-21 gmail+0.40`. */
export function toWeightsName(version: string, { provider, shift }: Pick<Prediction, "provider" | "shift">) {
  if (!shift) return version;
  return `${version} ${provider}${shift.value > 0 ? "+" : ""}${shift.value.toFixed(2)}`;
}

/** Of such a name. */
export function readWeightsName(name: string): { readonly version: string; readonly shift: number } {
  const [, version = name, shift = "0"] = /^(.+) [a-z]+([+-]\d\.\d\d)$/.exec(name) ?? [];
  return { version, shift: Number(shift) };
}
