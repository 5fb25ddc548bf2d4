// What the dashboard's headline says about monitors that are down, problems in reports, and streams that scored lower.

import { toPlural } from "../../../web/client/words.ts";
import { toMoveWords } from "../../tests/page/stream-words.ts";
import type { DashboardSummary } from "../contract.ts";
import type { Problem } from "./headline.ts";

/** The list is cut, so that many are "5 or more". */
const mostListed = 5;

export function findDown({ downMonitors }: DashboardSummary): Problem | null {
  const [only] = downMonitors;
  if (only === undefined) return null;
  const count = downMonitors.length;
  const tone = "critical";
  if (count > 1) {
    const text = count === mostListed ? `${mostListed} or more monitors` : toPlural(count, "monitor", "monitors");
    const phrase = { tone, before: "", text, after: " are down", to: "/monitors" } as const;
    return { phrase, detail: null, also: [`${text} down`] };
  }
  const text = `Monitor “${only.name}”`;
  const phrase = { tone, before: "", text, after: " is down", to: `/monitors/${only.id}` } as const;
  return { phrase, detail: only.says && toWhole(only.says), also: ["1 monitor down"] };
}

/** A quoted subject is its last part, without a period. */
function toWhole(says: string): string {
  return /[.!?]$/.test(says) ? says : `${says}.`;
}

export function findReported({ feedback: { open, newest } }: DashboardSummary): Problem | null {
  const [first] = newest;
  if (open === 0 || first === undefined) return null;
  const text = toPlural(open, "problem", "problems");
  const isOneDomain = new Set(newest.map(({ domain }) => domain.id)).size === 1 && newest.length === open;
  const place = isOneDomain ? first.domain.domain : "your domains";
  const to = isOneDomain ? `/domains/${first.domain.id}#feedback` : "#feedback-h";
  return {
    phrase: { tone: "major", before: "", text, after: ` in reports about ${place}`, to },
    detail: open === 1 ? `${first.title}.` : null,
    also: [`${text} in reports`],
  };
}

/** A higher score is no problem. */
export function findMoved({ movedStreams }: DashboardSummary): Problem | null {
  const lower = movedStreams.filter(({ lastMove }) => (lastMove?.points ?? 0) < 0);
  const [only] = lower;
  if (!only?.lastMove) return null;
  const tone = "minor";
  if (lower.length > 1) {
    const text = toPlural(lower.length, "stream", "streams");
    const phrase = { tone, before: "Unusually low scores in ", text, after: "", to: "#moved-h" } as const;
    return { phrase, detail: null, also: [`unusually low scores in ${text}`] };
  }
  const before = "Unusually low score in ";
  const phrase = { tone, before, text: only.name, after: "", to: `/streams/${only.id}` } as const;
  return {
    phrase,
    detail: `It scored ${toMoveWords(only.lastMove)}.`,
    also: [`an unusually low score in ${only.name}`],
  };
}
