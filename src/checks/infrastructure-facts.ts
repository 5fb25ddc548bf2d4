// What DNS and the operator's scanners say of the sending host and of the domains that a message names.

import type { MtaStsPolicy } from "../dns/mta-sts.ts";
import type { Fact, Why } from "./fact.ts";

export type Ptr = {
  /** Of all names; the list may be cut. */
  readonly count: number;
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

export type AskedWith = "ipv4" | "ipv6" | "domain";

/** A list as far as it may be asked with one kind of thing. */
export type ListState = {
  readonly zone: string;
  readonly with: AskedWith;
  /** Why its word counts for nothing; null when it counts. */
  readonly unfit: Why | null;
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

/** The same of an address that a domain was seen to send from. */
export type SenderListing = Listing & { readonly address: string };

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
  /** What the name is an alias (CNAME) of, which RFC 2181 §10.3 forbids; null when it is none. */
  readonly alias: Fact<string | null>;
  /** An address stands where a name must. */
  readonly literal: boolean;
  /** "off" where only the domain's existence was asked for. */
  readonly addresses: Fact<readonly string[]>;
  /** Every address is private. */
  readonly private: boolean;
};

export type MxFact = {
  readonly domain: string;
  readonly exists: boolean;
  /** It is the top of a zone. */
  readonly soa: Fact<boolean>;
  /** It answers as any other name beside it does (RFC 4592). */
  readonly wildcard: Fact<boolean>;
  /** RFC 7505: it takes no mail. */
  readonly nullMx: boolean;
  /** The preferred first. */
  readonly hosts: readonly MxHost[];
  /** MX records beyond those that were looked at. */
  readonly hostsLeftOut: number;
  /** Of the domain itself, which mail goes to where there is no MX; null where there is one. */
  readonly addresses: Fact<readonly string[]> | null;
};

/** A host that a link names. */
export type LinkHost = {
  readonly host: string;
  readonly exists: boolean;
};

export type MtaSts = {
  readonly domain: string;
  /** TXT records that mean to be one; a single one is right. */
  readonly records: readonly string[];
  readonly id: string | null;
  readonly problem: string | null;
  /** Fetched only for a monitored domain, or on a person's click: "off" until then. */
  readonly policy: Fact<MtaStsPolicyAnswer>;
  /** An SPF record where there is no other; reports of earlier versions lack it. */
  readonly spfInPlace?: string | null;
};

export type MtaStsPolicyAnswer = {
  readonly url: string;
  readonly text: string | null;
  readonly policy: MtaStsPolicy | null;
  /** Why there is no policy. */
  readonly problem: string | null;
  /** That the host showed when the policy was fetched; null where none was seen. */
  readonly certificate: SeenCertificate | null;
};

export type SeenCertificate = {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly seenAt: number;
};

/** Of an MX host, after STARTTLS. */
export type MxCertificate = {
  /** Null where it showed none. */
  readonly certificate: SeenCertificate | null;
  /** Why senders that ask for a certificate would not trust it, to stand in a sentence; null when they would. */
  readonly problem: string | null;
};

export type TlsRpt = {
  readonly domain: string;
  readonly records: readonly string[];
  readonly rua: readonly string[];
  readonly problem: string | null;
  /** Fields that stand more than once, of which the first counts; reports of earlier versions lack these two. */
  readonly repeated?: readonly string[];
  readonly spfInPlace?: string | null;
};

/** One row an MX host. */
export type Dane = { readonly hosts: readonly Row<DaneHost>[] };

export type DaneHost = {
  /** The resolver has checked the signatures of the TLSA records. */
  readonly secure: Fact<boolean>;
  readonly records: readonly TlsaRecord[];
};

export type TlsaRecord = {
  readonly usage: number;
  readonly selector: number;
  readonly matching: number;
  /** Why SMTP cannot use it (RFC 7672 §3.1.3); null when it can. */
  readonly problem: string | null;
};

export type Dnssec = {
  readonly domain: string;
  /** The parent zone vouches for its keys (DS), or the resolver for its answers. */
  readonly signed: boolean;
  /** The resolver says that it checked the signatures (AD). Unknown from one that checks none. */
  readonly validated: Fact<boolean>;
  /** It answers only where signatures are not checked. */
  readonly bogus: boolean;
};

export type ZoneFact = {
  readonly domain: string;
  /** The zone that it lies in: itself, or what stands above it. */
  readonly zone: string;
  readonly ns: readonly NameServer[];
  /** Names that nobody can have published, and the text that is answered for them all the same; null: none. */
  readonly wildcards: readonly Row<string | null>[];
  /** Seconds that the TXT records at a name may be kept; null where there are none. */
  readonly ttls: readonly Row<number | null>[];
};

export type NameServer = {
  readonly name: string;
  readonly addresses: Fact<readonly string[]>;
  /** It answers for the zone by its own authority. "off" where it was not asked itself. */
  readonly authoritative: Fact<boolean>;
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
