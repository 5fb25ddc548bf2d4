// What DNS and the operator's scanners say of the sending host and of the domains that a message names.

import type { Fact } from "./fact.ts";

export type Ptr = {
  /** In the order of the alphabet, so that two runs agree. */
  readonly names: readonly string[];
  readonly forward: readonly { readonly name: string; readonly addresses: Fact<readonly string[]> }[];
  /** Names that lead back to the client's address. */
  readonly confirmed: readonly string[];
  readonly generic: "dynamic" | "provider-default" | null;
  /** What gave it away. */
  readonly pattern: string | null;
};

export type HeloFact = {
  readonly text: string;
  readonly form: "fqdn" | "single-label" | "local" | "literal" | "bare-ip" | "empty" | "invalid";
  /** It is our own name or address. */
  readonly ours: boolean;
  readonly addresses: Fact<readonly string[]>;
  /** One of its addresses is the client's. */
  readonly isClient: boolean;
};

export type DnsblClass = "major" | "policy" | "minor" | "broad";

/** What one zone says of the client's address. A zone that refused or is broken is an unknown row. */
export type Listing = {
  readonly zone: string;
  readonly class: DnsblClass;
  readonly listed: boolean;
  readonly code: string | null;
  readonly meaning: string | null;
  readonly text: string | null;
  readonly delistUrl: string | null;
};

/** What an allow list says of the client's address. */
export type Allow = {
  readonly zone: string;
  readonly listed: boolean;
  readonly level: "none" | "low" | "medium" | "high" | null;
  readonly category: string | null;
};

export type DomainListing = {
  readonly domain: string;
  /** Where the message names it: from, reply-to, mailfrom, helo, dkim, ptr, link, image. */
  readonly roles: readonly string[];
  readonly zone: string;
  readonly class: "bad" | "abused" | "grey";
  readonly listed: boolean;
  readonly code: string | null;
  readonly meaning: string | null;
  readonly text: string | null;
  readonly delistUrl: string | null;
};

/** A row of a family: one that did not answer makes that row unknown, not the family. */
export type Row<T> = { readonly of: string; readonly fact: Fact<T> };

export type MxHost = {
  readonly name: string;
  readonly preference: number;
  /** The name is an alias (CNAME), which RFC 2181 §10.3 forbids. */
  readonly alias: boolean;
  /** An address stands where a name must. */
  readonly literal: boolean;
  readonly addresses: Fact<readonly string[]>;
  /** Every address is private. */
  readonly private: boolean;
};

export type MxFact = {
  readonly domain: string;
  readonly exists: boolean;
  readonly soa: Fact<boolean>;
  /** RFC 7505: it takes no mail. */
  readonly nullMx: boolean;
  readonly hosts: readonly MxHost[];
  /** Of the domain itself, which mail goes to where there is no MX. */
  readonly addresses: Fact<readonly string[]>;
};

export type MtaSts = {
  readonly domain: string;
  readonly records: readonly string[];
  readonly id: string | null;
  readonly problem: string | null;
  /** Fetched only for a monitored domain, or on a person's click. */
  readonly policy: Fact<string>;
};

export type TlsRpt = {
  readonly domain: string;
  readonly records: readonly string[];
  readonly rua: readonly string[];
  readonly problem: string | null;
};

export type Dane = {
  readonly hosts: readonly {
    readonly host: string;
    readonly secure: boolean;
    readonly records: readonly {
      readonly usage: number;
      readonly selector: number;
      readonly matching: number;
    }[];
  }[];
};

export type Dnssec = {
  readonly domain: string;
  readonly signed: boolean;
  /** The resolver says that it checked the signatures (AD). */
  readonly validated: boolean;
};

export type ZoneFact = {
  readonly domain: string;
  readonly ns: readonly { readonly name: string; readonly addresses: Fact<readonly string[]> }[];
  /** Names under which anything at all is answered. */
  readonly wildcardAt: readonly string[];
  readonly ttls: readonly { readonly name: string; readonly type: string; readonly ttlSeconds: number }[];
};

export type ScannerResult = {
  readonly engine: "rspamd" | "spamassassin";
  readonly version: string | null;
  readonly score: number;
  readonly threshold: number;
  readonly action: string | null;
  readonly symbols: readonly {
    readonly name: string;
    readonly points: number;
    readonly text: string | null;
  }[];
};
