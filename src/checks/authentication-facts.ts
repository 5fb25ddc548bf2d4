// What SPF, DKIM, DMARC, ARC and BIMI say of a message, or of a bare domain.

import type { DmarcFault, DmarcPolicy, DmarcTags } from "../dns/dmarc.ts";
import type { SpfTerm } from "../dns/spf.ts";
import type { Fact } from "./fact.ts";

/** RFC 8601 §2.7. */
export type ResultWord =
  | "pass"
  | "fail"
  | "softfail"
  | "neutral"
  | "none"
  | "policy"
  | "temperror"
  | "permerror";

/** Which check owns a permerror. */
export type SpfCause = "several" | "syntax" | "lookups" | "voids" | "includes";

export type SpfResult = {
  readonly result: Exclude<ResultWord, "policy">;
  /** The domain that was checked; null where there was none to check. */
  readonly domain: string | null;
  readonly identity: "mailfrom" | "helo";
  /** What the domain's `exp=` says to a sender that fails (RFC 7208 §6.2). */
  readonly explanation: string | null;
  readonly cause: SpfCause | null;
  /** In plain words, why it is a temperror or a permerror. */
  readonly problem: string | null;
  /** The term that decided, as written, and the domain whose record holds it. */
  readonly matchedTerm: string | null;
  readonly matchedIn: string | null;
  readonly record: string | null;
  readonly lookups: number;
  readonly voids: number;
  /** The trusted receiver whose verdict this is; absent where it is ours. */
  readonly recordedBy?: string;
};

/** A record with all that it includes; cut where it goes round in a circle or grows past reason. */
export type SpfNode = {
  readonly domain: string;
  /** The include or redirect that leads here; null at the top. */
  readonly via: string | null;
  readonly record: string | null;
  /** SPF records at the name: one is right. Null when DNS did not answer. */
  readonly recordCount: Fact<number>;
  readonly exists: boolean;
  /** Not even the domain above it exists that one can register: a stranger may. */
  readonly isFree: Fact<boolean>;
  readonly isLoop: boolean;
  readonly terms: readonly SpfTerm[];
  /** Look-ups of this record's own terms and of all below it. */
  readonly lookups: number;
  readonly children: readonly SpfNode[];
};

export type SpfRecord = {
  readonly domain: string;
  /** All TXT records at the name that are SPF records. */
  readonly records: readonly string[];
  readonly nearMisses: readonly string[];
  /** As published, of the one record: a space may be lost at a joint. */
  readonly strings: readonly string[];
  readonly terms: readonly SpfTerm[];
  readonly tree: SpfNode | null;
  /** The tree of the record that was meant, where it is another: one of several, with terms corrected or moved. */
  readonly merged?: SpfNode | null;
  readonly lookups: number;
  readonly voids: readonly { readonly term: string; readonly domain: string; readonly name: string }[];
  readonly mxOverLimit: readonly {
    readonly term: string;
    readonly domain: string;
    readonly hosts: number;
  }[];
  /** Of all TXT records at the name together, as they travel. */
  readonly bytes: number;
  readonly senderId: boolean;
  /** The term by which any address would pass; null when none does. */
  readonly passesAnyone: string | null;
  /** False when a part of the tree did not answer: the counts are then the least that they can be. */
  readonly isWhole: boolean;
};

export type DkimKeyFault =
  | "missing"
  | "several"
  | "unreadable"
  | "revoked"
  | "version"
  | "hash"
  | "service"
  | "type";

/** A key record as published. */
export type DkimKey = {
  readonly name: string;
  readonly records: readonly string[];
  readonly type: string | null;
  readonly bits: number | null;
  readonly revoked: boolean;
  readonly testing: boolean;
  /** `t=s`: the domain of i= must be d= itself. */
  readonly strictIdentity: boolean;
  /** Null: any. */
  readonly hashes: readonly string[] | null;
  readonly services: readonly string[];
  readonly faults: readonly { readonly fault: DkimKeyFault; readonly says: string }[];
};

/** Why a signature does not pass; the first that holds in the order of RFC 6376 §6.1. */
export type DkimWhy =
  | "syntax"
  | "version"
  | "missing-tag"
  | "bad-name"
  | "identity"
  | "from-unsigned"
  | "algorithm"
  | "canonicalization"
  | "expired"
  | "too-many"
  | "sha1"
  | "key-unknown"
  | "key-missing"
  | "key-revoked"
  | "key-faulty"
  | "key-too-short"
  | "key-unsuitable"
  | "strict-identity"
  | "body-length"
  | "body-changed"
  | "header-changed";

export type DkimSignature = {
  readonly index: number;
  readonly result: Exclude<ResultWord, "softfail" | "none">;
  readonly why: DkimWhy | null;
  /** `why` in plain words with its evidence. */
  readonly says: string | null;
  readonly domain: string | null;
  readonly selector: string | null;
  /** i=, or its default. */
  readonly identity: string | null;
  readonly algorithm: string | null;
  readonly canon: { readonly header: string; readonly body: string } | null;
  /** h=, lower case, in its order. */
  readonly headers: readonly string[];
  /** l=; null when the whole body is signed. */
  readonly bodyLength: number | null;
  /** Of the canonical body. */
  readonly bodyBytes: number | null;
  readonly signedAt: number | null;
  readonly expiresAt: number | null;
  readonly key: DkimKey | null;
  /** As of SPF. */
  readonly recordedBy?: string;
};

export type AlignedSignature = DkimSignature & {
  readonly aligned: { readonly relaxed: boolean; readonly strict: boolean };
};

