// Not knowing is an answer of its own: never a pass, never a fault, and it says why.

import type { DnsAnswer, DnsStatus } from "../dns/answer.ts";

export type Why =
  | "timeout"
  | "servfail"
  | "refused"
  /** A server that is asked beside DNS: of a policy, of a scanner. */
  | "silent"
  | "unfit"
  /** Our own bound on questions or time was reached. */
  | "budget"
  /** The operator has not switched the source on. */
  | "off"
  | "no-session"
  /** The client's address is not one of the public internet. */
  | "not-public"
  | "too-large"
  | "parser-failed"
  | "no-message"
  /** A domain never showed a DKIM key: selectors can't be listed, so somebody must name one or send a message. */
  | "no-key";

export type Unknown = { readonly known: false; readonly why: Why };
export type Fact<T> = { readonly known: true; readonly value: T } | Unknown;

export function known<T>(value: T): Fact<T> {
  return { known: true, value };
}

export function unknown(why: Why): Unknown {
  return { known: false, why };
}

const whys: Readonly<Record<DnsStatus, Why | undefined>> = {
  answered: undefined,
  nodata: undefined,
  nxdomain: undefined,
  timeout: "timeout",
  unreachable: "timeout",
  servfail: "servfail",
  malformed: "servfail",
  refused: "refused",
  budget: "budget",
};

/** Why an answer tells nothing; undefined when it tells something, be it that there is no such name. */
export function whyUnknown({ status }: Pick<DnsAnswer, "status">): Why | undefined {
  return whys[status];
}
