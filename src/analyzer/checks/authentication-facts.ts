// Results of SPF, DKIM, DMARC, ARC and BIMI for a message or a domain.

import type { ReadableBimi } from "../dns/bimi.ts";
import type { KeyRecord, KeyRecordFault } from "../dns/dkim-key.ts";
import type { DmarcFault, DmarcPolicy, DmarcTags } from "../dns/dmarc.ts";
import type { SpfTerm } from "../dns/spf.ts";
import type { Fact } from "./fact.ts";

/** RFC 8601 §2.7. */
export type ResultWord = "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror";

/** The check that owns a permerror. */
export type SpfCause = "several" | "syntax" | "lookups" | "voids" | "includes";

type Origin = {
  /** The trusted receiver that gave this verdict; missing for our own. */
  readonly recordedBy?: string;
  /** It rests on what the workspace says about its outgoing server. */
  readonly assumed?: true;
};

export type SpfResult = Origin & {
  readonly result: Exclude<ResultWord, "policy">;
  /** The checked domain; null if there was none. */
  readonly domain: string | null;
  readonly identity: "mailfrom" | "helo";
  /** The domain's `exp=` text for a failing sender (RFC 7208 §6.2). */
  readonly explanation: string | null;
  readonly cause: SpfCause | null;
  /** Why it is a temperror or permerror, in plain words. */
  readonly problem: string | null;
  /** The deciding term as written, and the domain of its record. */
  readonly matchedTerm: string | null;
  readonly matchedIn: string | null;
  readonly record: string | null;
  readonly lookups: number;
  readonly voids: number;
};

/** A record with all its includes. Cut at loops and when it gets too large. */
export type SpfNode = {
  readonly domain: string;
  /** The include or redirect that leads here; null at the top. */
  readonly via: string | null;
  readonly record: string | null;
  /** Number of SPF records at the name; exactly one is valid. */
  readonly recordCount: Fact<number>;
  readonly exists: boolean;
  /** Its registrable domain does not exist, so anyone can register it. */
  readonly isFree: Fact<boolean>;
  readonly isLoop: boolean;
  readonly terms: readonly SpfTerm[];
  /** Lookups of this record and all records below it. */
  readonly lookups: number;
  readonly children: readonly SpfNode[];
};

export type SpfRecord = {
  readonly domain: string;
  /** All SPF records at the name. */
  readonly records: readonly string[];
  readonly nearMisses: readonly string[];
  /** The strings of the record as published. A space may be missing where two strings meet. */
  readonly strings: readonly string[];
  readonly terms: readonly SpfTerm[];
  readonly tree: SpfNode | null;
  /** The tree of the intended record, if different: several records merged, with terms corrected or moved. */
  readonly merged?: SpfNode | null;
  readonly lookups: number;
  readonly voids: readonly { readonly term: string; readonly domain: string; readonly name: string }[];
  readonly mxOverLimit: readonly { readonly term: string; readonly domain: string; readonly hosts: number }[];
  /** Size on the wire of all TXT records at the name. */
  readonly bytes: number;
  readonly senderId: boolean;
  /** The term that lets any address pass; null if there is none. */
  readonly passesAnyone: string | null;
  /** False if DNS did not answer for part of the tree. The counts are then minimums. */
  readonly isWhole: boolean;
};

export type DkimKeyFault = "missing" | "several" | KeyRecordFault;

/** A key record as published. */
export type DkimKey = Omit<KeyRecord, "text" | "publicKey" | "faults"> & {
  readonly name: string;
  readonly records: readonly string[];
  readonly faults: readonly { readonly fault: DkimKeyFault; readonly says: string }[];
};

/** Why a signature does not pass: the first reason in the order of RFC 6376 §6.1. */
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

export type DkimSignature = Origin & {
  readonly index: number;
  readonly result: Exclude<ResultWord, "softfail" | "none">;
  readonly why: DkimWhy | null;
  /** `why` in plain words, with evidence. */
  readonly says: string | null;
  readonly domain: string | null;
  readonly selector: string | null;
  /** i=, or its default. */
  readonly identity: string | null;
  readonly algorithm: string | null;
  readonly canon: { readonly header: string; readonly body: string } | null;
  /** h=, in lowercase and original order. */
  readonly headers: readonly string[];
  /** l=; null when the whole body is signed. */
  readonly bodyLength: number | null;
  /** Size of the canonicalized body. */
  readonly bodyBytes: number | null;
  readonly signedAt: number | null;
  readonly expiresAt: number | null;
  readonly key: DkimKey | null;
};