export type Dkim = {
  readonly signatures: readonly AlignedSignature[];
  /** Passing and aligned, else passing, else null. */
  readonly best: number | null;
  /** Signatures beyond those that are evaluated. */
  readonly ignored: number;
};

export type DmarcReportTarget = {
  readonly uri: string;
  readonly list: "rua" | "ruf";
  readonly host: string | null;
  readonly external: boolean;
  readonly authorised: Fact<boolean>;
  readonly receivesMail: Fact<boolean>;
};

/** The policy that covers a domain, found by the tree walk of RFC 9989 §4.10. */
export type Dmarc = {
  readonly domain: string;
  /** `_dmarc.` before the domain. */
  readonly name: string;
  /** Where the record that applies stands; null when none does. */
  readonly foundAt: string | null;
  /** Unknown where DNS did not answer above a record that applies by itself. */
  readonly orgDomain: Fact<string>;
  /** The domain whose records decide: its own where there is any, also a faulty one, else where the walk found some. */
  readonly recordsAt: string | null;
  /** The TXT records there that say they are DMARC. */
  readonly records: readonly string[];
  readonly record: string | null;
  readonly tags: DmarcTags | null;
  readonly faults: readonly DmarcFault[];
  /**
   * What the record asks for this domain: p, sp or np; the milder of sp and np while `exists` is unknown. Null beside a
   * record: it has no policy that can be read and asks for no reports, so that DMARC does not apply (RFC 9989 §4.10.1).
   */
  readonly policy: DmarcPolicy | null;
  /** One milder under t=y. */
  readonly effective: DmarcPolicy | null;
  /** Of its organisational domain. */
  readonly isSubdomain: boolean;
  /** Whether the domain itself exists, which decides between sp and np. */
  readonly exists: Fact<boolean>;
  readonly reportTargets: readonly DmarcReportTarget[];
  /** A DMARC record at the domain itself, where nobody looks. */
  readonly apexRecord: string | null;
  /** An SPF record at the DMARC name. */
  readonly spfInPlace: string | null;
  /** The names asked, in their order, with what stood there. */
  readonly walk: readonly { readonly name: string; readonly record: string | null }[];
};

export type DmarcResult = {
  readonly result: "pass" | "fail" | "none" | "temperror" | "permerror";
  /** Why there is no plain pass or fail. */
  readonly says: string | null;
  /** Why receivers may read different authors; reports of earlier versions lack it. */
  readonly ambiguity?: string | null;
  readonly fromDomain: string | null;
  /** What passes and aligns; without a record too, then by registrable domain, because providers ask it all the same. */
  readonly alignedBy: readonly ("spf" | "dkim")[];
  /** Whether SPF's domain, and that of any signature, aligns as the record demands; passing or not. */
  readonly spfAligned: Fact<boolean>;
  readonly dkimAligned: Fact<boolean>;
  /** Only the record's demand of an exact match stands in the way. */
  readonly relaxedWouldPass: boolean;
  /** What a reader of RFC 7489 makes of it, by the public suffix list. */
  readonly pslEraResult: "pass" | "fail" | null;
  readonly pslOrgDomain: string | null;
  /** As of SPF. */
  readonly recordedBy?: string;
};

export type Arc = {
  readonly present: boolean;
  readonly result: "pass" | "fail" | "none" | "temperror";
  readonly instances: number;
  /** Oldest first. */
  readonly sealers: readonly {
    readonly instance: number;
    readonly domain: string | null;
    readonly selector: string | null;
  }[];
  readonly failure: { readonly instance: number | null; readonly says: string } | null;
  /** The ARC-Authentication-Results of the first hop, when the chain holds. */
  readonly firstResults: string | null;
};

/** What the address of a logo answered. */
export type BimiLogo = {
  readonly url: string;
  /** Of HTTP; the last one, where it led on. Null: it came to none, and the problem says with what it answers. */
  readonly status: number | null;
  /** Null: more than were read. */
  readonly bytes: number | null;
  /** Why it is no SVG Tiny PS; null when it is. */
  readonly problem: string | null;
};

export type BimiCertificate = {
  readonly url: string;
  readonly fetchedAt: number;
  readonly endsAt: number | null;
  /** Why it does not stand for this domain and this logo; null when it does. */
  readonly problem: string | null;
};

/** Which policy keeps logos off, and whose. */
export type BimiWeakness = { readonly at: string; readonly reason: "none" | "testing" | "subdomains" };

export type Bimi = {
  /** Null where the message asks for no look-up: it has no single author, or DMARC does not pass. */
  readonly domain: string | null;
  /** skipped: there is a record, or would be, but no receiver looks for it. */
  readonly result: "pass" | "none" | "skipped" | "declined" | "fail" | "temperror";
  readonly says: string | null;
  readonly name: string | null;
  readonly records: readonly string[];
  readonly l: string | null;
  readonly a: string | null;
  readonly declined: boolean;
  /** Which picture the domain would rather see. */
  readonly avp: "brand" | "personal" | null;
  /** Beginnings of local parts that may choose a selector. */
  readonly lps: readonly string[];
  readonly weakness: BimiWeakness | null;
  /** An SPF record where there is no other; reports of earlier versions lack it. */
  readonly spfInPlace?: string | null;
  /** What a record that declines to show a logo holds besides that. */
  readonly stray?: readonly string[];
  /** Fetched only for a monitored domain, or on a person's click: "off" until then. */
  readonly logo: Fact<BimiLogo>;
  readonly certificate: Fact<BimiCertificate>;
};
