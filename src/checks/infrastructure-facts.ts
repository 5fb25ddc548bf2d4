// Facts from DNS and scanners about the sending host and the domains in a message.

import type { MtaStsPolicy } from "../dns/mta-sts.ts";
import type { Fact, Why } from "./fact.ts";

export type Ptr = {
  /** Number of all names. The list may be cut. */
  readonly count: number;
  /** Sorted, so that two runs give the same result. */
  readonly names: readonly string[];
  readonly forward: readonly { readonly name: string; readonly addresses: Fact<readonly string[]> }[];
  /** Names that resolve back to the client's IP address. */
  readonly confirmed: readonly string[];
  readonly generic: "dynamic" | "provider-default" | null;
  /** The part of the name that matched. */
  readonly pattern: string | null;
};

export type HeloFact = {
  readonly text: string;
  readonly form: "fqdn" | "single-label" | "local" | "literal" | "bare-ip" | "empty" | "invalid";
  /** It is this server's own name or address. */
  readonly ours: boolean;
  readonly addresses: Fact<readonly string[]>;
  /** It resolves to the client's IP address. */
  readonly isClient: boolean;
};

export type AskedWith = "ipv4" | "ipv6" | "domain";

/** The state of a list for one kind of query. */
export type ListState = {
  readonly zone: string;
  readonly with: AskedWith;
  /** Why its answers are ignored; null if they count. */
  readonly unfit: Why | null;
};

export type DnsblClass = "major" | "policy" | "minor" | "broad";

/** A list's answer for the client's IP address. A list that refused or is broken is an unknown row. */
export type Listing = {
  readonly zone: string;
  readonly class: DnsblClass;
  readonly listed: boolean;
  readonly code: string | null;
  readonly meaning: string | null;
  readonly text: string | null;
  readonly delistUrl: string | null;
};

/** The same for an IP address that a domain was seen sending from. */
export type SenderListing = Listing & { readonly address: string };

/** An allowlist's answer for the client's IP address. */
export type Allow = {
  readonly zone: string;
  readonly listed: boolean;
  readonly level: "none" | "low" | "medium" | "high" | null;
  readonly category: string | null;
};

export type DomainListing = {
  readonly domain: string;
  /** Where the domain occurs: from, reply-to, mailfrom, helo, dkim, ptr, link, image. */
  readonly roles: readonly string[];
  readonly zone: string;
  readonly class: "bad" | "abused" | "grey";
  readonly listed: boolean;
  readonly code: string | null;
  readonly meaning: string | null;
  readonly text: string | null;
  readonly delistUrl: string | null;
};

/** One of several answers. A missing answer makes only its row unknown. */
export type Row<T> = { readonly of: string; readonly fact: Fact<T> };

export type MxHost = {
  readonly name: string;
  readonly preference: number;
  /** The target of a CNAME, which RFC 2181 §10.3 forbids here; null without a CNAME. */
  readonly alias: Fact<string | null>;
  /** The record has an IP address instead of a name. */
  readonly literal: boolean;
  /** "off" if only the domain's existence was looked up. */
  readonly addresses: Fact<readonly string[]>;
  /** All its addresses are private. */
  readonly private: boolean;
};

export type MxFact = {
  readonly domain: string;
  readonly exists: boolean;
  /** It is the apex of a zone. */
  readonly soa: Fact<boolean>;
  /** It is answered by a wildcard record (RFC 4592). */
  readonly wildcard: Fact<boolean>;
  /** RFC 7505: it accepts no mail. */
  readonly nullMx: boolean;
  /** Most preferred first. */
  readonly hosts: readonly MxHost[];
  /** Number of MX records over the limit, which were not looked up. */
  readonly hostsLeftOut: number;
  /** Addresses of the domain itself, which receive mail if there is no MX; null if there is one. */
  readonly addresses: Fact<readonly string[]> | null;
};

/** The host of a link. */
export type LinkHost = {
  readonly host: string;
  readonly exists: boolean;
};

export type MtaSts = {
  readonly domain: string;
  /** TXT records that claim to be MTA-STS. Exactly one is valid. */
  readonly records: readonly string[];
  readonly id: string | null;
  readonly problem: string | null;
  /** Fetched only for a monitored domain or on request. "off" until then. */
  readonly policy: Fact<MtaStsPolicyAnswer>;
  /** An SPF record at this name, without any other record. Missing in old reports. */
  readonly spfInPlace?: string | null;
};

export type MtaStsPolicyAnswer = {
  readonly url: string;
  readonly text: string | null;
  readonly policy: MtaStsPolicy | null;
  /** Why there is no policy. */
  readonly problem: string | null;
  /** The host's certificate when the policy was fetched; null if none was seen. */
  readonly certificate: SeenCertificate | null;
};

export type SeenCertificate = {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly seenAt: number;
};

/** The certificate of an MX host after STARTTLS. */
export type MxCertificate = {
  /** Null if it had none. */
  readonly certificate: SeenCertificate | null;
  /** Why senders that validate certificates would not trust it, for use in a sentence; null if they would. */
  readonly problem: string | null;
};

export type TlsRpt = {
  readonly domain: string;
  readonly records: readonly string[];
  readonly rua: readonly string[];
  readonly problem: string | null;
  /** Repeated fields, of which the first counts. Old reports lack this field and the next. */
  readonly repeated?: readonly string[];
  readonly spfInPlace?: string | null;
};

/** One row per MX host. */
export type Dane = { readonly hosts: readonly Row<DaneHost>[] };

export type DaneHost = {
  /** The resolver validated the TLSA records with DNSSEC. */
  readonly secure: Fact<boolean>;
  readonly records: readonly TlsaRecord[];
};

export type TlsaRecord = {
  readonly usage: number;
  readonly selector: number;
  readonly matching: number;
  /** Why SMTP can't use it (RFC 7672 §3.1.3); null if it can. */
  readonly problem: string | null;
};

export type Dnssec = {
  readonly domain: string;
  /** The parent zone has a DS record, or the resolver validated the answers. */
  readonly signed: boolean;
  /** The resolver validated the answers (AD). Unknown for a resolver without DNSSEC. */
  readonly validated: Fact<boolean>;
  /** It resolves only with DNSSEC validation turned off. */
  readonly bogus: boolean;
};

export type ZoneFact = {
  readonly domain: string;
  /** Its zone: the domain itself or a parent. */
  readonly zone: string;
  readonly ns: readonly NameServer[];
  /** Random names that can't exist, with the TXT answer of a wildcard; null without an answer. */
  readonly wildcards: readonly Row<string | null>[];
  /** TTL of the TXT records at a name, in seconds; null without records. */
  readonly ttls: readonly Row<number | null>[];
};

export type NameServer = {
  readonly name: string;
  readonly addresses: Fact<readonly string[]>;
  /** It answers authoritatively for the zone. "off" if it was not queried. */
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
