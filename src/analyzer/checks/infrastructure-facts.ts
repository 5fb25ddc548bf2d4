// Facts from DNS and scanners about the sending host and the domains in a message.

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
  /** Number of all names. The list may be cut. */
  count: integer,
  /** Sorted, so that two runs give the same result. */
  names: texts,
  forward: listOf(recordOf({ name: text, addresses: factOf(texts) })),
  confirmed: { ...texts, about: "Names that resolve back to the address." },
  generic: nullable(oneOf("dynamic", "provider-default")),
  /** The part of the name that matched. */
  pattern: nullable(text),
});

const helo = recordOf({
  text,
  form: oneOf("fqdn", "single-label", "local", "literal", "bare-ip", "empty", "invalid"),
  /** It is this server's own name or address. */
  ours: boolean,
  addresses: factOf(texts),
  /** It resolves to the client's IP address. */
  isClient: boolean,
});

const mxHost = recordOf({
  name: text,
  preference: integer,
  /** The target of a CNAME, which RFC 2181 §10.3 forbids here; null without a CNAME. */
  alias: factOf(nullable(text)),
  /** The record has an IP address instead of a name. */
  literal: boolean,
  /** "off" if only the domain's existence was looked up. */
  addresses: factOf(texts),
  /** All its addresses are private. */
  private: boolean,
});

const mx = recordOf({
  domain: text,
  exists: boolean,
  /** It is the apex of a zone. */
  soa: factOf(boolean),
  /** It is answered by a wildcard record (RFC 4592). */
  wildcard: factOf(boolean),
  /** RFC 7505: it accepts no mail. */
  nullMx: boolean,
  /** Most preferred first. */
  hosts: listOf(mxHost),
  /** Number of MX records over the limit, which were not looked up. */
  hostsLeftOut: integer,
  /** Addresses of the domain itself, which receive mail if there is no MX; null if there is one. */
  addresses: nullable(factOf(texts)),
});

/** The host of a link. */
const linkHost = recordOf({ host: text, exists: boolean });

const reply = {
  code: nullable(text),
  meaning: nullable(text),
  text: nullable(text),
  delistUrl: nullable(text),
} as const;

/** A list's answer for the client's IP address. A list that refused or is broken is an unknown row. */
const listing = recordOf({ zone: text, listed: boolean, class: oneOf("major", "policy", "minor", "broad"), ...reply });

/** An allowlist's answer for the client's IP address. */
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
  /** Where the domain occurs: from, reply-to, mailfrom, helo, dkim, ptr, link, image. */
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

const malwareScan = recordOf({
  scanner: { ...nullable(text), about: "Name and version, such as ClamAV 1.4.6." },
  database: { ...nullable(integer), about: "Version of the signature database." },
  databaseAt: { ...nullable(text), about: "When the signature database was made." },
  files: {
    ...rowsOf(
      recordOf({
        bytes: integer,
        sha256: text,
        signature: { ...nullable(text), about: "What the scanner found; null if it found nothing." },
      }),
    ),
    about: "One for the whole message (`of`: `message`), and one for each attachment (`of`: its part).",
  },
});

/**
 * Facts about the sending host and the domains that the message names. The type of each, its place in the report and
 * its schema in the API are derived from here.
 */
export const surroundings = {
  ptr: factOf(ptr),
  helo: factOf(helo),
  mx: rowsOf(mx),
  linkHosts: rowsOf(linkHost),
  listings: factOf(rowsOf(listing)),
  allows: factOf(rowsOf(allow)),
  domains: factOf(rowsOf(domainListing)),
  /** One per configured scanner. */
  scanners: rowsOf(scannerResult),
  malware: factOf(malwareScan),
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
export type MalwareScan = Described<typeof malwareScan>;
export type ScannerResult = Described<typeof scannerResult>;

export type AskedWith = "ipv4" | "ipv6" | "domain";

/** The state of a list for one kind of query. */
export type ListState = {
  readonly zone: string;
  readonly with: AskedWith;
  /** Why its answers are ignored; null if they count. */
  readonly unfit: Why | null;
};

/** The same for an IP address that a domain was seen sending from. */
export type SenderListing = Listing & { readonly address: string };

/** One of several answers. A missing answer makes only its row unknown. */
export type Row<T> = { readonly of: string; readonly fact: Fact<T> };

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

export type SeenCertificate = { readonly startsAt: number; readonly endsAt: number; readonly seenAt: number };

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
  /** Random names that can't exist, with the TXT answer for a wildcard; null without an answer. */
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
