// A fact is known, or unknown with a reason. An unknown fact is never a pass and never an issue.

import type { DnsAnswer, DnsStatus } from "../dns/answer.ts";

export type Why =
  | "timeout"
  | "servfail"
  | "refused"
  /** The DNS server knows no public names, so that it doesn't know one says nothing. */
  | "private-dns"
  /** A server other than DNS, such as a policy host or a scanner. */
  | "silent"
  | "unfit"
  /** Our own limit on lookups or time was reached. */
  | "budget"
  /** The operator has not turned the source on. */
  | "off"
  /** The source is turned on, but failed its own test, so it is not used. */
  | "unused"
  | "no-session"
  /** The client's IP address is not public. */
  | "not-public"
  /** About the outgoing server, of which only the address or the key is known. */
  | "not-seen"
  /** A name for tests (RFC 2606, RFC 6761) without records of the sender's own. */
  | "reserved-name"
  | "too-large"
  /** It exceeds a limit of the operator's malware scanner. */
  | "over-scan-limit"
  /** A malware scanner can't look into it. */
  | "encrypted"
  | "parser-failed"
  | "no-message"
  /** No DKIM key of the domain was seen. Selectors can't be listed, so one must be entered or seen in a message. */
  | "no-key";

export type Unknown = { readonly known: false; readonly why: Why };
export type Fact<T> = { readonly known: true; readonly value: T } | Unknown;

/** The source is not in use, so nothing is missing. The check that needs it says so once. */
export function isNotInUse(why: string): boolean {
  return why === "off" || why === "unused";
}

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
  private: "private-dns",
  budget: "budget",
};

/** Why an answer is unknown; undefined for an answer, including "no such name". */
export function whyUnknown({ status }: Pick<DnsAnswer, "status">): Why | undefined {
  return whys[status];
}
