// Services that track opens and clicks, recognized by their addresses.

import { createFinder } from "./patterns.ts";
import { openingPath, trackers } from "./tracker-table.ts";
import type { WebAddress } from "./web-address.ts";

export type Tracker = {
  readonly service: string | null;
  readonly confidence: "certain" | "high" | "medium" | "low";
  readonly reasons: readonly string[];
};

const findTracker = createFinder(trackers);

/** A part of an address that may identify a recipient. */
export const token = /[\w=-]{16,}/;

export function trackerByAddress(address: WebAddress): Tracker | null {
  const row = findTracker(address);
  if (row) return { service: row.service, confidence: "certain", reasons: [`belongs to ${row.service}`] };
  if (/\.(?:jpe?g|webp|svg)$/i.test(address.path)) return null;
  const isOneOfMany = address.query !== "" || token.test(address.path);
  return isOneOfMany && openingPath.test(address.path + address.query)
    ? { service: null, confidence: "medium", reasons: ["has a path typical of open tracking"] }
    : null;
}
