// A check of domains in a world that answers from data.

import { unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { SweepContext } from "../../../../src/features/domains/work/sweep-context.ts";
import type { System } from "../../../../src/platform/system/system.ts";

export function createZoneSweep({ dns, now }: Pick<System, "dns" | "now">): SweepContext {
  return {
    dns,
    uncached: dns,
    unchecked: null,
    now,
    budgetMs: 1_000,
    lists: { states: async () => [] },
    openZone: () => null,
    askServer: async () => unknown("off"),
    fetchStranger: async () => ({ ok: false, failure: "unreachable", problem: "Nobody is on this network." }),
  };
}
