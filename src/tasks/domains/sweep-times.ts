// When a monitored domain is looked at again. Every installation has its own place in the hour, so that not all of them
// ask the world's name servers at once.

import { createHash } from "node:crypto";

export const hourMs = 3_600_000;
/** On top of the minute after which a second look may confirm: many that changed together are spread. */
const confirmationSpreadMs = 15_000;
/** About once a day; not for all that were added together in one sweep. */
const guessAgain = { leastMs: 18 * hourMs, spreadMs: 12 * hourMs };

/** Milliseconds into each hour. */
export function toOwnPlace(installationId: string): number {
  return createHash("sha256").update(`sweep ${installationId}`).digest().readUInt32BE() % hourMs;
}

/** The next hour's own place. */
export function toNextSweep(now: number, ownPlaceMs: number): number {
  const sinceMs = (((now - ownPlaceMs) % hourMs) + hourMs) % hourMs;
  return now - sinceMs + hourMs;
}

/** So many a second: an hour is long, and who sends mail is not to wait beside a sweep. */
const unhurriedPace = 90;
/** However many are due, they are begun by then, unless their name servers keep too many waiting. */
const begunWithinSeconds = 1_800;

/** How many domains a sweep begins in a second. */
export function toPace(due: number): number {
  return Math.max(unhurriedPace, due / begunWithinSeconds);
}

/** `dice`: from 0 to 1. */
export function toConfirmation(confirmAt: number, dice: number): number {
  return confirmAt + Math.floor(dice * confirmationSpreadMs);
}

export function toNextGuess(now: number, dice: number): number {
  return now + guessAgain.leastMs + Math.floor(dice * guessAgain.spreadMs);
}
