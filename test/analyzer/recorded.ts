// A replay, and what it may differ in.

import type { Report } from "../../src/analyzer/reports/report.ts";
import type { AnalysisContext } from "../../src/analyzer/world.ts";

const refuse = (what: string) => () => {
  throw new Error(`A replay ${what}.`);
};

/** Nobody is there: not even to be asked in vain. */
export function withNobodyToAsk(analyst: AnalysisContext): AnalysisContext {
  return {
    ...analyst,
    dns: { query: refuse("asked DNS") },
    lists: { states: refuse("asked for lists") },
    scanners: { ask: refuse("asked a scanner") },
  };
}

/** As it is kept and given back. */
export function evidenceOf(live: Report): Report["analysis"] {
  return (JSON.parse(JSON.stringify(live)) as Report).analysis;
}

/** All but when it was made. */
export function timeless(report: Report): unknown {
  const { startedAt: _, durationMs: __, isReplay: ___, ...analysis } = report.analysis;
  return JSON.parse(JSON.stringify({ ...report, analysis }));
}
