// How a workspace's sending volume changes its reports. For low-volume senders, rules for bulk senders are only notes:
// they cost no points, hold no cap and don't affect predictions.

import { byId, type Check } from "../checks/check.ts";
import type { KnownFacts } from "../checks/facts.ts";
import type { Kind } from "../checks/kind.ts";
import type { Finding, Outcome } from "../checks/run.ts";
import type { Volume } from "../checks/volume.ts";

export function volumeIn({ volume }: Pick<Partial<KnownFacts>, "volume">): Volume {
  return volume?.known ? volume.value : null;
}

/** The kind for rules that apply to bulk senders; null if they don't apply. */
export function toBoundKind(kind: Kind | null, volume: Volume): Kind | null {
  return kind === "bulk" && volume === "small" ? null : kind;
}

export function fitVolume(outcomes: readonly Outcome[], checks: readonly Check[], volume: Volume): readonly Outcome[] {
  if (volume !== "small") return outcomes;
  const index = byId(checks);
  return outcomes.map((one) =>
    one.outcome === "found" && isForBulk(index.get(one.check)) ? { ...one, findings: one.findings.map(toNote) } : one,
  );
}

/** The findings that a prediction uses. */
export function withoutNotes(
  outcomes: readonly Outcome[],
  checks: readonly Check[],
  volume: Volume,
): readonly Outcome[] {
  if (volume !== "small") return outcomes;
  const index = byId(checks);
  return outcomes.filter(({ check, outcome }) => outcome !== "found" || !isForBulk(index.get(check)));
}

function isForBulk(check: Check | undefined): boolean {
  return check?.sender === "bulk";
}

const later = "Mailbox providers ask for this once you send 5,000 or more messages a day.";

function toNote(finding: Finding): Finding {
  if (finding.severity === "good") return finding;
  return { ...finding, severity: "info", cost: 0, says: `${finding.says} ${later}` };
}
