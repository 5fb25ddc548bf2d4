// Published rules by which a provider rejects a message or sends it to spam, from the gates of findings. Decisions at
// the provider's discretion are not gates, and neither are deferrals.

import { severities } from "../checks/check.ts";
import { consequenceOf } from "../checks/gate-reply.ts";
import type { KindFact } from "../checks/kind.ts";
import type { Finding } from "../checks/run.ts";
import type { Profile, Reason } from "./provider.ts";
import { certainty } from "./weights-table.ts";

export type Gates = {
  /** How certain it is that the message is rejected or goes to spam. */
  readonly rejected: number;
  readonly junk: number;
  /** The expected SMTP reply if rejected. */
  readonly reply: string | null;
  readonly reasons: readonly Reason[];
};

type Acting = {
  readonly finding: Finding;
  readonly reply: string;
  readonly isBulk: boolean;
  readonly does: "refusal" | "junk";
  readonly certainty: number;
};

/** `isLarge`: rules for bulk senders also apply. */
export function findGates(
  findings: readonly Finding[],
  kind: KindFact | null,
  profile: Profile,
  isLarge: boolean,
): Gates {
  const acting = findings
    .flatMap((finding) => actingOf(finding, isLarge ? kind : null, profile))
    .sort(
      (left, right) =>
        right.certainty - left.certainty ||
        severities.indexOf(left.finding.severity) - severities.indexOf(right.finding.severity),
    );
  const refusing = acting.filter(({ does }) => does === "refusal");
  const junking = acting.filter(({ does }) => does === "junk");
  return {
    rejected: refusing[0]?.certainty ?? 0,
    junk: junking[0]?.certainty ?? 0,
    reply: refusing[0]?.reply ?? null,
    reasons: [...refusing, ...junking].map((one) => toReason(one, profile)),
  };
}

/** The most certain gate of a finding: rules for any sender also bind bulk senders. */
function actingOf(finding: Finding, kind: KindFact | null, { gate: provider }: Profile): Acting[] {
  if (finding.gates.length === 0) return [];
  const [surest] = finding.gates
    .flatMap((gate): Acting[] => {
      const does = consequenceOf(gate);
      if (gate.provider !== provider || gate.may || (does !== "refusal" && does !== "junk")) return [];
      const isBulk = gate.sender === "bulk";
      if (isBulk && kind?.kind !== "bulk") return [];
      const sure = !isBulk ? certainty.any : kind?.mailingList ? certainty.mailingList : certainty.bulk;
      return [{ finding, reply: gate.reply, isBulk, does, certainty: sure }];
    })
    .sort((left, right) => right.certainty - left.certainty);
  return surest ? [surest] : [];
}

function toReason({ finding: { id, says, fix }, reply, isBulk, does }: Acting, profile: Profile): Reason {
  const { name, ifBulk } = profile;
  const from = isBulk ? ` ${ifBulk}` : "";
  const action =
    does === "refusal"
      ? `${name} will likely reject mail like this${from}: ${reply}.`
      : `${name} will likely send mail like this${from} to spam.`;
  return { text: `${says} ${action}`, points: null, finding: id, change: fix };
}
