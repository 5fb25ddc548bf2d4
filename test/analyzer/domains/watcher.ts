// A monitor of one domain without clock or database: what it is shown, it is shown at a time of the test's own.

import type { DriftNotice } from "../../../src/analyzer/domains/drift.ts";
import { toSnapshot } from "../../../src/analyzer/domains/snapshot.ts";
import { type Observation, observe, parseWatch, type Watch } from "../../../src/analyzer/domains/watch.ts";
import type { DomainReport } from "../../../src/analyzer/reports/domain-report.ts";
import { at } from "./watched-domain.ts";

export const minute = 60_000;
export const hour = 60 * minute;
export const start = Date.UTC(2026, 10, 20);

export type Told = DriftNotice & { readonly at: number };

export function createWatcher() {
  let watch: Watch | null = null;
  const told: Told[] = [];
  const look = (report: DomainReport, sinceStart: number): Observation => {
    const time = start + sinceStart;
    const observation = observe(watch, toSnapshot(at(report, time), watch?.baseline ?? null), time);
    const kept = JSON.stringify(observation.watch);
    watch = parseWatch(kept);
    if (watch === null) throw new Error("A watch cannot be read again.");
    if (observation.notice) told.push({ ...observation.notice, at: sinceStart });
    return observation;
  };
  return {
    look,
    /** A sweep, and the second look if one is wanted. */
    sweep: (report: DomainReport, sinceStart: number): void => {
      const { confirmAt } = look(report, sinceStart);
      if (confirmAt !== null) look(report, confirmAt - start);
    },
    told,
    /** `drift dmarc policy_loosened` */
    words: () =>
      told.map(({ kind, changes }) =>
        [kind, ...changes.map((change) => `${change.mechanism} ${change.kind}`)].join(" "),
      ),
    watch: () => {
      if (watch === null) throw new Error("Nothing was looked at.");
      return watch;
    },
  };
}
