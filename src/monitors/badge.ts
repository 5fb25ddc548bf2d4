// A monitor's public badge. It says up only if the monitor was checked when it should have been.

import { escapeMarkup } from "../visible-text.ts";
import { isFailure, type MonitorOutcome } from "./state.ts";

export type BadgeState = "up" | "down" | "paused" | "unknown";

type Watched = {
  readonly enabled: boolean;
  readonly state: "new" | "up" | "down";
  readonly dueAt: number | null;
  readonly periodMs: number;
  /** For canaries: when two of them should have run since the last one that ended. Null: not known. */
  readonly staleAt: number | null;
  /** The outcome of the newest finished run. */
  readonly lastOutcome: MonitorOutcome | null;
};

/** Polling is a little later than the due time. */
const leastSlackMs = 10 * 60_000;

export function toBadgeState(
  { enabled, state, dueAt, periodMs, staleAt, lastOutcome }: Watched,
  now: number,
): BadgeState {
  if (!enabled) return "paused";
  // It was due an interval ago, so two have passed since it was checked.
  if (dueAt === null || now - dueAt > Math.max(periodMs, leastSlackMs)) return "unknown";
  if (state === "down") return "down";
  if (staleAt !== null && now > staleAt) return "unknown";
  // After maintenance or an outage nothing is known until the next run.
  const isKnown = lastOutcome === null || lastOutcome === "ok" || isFailure(lastOutcome);
  return state === "up" && isKnown ? "up" : "unknown";
}

const colors: Readonly<Record<BadgeState, { readonly hex: string; readonly name: string }>> = {
  up: { hex: "#1b6e3c", name: "success" },
  down: { hex: "#b3261e", name: "critical" },
  paused: { hex: "#5c6470", name: "inactive" },
  unknown: { hex: "#5c6470", name: "inactive" },
};

/** shields.io/badges/endpoint-badge */
export function toBadgeJson(label: string, state: BadgeState): string {
  return JSON.stringify({ schemaVersion: 1, label, message: state, color: colors[state].name });
}

const padding = 8;

/** Wide characters are twice as wide. The text is then fitted to the width, so an estimate is enough. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) > 0x2e80 ? 13 : 6.8;
  return Math.ceil(width);
}

export function toBadgeSvg(label: string, state: BadgeState): string {
  const [left, right] = [widthOf(label), widthOf(state)];
  const split = left + 2 * padding;
  const width = split + right + 2 * padding;
  const text = (words: string, x: number, length: number) =>
    `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeMarkup(words)}</text>`;
  const title = escapeMarkup(`${label}: ${state}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${title}"><title>${title}</title><clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${split}" height="20" fill="#333a44"/><rect x="${split}" width="${width - split}" height="20" fill="${colors[state].hex}"/></g><g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">${text(label, padding, left)}${text(state, split + padding, right)}</g></svg>\n`;
}
