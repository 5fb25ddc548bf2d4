// The state machine of a monitor. A run is one message that is sent and expected back, or one that others must send. Its
// outcome moves the monitor up or down, and each move is reported once.

export const monitorOutcomes = [
  "ok",
  "late",
  "lost",
  "refused",
  "unreachable",
  "deferred",
  "bounced",
  "misplaced",
  "worse",
  "unauthenticated",
  "interrupted",
  "missing",
  "wrong-words",
  "maintenance",
] as const;
export type MonitorOutcome = (typeof monitorOutcomes)[number];

/** They say nothing about the path: the server stopped, or a person announced it. */
const neutral: readonly MonitorOutcome[] = ["interrupted", "maintenance"];

export function isFailure(outcome: MonitorOutcome): boolean {
  return outcome !== "ok" && !neutral.includes(outcome);
}
