// The facts that checks may ask for, by name. Each is known, or unknown with a reason.

import type { Received } from "../mail/headers/delivery-path.ts";
import type { Html } from "../mail/html/page.ts";
import type { Images } from "../mail/links/images.ts";
import type { Links } from "../mail/links/links.ts";
import type { Attachment } from "../mail/mime/attachments.ts";
import type { Message } from "../mail/mime/message.ts";
import type { Raw } from "../mail/mime/raw.ts";
import type { SessionConduct, SmtpSession } from "../mail/session/session.ts";
import type { Arc, Bimi, Dkim, DkimKey, Dmarc, DmarcResult, SpfRecord, SpfResult } from "./authentication-facts.ts";
import type { Fact } from "./fact.ts";
import type {
  Allow,
  Dane,
  Dnssec,
  DomainListing,
  LinkHost,
  Listing,
  MtaSts,
  MxCertificate,
  MxFact,
  Row,
  ScannerResult,
  SenderListing,
  Surroundings,
  TlsRpt,
  ZoneFact,
} from "./infrastructure-facts.ts";
import type { KindFact } from "./kind.ts";
import type { Volume } from "./volume.ts";

/** Surroundings that checks get under another name, or as one fact with all rows. */
type Regrouped = "mx" | "linkHosts" | "listings" | "allows" | "domains" | "scanners";
type SurroundingFacts = Omit<Surroundings, Regrouped>;

export type Facts = {
  readonly [Name in keyof SurroundingFacts]: Extract<SurroundingFacts[Name], { known: true }>["value"];
} & {
  readonly message: Message;
  readonly raw: Raw;
  readonly session: Session;
  readonly received: Received;
  readonly kind: KindFact;
  /** How much the workspace sends to any one mailbox provider; left out if not set. */
  readonly volume: NonNullable<Volume>;
  readonly history: History;
  readonly own: Own;
  readonly spf: SpfResult;
  readonly spfHelo: SpfResult;
  readonly spfRecord: SpfRecord;
  readonly dkim: Dkim;
  readonly dkimKeys: readonly PublishedKey[];
  readonly dmarc: Dmarc;
  readonly dmarcResult: DmarcResult;
  readonly arc: Arc;
  readonly bimi: Bimi;
  readonly dnsbl: readonly Row<Listing>[];
  readonly dnswl: readonly Row<Allow>[];
  readonly uribl: readonly Row<DomainListing>[];
  readonly mx: readonly Row<MxFact>[];
  /** Certificates of a monitored domain's MX hosts. */
  readonly mxCertificates: readonly Row<MxCertificate>[];
  readonly mtasts: MtaSts;
  readonly tlsrpt: TlsRpt;
  readonly dane: Dane;
  readonly dnssec: Dnssec;
  readonly zone: ZoneFact;
  /** Only for domains. A message has its own sending address. */
  readonly senderListings: readonly Row<SenderListing>[];
  /** Only for domains: a domain that sends a message is not parked. */
  readonly parked: Parked;
  readonly html: Html;
  readonly links: Links;
  /** The first hosts that the message links to. */
  readonly linkHosts: readonly Row<LinkHost>[];
  readonly images: Images;
  readonly attachments: readonly Attachment[];
  readonly scanner: readonly Row<ScannerResult>[];
};

export type FactName = keyof Facts;
export type KnownFacts = { readonly [Name in FactName]: Fact<Facts[Name]> };

export type Session = SmtpSession & {
  /** The client's IP address is public. */
  readonly isPublic: boolean;
  /** The client that connected, if the address above is that of the workspace's outgoing server. */
  readonly connectedFrom?: string;
  /** Sent by this server to itself. */
  readonly isLooped: boolean;
  readonly receivedAt: number;
  /** For a message without a session: headers or a user gave the time of receipt. */
  readonly isReceptionKnown?: boolean;
  readonly sizeBytes: number;
  /** Host name of this server. */
  readonly receiver: string;
  /** Null for a message that didn't arrive over SMTP. */
  readonly conduct: SessionConduct | null;
};

export type History = {
  /** Earlier tests with the same Message-ID and a different body. */
  readonly sameMessageId: number;
  readonly selectorsSeen: readonly string[];
  /** The newest key, and how long it has been unchanged; null if unknown. */
  readonly keyFirstSeen: { readonly name: string; readonly agoMs: number } | null;
};

export type Own = {
  /** The workspace's monitored domains. */
  readonly domains: readonly string[];
};

export type PublishedKey = DkimKey & {
  readonly selector: string;
  readonly domain: string;
  /** Only a key from `signature` or `configured` can be missing. A key that was seen or probed may have been removed. */
  readonly source: "signature" | "configured" | "seen" | "probed";
};

/** Facts about a domain. A check that needs only these also runs in the domain monitor. */
export const domainFacts: ReadonlySet<FactName> = new Set([
  "spfRecord",
  "dkimKeys",
  "dmarc",
  "bimi",
  "mx",
  "mxCertificates",
  "mtasts",
  "tlsrpt",
  "dane",
  "dnssec",
  "zone",
  "parked",
  "uribl",
  "senderListings",
  "own",
  "history",
] as const);

export type Parked = {
  readonly isParked: boolean;
  /** The reason, as a sentence. */
  readonly why: string;
};
