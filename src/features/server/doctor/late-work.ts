import { toLateWords } from "../../../platform/contract/server-state-words.ts";
import type { Feature } from "../../../platform/server.ts";
import { listDuties } from "../readiness/late-work.ts";
import { readMetrics } from "./own-server.ts";
import { createHeading, type Examination } from "./row.ts";

const figure = /^assay_overdue_seconds\{work="([^"]+)"\} ([\d.e+]+)$/gm;

export const examineLateWork =
  (features: readonly Feature[]): Examination =>
  async (patient) => {
    const heading = createHeading("late-work", "Background work");
    const metrics = await readMetrics(patient);
    if (metrics === undefined)
      return [heading.grey("Unknown, because Assay's web server does not respond, or does not show its metrics.")];
    const ages = new Map([...metrics.matchAll(figure)].map(([, work, seconds]) => [work, Number(seconds) * 1_000]));
    const late = listDuties(features).flatMap(([work, { withinMs }]) => {
      const age = ages.get(work) ?? 0;
      return age > withinMs ? { work, since: patient.system.now() - age } : [];
    });
    const { says, fix } = toLateWords(late);
    return [late.length === 0 ? heading.green("Nothing waits for longer than it should.") : heading.red(says, fix)];
  };