export type AlignedSignature = DkimSignature & {
  readonly aligned: { readonly relaxed: boolean; readonly strict: boolean };
};

export type Dkim = {
  readonly signatures: readonly AlignedSignature[];
  /** Index of a passing, aligned signature, else of a passing one, else null. */
  readonly best: number | null;
  /** Number of signatures over the limit, which were not evaluated. */
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
  /** `_dmarc.` plus the domain. */
  readonly name: string;
  /** Name of the record that applies; null if there is none. */
  readonly foundAt: string | null;
  /** Unknown if DNS did not answer for a parent of a record that applies on its own. */
  readonly orgDomain: Fact<string>;
  /** The domain whose records decide: the domain itself if it has any (even invalid), else the one found by the tree walk. */
  readonly recordsAt: string | null;
  /** TXT records there that claim to be DMARC. */
  readonly records: readonly string[];
  readonly record: string | null;
  readonly tags: DmarcTags | null;
  readonly faults: readonly DmarcFault[];
  /**
   * The policy for this domain: p, sp or np, or the milder of sp and np while `exists` is unknown. Null despite a record: it
   * has no readable policy and asks for no reports, so DMARC does not apply (RFC 9989 §4.10.1).
   */
  readonly policy: DmarcPolicy | null;
  /** One level milder with t=y. */
  readonly effective: DmarcPolicy | null;
  /** True if it is a subdomain of its organizational domain. */
  readonly isSubdomain: boolean;
  /** Whether the domain exists, which decides between sp and np. */
  readonly exists: Fact<boolean>;
  readonly reportTargets: readonly DmarcReportTarget[];
  /** A DMARC record at the domain itself, where receivers don't look. */
  readonly apexRecord: string | null;
  /** An SPF record at the DMARC name. */
  readonly spfInPlace: string | null;
  /** The names looked up, in order, with the record found. */
  readonly walk: readonly { readonly name: string; readonly record: string | null }[];
};

export type DmarcResult = Origin & {
  readonly result: "pass" | "fail" | "none" | "temperror" | "permerror";
  /** Why the result is not simply pass or fail. */
  readonly says: string | null;
  /** Why receivers may see different authors. Missing in old reports. */
  readonly ambiguity?: string | null;
  readonly fromDomain: string | null;
  /** What passes and aligns. Without a record, by registrable domain, because providers require alignment anyway. */
  readonly alignedBy: readonly ("spf" | "dkim")[];
  /** Whether the SPF domain, and that of any signature, aligns as the record requires, passing or not. */
  readonly spfAligned: Fact<boolean>;
  readonly dkimAligned: Fact<boolean>;
  /** Fails only because the record requires strict alignment. */
  readonly relaxedWouldPass: boolean;
  /** The result by RFC 7489, with the Public Suffix List. */
  readonly pslEraResult: "pass" | "fail" | null;
  readonly pslOrgDomain: string | null;
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
  /** The ARC-Authentication-Results of the first hop, if the chain is valid. */
  readonly firstResults: string | null;
};

/** The response from the URL of a logo. */
export type BimiLogo = {
  readonly url: string;
  /** The HTTP status, after redirects. Null if there was no response; see `problem`. */
  readonly status: number | null;
  /** Null if larger than the limit. */
  readonly bytes: number | null;
  /** Why it is not valid SVG Tiny PS; null if it is. */
  readonly problem: string | null;
};

export type BimiCertificate = {
  readonly url: string;
  readonly fetchedAt: number;
  readonly endsAt: number | null;
  /** Why it is not valid for this domain and logo; null if it is. */
  readonly problem: string | null;
};

/** The DMARC policy that prevents the logo, and its domain. */
export type BimiWeakness = { readonly at: string; readonly reason: "none" | "testing" | "subdomains" };

export type Bimi = Omit<ReadableBimi, "ok" | "stray"> & {
  /** Null if there is nothing to look up: no single author, or DMARC does not pass. */
  readonly domain: string | null;
  /** skipped: receivers don't look for a record. */
  readonly result: "pass" | "none" | "skipped" | "declined" | "fail" | "temperror";
  readonly says: string | null;
  readonly name: string | null;
  readonly records: readonly string[];
  readonly weakness: BimiWeakness | null;
  /** An SPF record at this name, without any BIMI record. Missing in old reports. */
  readonly spfInPlace?: string | null;
  /** Other tags in a record that declines to show a logo. */
  readonly stray?: readonly string[];
  /** Fetched only for a monitored domain or on request. "off" until then. */
  readonly logo: Fact<BimiLogo>;
  readonly certificate: Fact<BimiCertificate>;
};
