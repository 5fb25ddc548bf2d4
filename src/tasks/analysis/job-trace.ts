// When a job entered each phase and how long its DNS queries took, for traces. Measured per job, because the thread works
// on many at a time.

import type { DnsStatus, RecordType } from "../../dns/answer.ts";
import type { AnalysisContext } from "./context.ts";
import type { Phase } from "./phase.ts";

export type JobTrace = {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly phases: readonly { readonly phase: Phase; readonly at: number }[];
  /** Without names: an SPF macro can put an address into one. */
  readonly queries: readonly TimedQuery[];
};

type TimedQuery = {
  readonly type: RecordType;
  readonly status: DnsStatus;
  readonly startedAt: number;
  readonly endedAt: number;
};

/** An analysis asks about 60. */
const maxQueries = 200;

/** A context for one job, and what it noted. */
export function traceJob(analyst: AnalysisContext): {
  readonly analyst: AnalysisContext;
  readonly end: () => JobTrace;
} {
  const { now, dns, enter } = analyst;
  const startedAt = now();
  const phases: { phase: Phase; at: number }[] = [];
  const queries: TimedQuery[] = [];
  return {
    analyst: {
      ...analyst,
      enter: (phase) => {
        phases.push({ phase, at: now() });
        enter(phase);
      },
      dns: {
        query: async (name, type) => {
          const askedAt = now();
          const answer = await dns.query(name, type);
          const { status } = answer;
          if (queries.length < maxQueries) queries.push({ type, status, startedAt: askedAt, endedAt: now() });
          return answer;
        },
      },
    },
    end: () => ({ startedAt, endedAt: now(), phases, queries }),
  };
}
