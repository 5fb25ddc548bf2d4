// Days of UTC, as reports have them: each told by when it begins.

export const dayMs = 86_400_000;

export function startOfDay(timeMs: number): number {
  return Math.floor(timeMs / dayMs) * dayMs;
}

/** Both ends are among them. */
export function listDays({ from, to }: { readonly from: number; readonly to: number }): number[] {
  return Array.from({ length: (to - from) / dayMs + 1 }, (_, index) => from + index * dayMs);
}

export function toDate(dayAt: number): string {
  return new Date(dayAt).toISOString().slice(0, 10);
}
