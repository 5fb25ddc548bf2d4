// How fast tests ask what is under /api/auth/: as slowly as its limit allows, so that something else may be shown there.

/** 30 requests within 60 seconds, and twice as long where up to 30 are sent at once. */
const stepMs = 4_001;

export function keepPace(clock: { nowMs: number }, path: string): void {
  if (path.includes("/api/auth/")) clock.nowMs += stepMs;
}
