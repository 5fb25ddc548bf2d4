// How V8 collects garbage, for a server whose few cores are all at work.

import { setFlagsFromString } from "node:v8";

/**
 * Young objects are collected by the thread that made them, without helpers: it would stand still until the slowest of
 * these had its turn on a busy core, which takes longer than the work.
 */
export function collectWithoutHelpers(): void {
  setFlagsFromString("--no-parallel-scavenge");
}
