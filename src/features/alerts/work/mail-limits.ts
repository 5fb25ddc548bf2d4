// How much mail one mailbox gets, whichever accounts and workspaces ask for it, so that no one can be flooded. Counted in the
// database, so processes count together.

import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { insertLimitedMail, type LimitedMail, listMailTimes } from "../rows/addresses.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Limit = {
  readonly inHour: number;
  readonly inDay: number;
  /** Completes "… got 5 … within an hour". */
  readonly noun: string;
};

const limits: Readonly<Record<Exclude<LimitedMail, "confirmation">, Limit>> = {
  test: { inHour: 5, inDay: 10, noun: "test emails" },
  reset: { inHour: 3, inDay: 6, noun: "password reset emails" },
  invitation: { inHour: 3, inDay: 6, noun: "invitation emails" },
};

/** Invitations by email that one workspace may send in a day. */
const mostInvited = 50;

/** In a transaction. Throws if the mailbox got too many of these. Returns the ID under which it is counted. */
export async function countMail(
  scope: Scope,
  what: keyof typeof limits,
  address: string,
  { now, random }: Pick<System, "now" | "random">,
): Promise<string> {
  const sent_at = now();
  const mailbox = toMailbox(address);
  const { inHour, inDay, noun } = limits[what];
  const times = await listMailTimes(scope, what, mailbox, sent_at - dayMs);
  const [tooManyInHour, tooManyInDay] = [times[inHour - 1], times[inDay - 1]];
  if (tooManyInHour !== undefined && tooManyInHour > sent_at - hourMs)
    throw tooSoon(`This mailbox got ${inHour} ${noun} within an hour.`, tooManyInHour + hourMs - sent_at);
  if (tooManyInDay !== undefined)
    throw tooSoon(`This mailbox got ${inDay} ${noun} within a day.`, tooManyInDay + dayMs - sent_at);
  const id = createId("delivery", sent_at, random(16));
  await insertLimitedMail(scope, what, { id, mailbox, sent_at });
  return id;
}

/** The same for all that a workspace sends to people who aren't members yet. */
export async function countInvitation(
  scope: Scope,
  workspaceId: string,
  { now, random }: Pick<System, "now" | "random">,
): Promise<void> {
  const sent_at = now();
  const times = await listMailTimes(scope, "invitation", workspaceId, sent_at - dayMs);
  const oldest = times[mostInvited - 1];
  if (oldest !== undefined)
    throw tooSoon(`This workspace sent ${mostInvited} invitations by email within a day.`, oldest + dayMs - sent_at);
  const id = createId("delivery", sent_at, random(16));
  await insertLimitedMail(scope, "invitation", { id, mailbox: workspaceId, sent_at });
}

export function tooSoon(why: string, waitMs: number): Refusal {
  return new Refusal("rate_limited", `${why} Try again later.`, { retryAfterSeconds: waitMs / 1_000 });
}

/** All addresses that reach one person count together: with a tag, and at Gmail with dots. */
export function toMailbox(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1).replace(/^googlemail\.com$/, "gmail.com");
  const [name = ""] = address.slice(0, at).toLowerCase().split("+");
  return `${domain === "gmail.com" ? name.replaceAll(".", "") : name}@${domain}`;
}
