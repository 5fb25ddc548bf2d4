// What DNS and the operator's scanners say of the sending host and of the domains that a message names.

import type { MtaStsPolicy } from "../dns/mta-sts.ts";
import type { Fact, Why } from "./fact.ts";
import {
  boolean,
  type Described,
  factOf,
  integer,
  listOf,
  nullable,
  number,
  oneOf,
  recordOf,
  rowsOf,
  text,
} from "./shape.ts";

const texts = listOf(text);

const ptr = recordOf({
  /** Of all names; the list may be cut. */
  count: integer,
  /** In the order of the alphabet, so that two runs agree. */
  names: texts,
  forward: listOf(recordOf({ name: text, addresses: factOf(texts) })),
  confirmed: { ...texts, about: "Names that lead back to the address." },
  generic: nullable(oneOf("dynamic", "provider-default")),
  /** What gave it away. */
  pattern: nullable(text),
});

const helo = recordOf({
  text,
  form: oneOf("fqdn", "single-label", "local", "literal", "bare-ip", "empty", "invalid"),
  /** It is our own name or address. */
  ours: boolean,
  addresses: factOf(texts),
  /** One of its addresses is the client's. */
  isClient: boolean,
});

const mxHost = recordOf({
  name: text,
  preference: integer,
  /** What the name is an alias (CNAME) of, which RFC 2181 §10.3 forbids; null when it is none. */
  alias: factOf(nullable(text)),
  /** An address stands where a name must. */
  literal: boolean,
  /** "off" where only the domain's existence was asked for. */
  addresses: factOf(texts),
  /** Every address is private. */
  private: boolean,
});

const mx = recordOf({
  domain: text,
  exists: boolean,
  /** It is the top of a zone. */
  soa: factOf(boolean),
  /** It answers as any other name beside it does (RFC 4592). */
  wildcard: factOf(boolean),
  /** RFC 7505: it takes no mail. */
  nullMx: boolean,
  /** The preferred first. */
  hosts: listOf(mxHost),
  /** MX records beyond those that were looked at. */
  hostsLeftOut: integer,
  /** Of the domain itself, which mail goes to where there is no MX; null where there is one. */
  addresses: nullable(factOf(texts)),
});

/** A host that a link names. */
const linkHost = recordOf({ host: text, exists: boolean });

const reply = {
  code: nullable(text),
  meaning: nullable(text),
  text: nullable(text),
  delistUrl: nullable(text),
} as const;

/** What one zone says of the client's address. A zone that refused or is broken is an unknown row. */
const listing = recordOf({
  zone: text,
  listed: boolean,
  class: oneOf("major", "policy", "minor", "broad"),
  ...reply,
});

/** What an allow list says of the client's address. */
const allow = recordOf({
  zone: text,
  listed: boolean,
  level: nullable(oneOf("none", "low", "medium", "high")),
  category: nullable(text),
});

const domainListing = recordOf({
  zone: text,
  listed: boolean,
  domain: text,
  /** Where the message names it: from, reply-to, mailfrom, helo, dkim, ptr, link, image. */
  roles: texts,
  class: oneOf("bad", "abused", "grey"),
  ...reply,
});

const scannerResult = recordOf({
  engine: oneOf("rspamd", "spamassassin"),
  version: nullable(text),
  score: number,
  threshold: number,
  action: nullable(text),
  symbols: listOf(recordOf({ name: text, points: number, text: nullable(text) })),
});

/**
 * The sending host, the domains that the message names, and what others think of them. The type of each, its place in
 * the report and its schema in the API follow from here.
 */
export const surroundings = {
  ptr: factOf(ptr),
  helo: factOf(helo),
  mx: rowsOf(mx),
  linkHosts: rowsOf(linkHost),
  listings: factOf(rowsOf(listing)),
  allows: factOf(rowsOf(allow)),
  domains: factOf(rowsOf(domainListing)),
  /** One of each scanner that the operator named. */
  scanners: rowsOf(scannerResult),
} as const;

type Shapes = typeof surroundings;
export type Surroundings = { readonly [Name in keyof Shapes]: Described<Shapes[Name]> };

export type Ptr = Described<typeof ptr>;
export type HeloFact = Described<typeof helo>;
export type MxHost = Described<typeof mxHost>;
export type MxFact = Described<typeof mx>;
export type LinkHost = Described<typeof linkHost>;
export type Listing = Described<typeof listing>;
export type DnsblClass = Listing["class"];
export type Allow = Described<typeof allow>;
export type DomainListing = Described<typeof domainListing>;
export type ScannerResult = Described<typeof scannerResult>;

export type AskedWith = "ipv4" | "ipv6" | "domain";

/** A list as far as it may be asked with one kind of thing. */
export type ListState = {
  readonly zone: string;
  readonly with: AskedWith;
  /** Why its word counts for nothing; null when it counts. */
  readonly unfit: Why | null;
};

/** The same of an address that a domain was seen to send from. */
export type SenderListing = Listing & { readonly address: string };

/** A row of a family: one that did not answer makes that row unknown, not the family. */
export type Row<T> = { readonly of: string; readonly fact: Fact<T> };

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
