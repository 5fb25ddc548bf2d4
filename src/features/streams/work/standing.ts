// How a domain stands by the usual scores of its streams.

import { toPlural } from "../../../analyzer/count-words.ts";
import { toWholeScore } from "../../../analyzer/reports/grade-words.ts";
import { toneOfScore } from "../../../analyzer/words/grade-words.ts";
import type { Feature } from "../../../platform/server.ts";
import { listStreamRules, listStreamsOfDomain, toStreamName } from "../rows.ts";
import { readMove } from "./streams.ts";

const weekMs = 7 * 86_400_000;
const mostStreams = 50;

export const streamStanding: NonNullable<Feature["standing"]> = {
  streams: async ({ domain }, { read }, { system }) => {
    const streams = (await listStreamsOfDomain(read, domain, mostStreams)).map((row) => ({
      ...row,
      usual: row.usual_score ?? 0,
      move: readMove(row),
    }));
    const rules = new Map((await listStreamRules(read)).map(({ id, name }) => [id, name]));
    const nameOf = (row: (typeof streams)[number]) => toStreamName(row, rules.get(row.rule_id ?? "") ?? null);
    const [lowest] = streams.toSorted((one, other) => one.usual - other.usual);
    if (lowest === undefined)
      return { state: "unknown", says: "No series of test mail has a usual score yet.", page: "/streams" };
    const fallen = streams.find(
      ({ move, moved_at }) => move && move.points < 0 && (moved_at ?? 0) > system.now() - weekMs,
    );
    if (fallen?.move)
      return {
        state: "warning",
        says: `${nameOf(fallen)} scored ${toWholeScore(fallen.move.score)} in the last 7 days, ${toPlural(Math.round(-fallen.move.points), "point", "points")} below its usual score.`,
        page: `/streams/${fallen.id}`,
      };
    const page = streams.length === 1 ? `/streams/${lowest.id}` : "/streams";
    const usual = toWholeScore(lowest.usual);
    const isLow = ["critical", "major"].includes(toneOfScore(lowest.usual));
    if (isLow)
      return {
        state: "warning",
        says: `${nameOf(lowest)} usually scores only ${usual}.`,
        page: `/streams/${lowest.id}`,
      };
    return {
      state: "fine",
      says:
        streams.length === 1
          ? `${nameOf(lowest)} usually scores ${usual}.`
          : `${streams.length} streams usually score ${usual} or more.`,
      page,
    };
  },
};
