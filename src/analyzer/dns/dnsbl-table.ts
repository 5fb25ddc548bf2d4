// The DNS lists that an operator can choose from, and what their answers mean. Sources: the owners' pages and, where those
// say nothing, the rules of SpamAssassin 4 and rspamd (November 2026).
//
// A code is the address that a list returns. Each part is a number, a range `4-7`, `*` for any, or `&8` for a bit that is
// set. The codes of a list are sorted worst first, and the first match counts.

import blocklists from "./blocklists.json" with { type: "json" };

/** How much a listing of an address matters: harm, a range that should send no mail, a minor list, whole networks. */
type AddressClass = "major" | "policy" | "minor" | "broad";
/** A domain that does harm, one that was compromised, or one that is only watched. */
type DomainClass = "bad" | "abused" | "grey";
type TrustLevel = "none" | "low" | "medium" | "high";

export type Code<Class extends string> = { readonly code: string; readonly class: Class; readonly meaning: string };

type Common = {
  /** The first is the recommended one. `<key>` is the key that the owner gives each subscriber. */
  readonly zones: readonly string[];
  readonly name: string;
  /**
   * Answers that refuse our queries. 127.255.255.x does so for every list. To those who exceed its limits, DNSWL answers
   * that every address is trusted, in category 10. Its test entry does too.
   */
  readonly refusals?: readonly string[];
  /** The answer of its test entry, if that would otherwise count as a refusal. */
  readonly testCode?: string;
  readonly delistUrl: string | null;
  /** The owner's terms of use. */
  readonly terms: string;
};

type AddressList = Common & {
  readonly kind: "address";
  readonly ipv6: boolean;
  readonly codes: readonly Code<AddressClass>[];
};

type AllowList = Common & {
  readonly kind: "allow";
  readonly ipv6: boolean;
  readonly codes: readonly Code<TrustLevel>[];
  /** What the third part of an answer says about the sender. */
  readonly categories?: Readonly<Record<number, string>>;
};

type DomainList = Common & {
  readonly kind: "domain";
  /**
   * Whether to query the name as found, or its registrable domain. Spamhaus DBL lists whole domains by wildcard, and
   * single compromised hosts.
   */
  readonly asks: "host" | "registrable";
  /** The owner's test entry, if it differs from `test` of RFC 5782. */
  readonly testName?: string;
  readonly codes: readonly Code<DomainClass>[];
};

export type ListRow = AddressList | AllowList | DomainList;

const { address, domain, allow } = blocklists;

export const listRows: readonly ListRow[] = [
  ...address.map((row) => ({ ...row, kind: "address" as const, codes: row.codes as AddressList["codes"] })),
  ...domain.map((row) => ({
    ...row,
    kind: "domain" as const,
    asks: row.asks as DomainList["asks"],
    codes: row.codes as DomainList["codes"],
  })),
  ...allow.map((row) => ({ ...row, kind: "allow" as const, codes: row.codes as AllowList["codes"] })),
];

/** The weight of a list that is not in the table is unknown, so it counts little. */
export const ownList = {
  // RFC 5782 §2.1: no list should use this for a listing. Several use it to refuse a query.
  refusals: ["127.0.0.1"],
  addressCodes: [{ code: "127.*.*.*", class: "minor", meaning: "listed" }],
  domainCodes: [{ code: "127.*.*.*", class: "grey", meaning: "listed" }],
} as const;

/** Why a zone, or all zones that end with it, must not be queried. Completes "<zone> …". */
export const refusedZones: Readonly<Record<string, string>> = blocklists.refusedZones;
