// Formats a duration for sentences.

const units: readonly (readonly [sizeMs: number, name: string])[] = [
  [86_400_000, "days"],
  [3_600_000, "hours"],
  [60_000, "minutes"],
];

/** In the largest unit with a count of at least two. */
export function toDuration(ms: number): string {
  const [unitMs, unit] = units.find(([sizeMs]) => ms >= 2 * sizeMs) ?? [1_000, "seconds"];
  return `${Math.round(ms / unitMs)} ${unit}`;
}
