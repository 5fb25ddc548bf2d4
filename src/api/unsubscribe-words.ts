// What a report says about unsubscribing, and about mail that arrives afterwards.

import type { Proof } from "../reports/unsubscribe-proof.ts";

type Result = "accepted" | "rejected" | "unclear" | "unreachable" | "refused" | "pending" | "unknown";

/** Whether the request can have had an effect. */
function mayHaveWorked(result: Result): boolean {
  return result === "accepted" || result === "unclear" || result === "unknown" || result === "pending";
}

export function toProofWords(
  proof: Pick<Proof, "state" | "after" | "within" | "deadline" | "otherLists">,
  result: Result,
  asking: {
    readonly askedAt: number;
    readonly recipient: string;
    readonly fromDomain: string | null;
  },
): string {
  const { state, after, within, deadline, otherLists } = proof;
  const { askedAt, recipient, fromDomain } = asking;
  const asked = toDay(askedAt);
  if (!mayHaveWorked(result))
    return state === "receiving" || state === "allowed"
      ? "Mail from this list still arrives. The request did not succeed, so that is expected."
      : "The request did not succeed, so mail from this list may continue.";
  if (state === "receiving") {
    const count = after.length === 1 ? "One message" : `${after.length} messages`;
    return `You still receive this list. ${count} arrived at ${recipient} more than two days after you unsubscribed on ${asked}.`;
  }
  if (state === "allowed")
    return `${within.length === 1 ? "One message" : `${within.length} messages`} of this list arrived after you unsubscribed on ${asked}, still within the allowed time (until ${toMinute(deadline)}).`;
  if (state === "waiting")
    return `No mail from this list since you unsubscribed on ${asked}. Senders have two days, until ${toMinute(deadline)}.`;
  const quiet =
    within.length > 0
      ? `No mail from this list after the allowed two days. You unsubscribed on ${asked}.`
      : `No mail from this list since you unsubscribed on ${asked}.`;
  if (otherLists.length === 0) return `${quiet} A list that rarely sends may still do so.`;
  const others = otherLists.length === 1 ? "One message" : `${otherLists.length} messages`;
  return `${quiet} ${others} from ${fromDomain} with another List-Id arrived. It may be another list, or the sender changes the List-Id with each mailing.`;
}

export function toEarlierWords(askedAt: number, late: boolean, result: Result): string {
  const asked = toDay(askedAt);
  if (!mayHaveWorked(result))
    return `Unsubscribe was requested for this list on ${asked}, but the request did not succeed.`;
  return late
    ? `You still receive this list: unsubscribed on ${asked}, and this message arrived more than two days later.`
    : `You unsubscribed from this list on ${asked}. This message arrived still within the allowed time of two days.`;
}

/** The reader's locale and time zone are unknown here. */
function toDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

function toMinute(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
