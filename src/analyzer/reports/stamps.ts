// When each server had the message, by its own clock.

import { shown } from "../checks/content/shown.ts";
import type { Report } from "./report.ts";

/** A server's stamp on the message. */
export type Stamp = { readonly by: string; readonly at: number };

const mostStamps = 20;

export function toStamps({ timeline }: Report): Stamp[] {
  const stamps = timeline.hops.flatMap(({ by, at }) => (by === null || at === null ? [] : [{ by: shown(by), at }]));
  return stamps.slice(0, mostStamps);
}
