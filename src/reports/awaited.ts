// Seed mailboxes that have not shown a test's message: awaited for an hour, then missing. A mailbox that could not be looked
// into meanwhile tells nothing.

import { type AwaitedMailbox, toObservedProvider } from "./observation.ts";

export type MailboxState = {
  readonly id: string;
  readonly account: string;
  readonly seed_provider: string | null;
  readonly connected_at: number;
  /** As an integration has it. */
  readonly status: string;
  readonly status_since: number;
};

export function toAwaited(
  mailboxes: readonly MailboxState[],
  seenBy: ReadonlySet<string>,
  { receivedAt, now, waitMs }: { readonly receivedAt: number; readonly now: number; readonly waitMs: number },
): AwaitedMailbox[] {
  const ends = receivedAt + waitMs;
  const couldLook = ({ status, status_since }: MailboxState) => status === "connected" || status_since > ends;
  return mailboxes
    .filter(({ id, connected_at }) => connected_at <= receivedAt && !seenBy.has(id))
    .filter((mailbox) => now < ends || couldLook(mailbox))
    .map((mailbox) => ({
      provider: toObservedProvider(mailbox),
      account: mailbox.account,
      state: now < ends ? "pending" : "missing",
    }));
}
