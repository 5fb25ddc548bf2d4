// When a monitored domain is checked again. Each installation has its own offset within the hour, so that they do not
// all query name servers at once.

import { createHash } from "node:crypto";

export const hourMs = 3_600_000;
/** Added to the minute before a confirming check, to spread domains that changed together. */
const confirmationSpreadMs = 15_000;
/** About once a day, spread for domains that were added together. */
const guessAgain = { leastMs: 18 * hourMs, spreadMs: 12 * hourMs };

/** Milliseconds after the full hour. */
export function toOwnPlace(installationId: string): number {
  return createHash("sha256").update(`sweep ${installationId}`).digest().readUInt32BE() % hourMs;
}

/** Returns this installation's time in the next hour. */
export function toNextSweep(now: number, ownPlaceMs: number): number {
  const sinceMs = (((now - ownPlaceMs) % hourMs) + hourMs) % hourMs;
  return now - sinceMs + hourMs;
}

/** Domains per second. A slow sweep leaves capacity for incoming mail. */
const unhurriedPace = 90;
/** All due domains start within this time, unless slow name servers hold them up. */
const begunWithinSeconds = 1_800;

/** Domains that a sweep starts per second. */
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
