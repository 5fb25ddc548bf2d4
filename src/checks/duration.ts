// A span of time as a person says it.

const units: readonly (readonly [sizeMs: number, name: string])[] = [
  [86_400_000, "days"],
  [3_600_000, "hours"],
  [60_000, "minutes"],
];

/** In the largest unit of which there are two. */
export function toDuration(ms: number): string {
  const [unitMs, unit] = units.find(([sizeMs]) => ms >= 2 * sizeMs) ?? [1_000, "seconds"];
  return `${Math.round(ms / unitMs)} ${unit}`;
}
