// What checks may ask for, by name. Each is known, or unknown with its reason.

import type { Received } from "../mail/headers/delivery-path.ts";
import type { Html } from "../mail/html/page.ts";
import type { Images } from "../mail/links/images.ts";
import type { Links } from "../mail/links/links.ts";
import type { Attachment } from "../mail/mime/attachments.ts";
import type { Message } from "../mail/mime/message.ts";
import type { Raw } from "../mail/mime/raw.ts";
import type { SessionConduct, SmtpSession } from "../mail/session/session.ts";
import type {
  Arc,
  Bimi,
  Dkim,
  DkimKey,
  Dmarc,
  DmarcResult,
  SpfRecord,
  SpfResult,
} from "./authentication-facts.ts";
import type { Fact } from "./fact.ts";
import type { Parked } from "./infer-parked.ts";
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
  /** What the workspace sends to any one mailbox provider; left out where it does not say. */
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
  /** Of the hosts of a monitored domain. */
  readonly mxCertificates: readonly Row<MxCertificate>[];
  readonly mtasts: MtaSts;
  readonly tlsrpt: TlsRpt;
  readonly dane: Dane;
  readonly dnssec: Dnssec;
  readonly zone: ZoneFact;
  /** Of a bare domain alone; a message has the address that it came from. */
  readonly senderListings: readonly Row<SenderListing>[];
  /** Of a bare domain alone: what sends a message is not parked. */
  readonly parked: Parked;
  readonly html: Html;
  readonly links: Links;
  /** The first that the message names. */
  readonly linkHosts: readonly Row<LinkHost>[];
  readonly images: Images;
  readonly attachments: readonly Attachment[];
  readonly scanner: readonly Row<ScannerResult>[];
};

export type FactName = keyof Facts;
export type KnownFacts = { readonly [Name in FactName]: Fact<Facts[Name]> };

export type Session = SmtpSession & {
  /** The client's address is one that mail may come from over the internet. */
  readonly isPublic: boolean;
  /** Sent by this very server to itself. */
  readonly isLooped: boolean;
  readonly receivedAt: number;
  /** Of a message without a session: its headers or a person told when it was received. */
  readonly isReceptionKnown?: boolean;
  readonly sizeBytes: number;
  /** Our own name. */
  readonly receiver: string;
  /** Null for an upload. */
  readonly conduct: SessionConduct | null;
};

export type History = {
  /** Earlier tests with this Message-ID and another body. */
  readonly sameMessageId: number;
  readonly selectorsSeen: readonly string[];
  /** Of the newest key, by its name, for how long it has been seen unchanged; null when that is not known. */
  readonly keyFirstSeen: { readonly name: string; readonly agoMs: number } | null;
};

export type Own = {
  /** The workspace's monitored domains. */
  readonly domains: readonly string[];
};

export type PublishedKey = DkimKey & {
  readonly selector: string;
  readonly domain: string;
  /** Only the first two can be missing; what was seen or probed may be gone. */
  readonly source: "signature" | "configured" | "seen" | "probed";
};

/** What can be asked of a domain alone. A check that needs none but these runs in the domain monitor too. */
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
