// A member names the target of an unsubscribe request by sending a message, so many workspaces together could flood a server
// or a mailbox of someone else. In memory: a restart forgets at most an hour.

import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import { Refusal } from "../../../platform/errors.ts";

type TargetLimit = {
  /** Throws if the target gets too many requests from all workspaces. Otherwise counts this one. */
  readonly enter: (target: { readonly host: string; readonly mailbox: string | null }) => void;
};

/** Services that send for many customers have one host for all. A mailbox belongs to one list. */
const mostOfHost = { count: 20, withinMs: 60_000 };
const mostOfMailbox = { count: 10, withinMs: 3_600_000 };
const mostKnown = 10_000;

type Most = typeof mostOfHost;

export function createTargetLimit(now: () => number): TargetLimit {
  /** In order of last use. */
  const times = new Map<string, number[]>();

  function require(key: string, { count, withinMs }: Most): number[] {
    const at = now();
    // A clock that was set back must not make a target unreachable.
    const recent = (times.get(key) ?? []).filter((time) => time <= at && time > at - withinMs);
    const [oldest = at] = recent;
    if (recent.length >= count)
      throw new Refusal("rate_limited", "This server made many unsubscribe requests to the same target.", {
        retryAfterSeconds: Math.max(1, Math.ceil((oldest + withinMs - at) / 1_000)),
      });
    return recent;
  }

  function note(key: string, recent: readonly number[]): void {
    times.delete(key);
    times.set(key, [...recent, now()]);
    const [oldest] = times.keys();
    if (times.size > mostKnown && oldest !== undefined) times.delete(oldest);
  }

  return {
    enter: ({ host, mailbox }) => {
      const keys: readonly (readonly [string, Most])[] = [
        [`host ${toRegistrableDomain(host)}`, mostOfHost],
        ...(mailbox === null ? [] : [[`mailbox ${mailbox.toLowerCase()}`, mostOfMailbox] as const]),
      ];
      const all = keys.map(([key, most]) => [key, require(key, most)] as const);
      for (const [key, recent] of all) note(key, recent);
    },
  };
}
