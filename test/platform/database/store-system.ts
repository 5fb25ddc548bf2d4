import { randomBytes } from "node:crypto";
import type { Log } from "../../../src/platform/system/log.ts";
import type { System } from "../../../src/platform/system/system.ts";

/** The system that a store needs, with a clock that doesn't move. */
export function storeSystem(): Pick<System, "now" | "random" | "log"> {
  return { now: () => Date.parse("2026-11-21T00:00:00Z"), random: randomBytes, log: silentLog };
}

export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
};
