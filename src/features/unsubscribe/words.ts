// What a report says about unsubscribing, and about mail that arrives afterwards.

import type { Proof } from "../../analyzer/reports/unsubscribe-proof.ts";

type Result = "accepted" | "rejected" | "unclear" | "unreachable" | "refused" | "pending" | "unknown";

/** Whether the request can have had an effect. */
function mayHaveWorked(result: Result): boolean {
  return result === "accepted" || result === "unclear" || result === "unknown" || result === "pending";
}

type Asking = {
  readonly askedAt: number;
  readonly recipient: string;
  readonly fromDomain: string | null;
  /** Null: mail is of this list as far as its domain shows. */
  readonly listId: string | null;
};

export function toProofWords(
  proof: Pick<Proof, "state" | "after" | "within" | "deadline" | "otherLists">,
  result: Result,
  asking: Asking,
): string {
  const { state, after, within, deadline, otherLists } = proof;
  const { askedAt, fromDomain } = asking;
  const asked = toDay(askedAt);
  if (!mayHaveWorked(result))
    return state === "receiving" || state === "allowed"
      ? "Mail from this list still arrives. The request did not succeed, so that is expected."
      : "The request did not succeed, so mail from this list may continue.";
  if (state === "receiving") return toReceivingWords(after.length, asking);
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
  return `${quiet} ${others} from ${fromDomain} with another List-Id, or without one, arrived. It may be another list or no list mail, or the sender changes the List-Id with each mailing.`;
}

function toReceivingWords(messages: number, { askedAt, recipient, fromDomain, listId }: Asking): string {
  const count = messages === 1 ? "One message" : `${messages} messages`;
  const arrived = `${count} arrived at ${recipient} more than two days after you unsubscribed on ${toDay(askedAt)}.`;
  return listId === null
    ? `You still receive list mail from ${fromDomain}. ${arrived} There is no List-Id, so it may be another list of this sender.`
    : `You still receive this list. ${arrived}`;
}

export function toEarlierWords(
  { askedAt, late, listId }: { readonly askedAt: number; readonly late: boolean; readonly listId: string | null },
  result: Result,
): string {
  const asked = toDay(askedAt);
  if (!mayHaveWorked(result))
    return `Unsubscribe was requested for this list on ${asked}, but the request did not succeed.`;
  if (late && listId === null)
    return `You still receive list mail from this sender: unsubscribed on ${asked}, and this message arrived more than two days later. There is no List-Id, so it may be another list.`;
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
