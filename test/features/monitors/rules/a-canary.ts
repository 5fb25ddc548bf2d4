import type { CanaryTerms } from "../../../../src/features/monitors/rules/canary.ts";

/** Every five minutes to the active seed inbox, back within a minute. */
export function aCanary(toSince: number, more: Partial<CanaryTerms> = {}): CanaryTerms {
  return {
    schedule: { everyMs: 300_000 },
    to: null,
    toSince,
    from: null,
    subject: null,
    text: null,
    html: null,
    objectiveMs: 60_000,
    failuresBeforeAlert: 1,
    minScore: null,
    ...more,
  };
}
