// The meaning of DMARC, BIMI, MTA-STS and TLS-RPT records, independent of spelling.

import type { Dmarc } from "../checks/authentication-facts.ts";
import { type DmarcPolicy, milder, parseDmarcRecord } from "../dns/dmarc.ts";
import type { MtaStsMode } from "../dns/mta-sts.ts";
import type { DomainReport } from "../reports/domain-report.ts";
import { toLines } from "./parts.ts";
import type { Reading } from "./snapshot.ts";

type Unread = { readonly state: "none" | "several" | "broken" };

export type DmarcMeaning =
  | Unread
  | {
      readonly state: "read";
      /** The domain whose record applies: this one or a parent. */
      readonly at: string;
      /** Policies in effect for the domain, its subdomains, and nonexistent subdomains; weakened by t=y. */
      readonly policy: DmarcPolicy;
      readonly sp: DmarcPolicy;
      readonly np: DmarcPolicy;
      readonly isTesting: boolean;
      readonly adkim: "r" | "s";
      readonly aspf: "r" | "s";
      readonly psd: "y" | "n" | "u";
      readonly rua: readonly string[];
      readonly ruf: readonly string[];
      /** Null without ruf, because it has no other use. */
      readonly fo: readonly string[] | null;
    };

export function readDmarc({ domain, facts: { dmarc } }: DomainReport): Reading | null {
  if (!dmarc.known) return null;
  const { foundAt, records, recordsAt, record, exists, faults } = dmarc.value;
  const shown = toLines(records.length > 0 || record === null ? records : [record]);
  if (records.length > 1 && (foundAt === null || recordsAt === domain))
    return { record: shown, meaning: { state: "several" } };
  if (foundAt === null) {
    const written = shown ?? toLines(faults.flatMap(({ value }) => value ?? []));
    return { record: written, meaning: { state: written === null ? "none" : "broken" } };
  }
  // Whether the domain exists decides which policy applies, and DNS did not answer that.
  if (foundAt !== domain && !exists.known) return null;
  return { record: toLines([record ?? ""]), meaning: toDmarcMeaning(dmarc.value, foundAt) };
}

function toDmarcMeaning({ record, tags, effective }: Dmarc, at: string): DmarcMeaning {
  const policies = parseDmarcRecord(record ?? "").policies;
  // Receivers ignore such a record (RFC 9989 §4.10.1).
  if (tags === null || effective === null || policies === null) return { state: "broken" };
  const force = (asked: DmarcPolicy) => (tags.t ? milder[asked] : asked);
  return {
    state: "read",
    at,
    policy: effective,
    sp: force(policies.sp),
    np: force(policies.np),
    isTesting: tags.t,
    adkim: tags.adkim,
    aspf: tags.aspf,
    psd: tags.psd,
    rua: toUriSet(tags.rua),
    ruf: toUriSet(tags.ruf),
    fo: tags.ruf.length === 0 ? null : tags.fo.toSorted(),
  };
}

/** Hosts and schemes are case-insensitive. Local parts may be case-sensitive. */
function toUriSet(uris: readonly string[]): string[] {
  const plain = uris.map((uri) => {
    const at = /^mailto:/i.test(uri) ? uri.lastIndexOf("@") : -1;
    if (at < 0) return URL.parse(uri)?.href ?? uri;
    return `mailto:${uri.slice("mailto:".length, at)}${uri.slice(at).toLowerCase()}`;
  });
  return [...new Set(plain)].sort();
}

export type BimiMeaning =
  | { readonly state: "none" | "broken" }
  | {
      readonly state: "read";
      /** Null: the domain declines to show a logo. */
      readonly logo: string | null;
      readonly certificate: string | null;
      readonly avp: string | null;
      readonly lps: readonly string[];
    };

export function readBimi({ facts: { bimi } }: DomainReport): Reading | null {
  if (!bimi.known || bimi.value.result === "temperror") return null;
  const { result, records, l, a, avp, lps } = bimi.value;
  const record = toLines(records);
  if (result === "none") return { record, meaning: { state: "none" } };
  if (result === "fail") return { record, meaning: { state: "broken" } };
  const meaning: BimiMeaning = {
    state: "read",
    logo: l === null ? null : (URL.parse(l)?.href ?? l),
    certificate: a === null ? null : (URL.parse(a)?.href ?? a),
    // brand is the default.
    avp: avp === "brand" ? null : avp,
    lps: [...new Set(lps)].sort(),
  };
  return { record, meaning };
}

export type MtaStsMeaning =
  /** unusable: announced, but missing or invalid. */
  | { readonly state: "none" | "broken" | "unusable" }
  | {
      readonly state: "read";
      readonly mode: MtaStsMode;
      readonly mx: readonly string[];
      readonly maxAgeSeconds: number;
    };

/** Its ID is left out, because it only tells senders to fetch the policy again. */
export function readMtaSts({ facts: { mtasts } }: DomainReport): Reading | null {
  if (!mtasts.known) return null;
  const { records, problem, policy: answer } = mtasts.value;
  if (records.length === 0) return { record: null, meaning: { state: "none" } };
  if (problem !== null) return { record: toLines(records), meaning: { state: "broken" } };
  if (!answer.known) return null;
  const { policy, text } = answer.value;
  const record = toLines([...records, ...(text ?? "").trim().split(/\r?\n/).filter(Boolean)]);
  if (policy === null) return { record, meaning: { state: "unusable" } };
  const { mode, maxAgeSeconds } = policy;
  const mx = [...new Set(policy.mx.map((host) => host.toLowerCase()))].sort();
  return { record, meaning: { state: "read", mode, mx, maxAgeSeconds } satisfies MtaStsMeaning };
}

export type TlsRptMeaning =
  | { readonly state: "none" | "broken" }
  | { readonly state: "read"; readonly rua: readonly string[] };

export function readTlsRpt({ facts: { tlsrpt } }: DomainReport): Reading | null {
  if (!tlsrpt.known) return null;
  const { records, rua, problem } = tlsrpt.value;
  const record = toLines(records);
  if (records.length === 0) return { record, meaning: { state: "none" } };
  if (problem !== null) return { record, meaning: { state: "broken" } };
  return { record, meaning: { state: "read", rua: toUriSet(rua) } };
}
