// What the figures of a provider say, in numbers that words and drawings are made of.

import type { readCalibration } from "../../api/calibration.ts";
import type { AnswerOf } from "../../api/endpoint.ts";

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
export function toShifted(share: number, shift: number): number {
  return 1 / (1 + Math.exp(-(Math.log(share / (1 - share)) + shift)));
}
