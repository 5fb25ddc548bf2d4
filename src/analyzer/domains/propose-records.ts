// Proposes the complete records that fix a finding, as shown on the domain's page. All findings about one record
// propose the same value, so that publishing any of them fixes all. No record is proposed if a part of it can only come
// from someone else.

import { toAddressBytes, toReverseName } from "../addresses.ts";
import { rewriteDmarc } from "../checks/authentication/dmarc-text.ts";
import { findProvider, toClientAddress } from "../checks/authentication/spf-owner.ts";
import type { DkimKey } from "../checks/authentication-facts.ts";
import type { KnownFacts } from "../checks/facts.ts";
import { freemailProviderOf } from "../checks/freemail-table.ts";
import { isBimiRecord, parseBimiRecord } from "../dns/bimi.ts";
import { readKeyRecord } from "../dns/dkim-key.ts";
import { isDmarcRecord, parseDmarcRecord } from "../dns/dmarc.ts";
import { isSpfRecord, parseSpf } from "../dns/spf.ts";
import { parseTagList } from "../dns/tag-list.ts";
import type { ProposedRecord, RecordNote } from "../reports/fix-records.ts";
import type { JudgedFinding } from "../reports/judgment.ts";
import { correctKey } from "./publish-dkim.ts";
import { publishDmarc, publishParked } from "./publish-dmarc.ts";
import { correctSpf } from "./publish-spf.ts";
import { publishMtaSts, publishTlsRpt } from "./publish-transport.ts";
import { type Evidence, type Row, textsAt } from "./publishable.ts";

export type ProposalBasis = {
  /** Facts of a message or a domain. */
  readonly facts: Partial<KnownFacts>;
  readonly dns: Evidence["analysis"]["dns"];
  /** All findings of the report, because one record fixes several of them. */
  readonly findings: readonly Proposing[];
};

type Proposing = Pick<JudgedFinding, "id" | "severity" | "ownedBy" | "fix" | "occurrences">;
/** `notes`: sentences to add to the fix. */
export type Proposal = ProposedRecord & { readonly notes?: readonly RecordNote[] };
type Proposer = (finding: Proposing, basis: ProposalBasis) => readonly Proposal[];

/** Records contain untrusted text. Real mail records are shorter. */
const maxValue = 2_000;
const maxRecords = 5;
const maxReplaced = 5;

export function proposeRecords(finding: Proposing, basis: ProposalBasis): readonly Proposal[] {
  if (finding.fix === null || finding.severity === "good") return [];
  const [check = ""] = finding.id.split(".", 1);
  const proposer = proposers[finding.id] ?? proposers[check];
  const records = proposer?.(finding, basis) ?? [];
  return records.filter(({ value }) => value.length <= maxValue).slice(0, maxRecords);
}

const none: Proposer = () => [];

/** By finding or by check. */
const proposers: Readonly<Record<string, Proposer>> = {
  "spf-record": proposeSpf,
  "spf-syntax": proposeSpf,
  "spf-includes": proposeSpf,
  "spf-lookups": proposeSpf,
  "spf-lookups.near-limit": none,
  "spf-void-lookups": proposeSpf,
  "spf-openness": proposeSpf,
  "spf-openness.huge-range": none,
  "spf-end": proposeSpf,
  "spf-deprecated.ptr": proposeSpf,
  "spf-result": proposeSpf,
  "spf-result.forwarded": none,
  "spf-helo": proposeHelo,
  "dmarc-record": proposeDmarc,
  "dmarc-syntax": proposeDmarc,
  "dmarc-syntax.passed-over": none,
  "dmarc-syntax.unknown-tag": none,
  "dmarc-policy": proposeDmarc,
  "dmarc-subdomains": proposeDmarc,
  "dmarc-obsolete": proposeDmarc,
  "dmarc-psd": proposeDmarc,
  "dmarc-reports.none": proposeDmarc,
  "dmarc-reports.bad-address": proposeDmarc,
  "dmarc-reports.unauthorised": proposeReportConsent,
  "dmarc-result.strict-only": proposeDmarc,
  "dkim-testing": proposeKey,
  "dkim-key.malformed": proposeKey,
  "dkim-key.excluded": proposeKey,
  "bimi-record.unusable": proposeBimi,
  "mta-sts.missing": proposeTransport(publishMtaSts),
  "mta-sts.record-invalid": proposeTransport(publishMtaSts),
  "tls-rpt": proposeTransport(publishTlsRpt),
  "parked-domain": proposeParked,
  "helo-resolves.no-address": proposeAddress,
  "fcrdns.mismatch": proposeAddress,
  "ptr-record.missing": proposeReverse,
};

const absent = { known: false, why: "no-message" } as const;

function toEvidence(domain: string, { facts, dns }: ProposalBasis): Evidence {
  const { spfRecord, dkimKeys, dmarc, mx, mtasts, tlsrpt, zone, parked } = facts;
  return {
    domain: domain.toLowerCase(),
    facts: {
      spfRecord: spfRecord ?? absent,
      dkimKeys: dkimKeys ?? absent,
      dmarc: dmarc ?? absent,
      mx: mx ?? absent,
      mtasts: mtasts ?? absent,
      tlsrpt: tlsrpt ?? absent,
      zone: zone ?? absent,
      parked: parked ?? absent,
    },
    analysis: { dns },
  };
}

/** Empty if the row needs no change. `isOne` selects the existing records that it replaces. */
function toRecord(row: Row | null, evidence: Evidence, isOne: (text: string) => boolean): readonly ProposedRecord[] {
  if (row === null || row.type !== "TXT" || row.value === "") return [];
  const { name, value } = row;
  const there = textsAt(evidence, name);
  if (there.includes(value) && there.filter(isOne).length === 1) return [];
  const replaces = there.filter((text) => text !== value && isOne(text)).slice(0, maxReplaced);
  return [{ name, type: "TXT", value, replaces }];
}

/** The sending server's address if SPF does not allow it. Null if it does, or if a forwarder sent the message. */
function missingSender({ facts: { spf, session, kind, spfRecord } }: ProposalBasis): string | null {
  const forwarded = kind?.known === true && kind.value.forwarded.known && kind.value.forwarded.value.verified;
  if (!spf?.known || !session || forwarded) return null;
  const { result, matchedTerm, matchedIn, domain } = spf.value;
  // The term that let it pass may be the one to remove.
  const isLost =
    matchedIn === domain &&
    matchedTerm !== null &&
    (/^\+?(?:ptr|all)\b/i.test(matchedTerm) ||
      (spfRecord?.known === true && spfRecord.value.passesAnyone === matchedTerm));
  return result === "pass" && !isLost ? null : toClientAddress({ session });
}

function proposeSpf(_: Proposing, basis: ProposalBasis): readonly Proposal[] {
  const { spfRecord, message = absent, own = absent, kind = absent } = basis.facts;
  if (!spfRecord?.known) return [];
  const { domain } = spfRecord.value;
  const isOthers = message.known && findProvider(domain, { message, own, kind }) !== null;
  if (isOthers || freemailProviderOf(domain) !== null) return [];
  const evidence = toEvidence(domain, basis);
  const corrected = correctSpf(evidence, missingSender(basis));
  if (corrected === null || !isReadableSpf(corrected.row.value)) return [];
  const { row, notes } = corrected;
  return toRecord(row, evidence, isSpfRecord).map((record) => ({ ...record, notes }));
}

function isReadableSpf(value: string): boolean {
  return isSpfRecord(value) && parseSpf(value).problem === null;
}

function proposeHelo({ occurrences }: Proposing, basis: ProposalBasis): readonly ProposedRecord[] {
  const { helo, corrected } = occurrences[0]?.evidence ?? {};
  if (typeof helo !== "string" || typeof corrected !== "string" || !isReadableSpf(corrected)) return [];
  const evidence = toEvidence(helo, basis);
  return toRecord(
    { name: evidence.domain, type: "TXT", value: corrected, status: "change", why: "" },
    evidence,
    isSpfRecord,
  );
}

/** Findings whose fix changes the policy, in addition to other fixes of the record. */
const policyTags = ["p", "sp", "np", "t", "adkim", "aspf"];
const changesPolicy = ["dmarc-subdomains.weaker", "dmarc-subdomains.ignored", "dmarc-result.strict-only"];
/** A later step, taken once reports are clean: added to the record that is right today. */
const changesLater = ["dmarc-policy.none", "dmarc-policy.testing"];

function proposeDmarc(finding: Proposing, basis: ProposalBasis): readonly ProposedRecord[] {
  const { dmarc } = basis.facts;
  if (!dmarc?.known) return [];
  // No record is proposed for a step that is not possible yet.
  if (changesLater.includes(finding.id) && !finding.occurrences.some(({ evidence }) => evidence.corrected)) return [];
  const { recordsAt, apexRecord, spfInPlace, domain, orgDomain, record } = dmarc.value;
  const isMisplaced = apexRecord !== null || spfInPlace !== null;
  const owner = recordsAt ?? (isMisplaced || !orgDomain.known ? domain : orgDomain.value);
  if (freemailProviderOf(owner) !== null) return [];
  const evidence = toEvidence(owner, basis);
  const row = publishDmarc(evidence, null);
  if (row === null || row.value === "") return [];
  const today = basis.findings.filter(({ id }) => changesPolicy.includes(id));
  const changing = changesLater.includes(finding.id) ? [...today, finding] : today;
  const value = changing
    .flatMap(({ occurrences }) => occurrences)
    .reduce((text, { evidence: { corrected } }) => withPolicyOf(corrected, record, text), row.value);
  const { policies, faults } = parseDmarcRecord(value);
  const isRight = isDmarcRecord(value) && policies !== null && faults.every(({ kind }) => kind === "unknown-tag");
  return isRight ? toRecord({ ...row, value }, evidence, (text) => /^\s*v\s*=\s*dmarc/i.test(text)) : [];
}

/** Applies the changes from `record` to `corrected` to `text`. */
function withPolicyOf(corrected: unknown, record: string | null, text: string): string {
  if (typeof corrected !== "string" || record === null) return text;
  const [before, after] = [toTags(record), toTags(corrected)];
  const changed = policyTags.filter((tag) => before.get(tag) !== after.get(tag));
  const set = changed.flatMap((tag) => {
    const value = after.get(tag);
    return value === undefined ? [] : [[tag, value] as const];
  });
  return rewriteDmarc(text, { set: Object.fromEntries(set), remove: changed.filter((tag) => !after.has(tag)) });
}

function toTags(record: string): ReadonlyMap<string, string> {
  return new Map(parseTagList(record).tags.map(({ name, value }) => [name, value]));
}

/** RFC 9990 §4. */
function proposeReportConsent({ occurrences }: Proposing): readonly ProposedRecord[] {
  return occurrences.flatMap(({ evidence: { host, domain } }) =>
    typeof host === "string" && typeof domain === "string"
      ? [{ name: `${domain}._report._dmarc.${host}`, type: "TXT" as const, value: "v=DMARC1;", replaces: [] }]
      : [],
  );
}

function proposeKey({ occurrences }: Proposing, basis: ProposalBasis): readonly ProposedRecord[] {
  return occurrences.flatMap(({ evidence: { name } }) => {
    const key = findKey(String(name), basis);
    const evidence = toEvidence(String(name), basis);
    const [record, ...others] = key?.records ?? [];
    if (!key || record === undefined || others.length > 0) return [];
    const value = correctKey(key, record);
    if (value === null || readKeyRecord(value).faults.length > 0) return [];
    return toRecord({ name: key.name, type: "TXT", value, status: "change", why: "" }, evidence, () => true);
  });
}

function findKey(name: string, { facts: { dkim, dkimKeys } }: ProposalBasis): DkimKey | undefined {
  const signing = dkim?.known ? dkim.value.signatures.flatMap(({ key }) => key ?? []) : [];
  const published = dkimKeys?.known ? dkimKeys.value : [];
  return [...signing, ...published].find((key) => key.name === name);
}

/** Empty if the record lacks a URL that only its owner knows. */
function proposeBimi({ occurrences }: Proposing, basis: ProposalBasis): readonly ProposedRecord[] {
  const { name, corrected, records } = occurrences[0]?.evidence ?? {};
  if (typeof name !== "string" || typeof corrected !== "string" || !Array.isArray(records)) return [];
  const written = records.join(" ").replaceAll("http:", "https:");
  const urls = parseTagList(corrected).tags.filter(({ value }) => value.startsWith("https:"));
  if (!urls.every(({ value }) => written.includes(value)) || !parseBimiRecord(corrected).ok) return [];
  const evidence = toEvidence(name, basis);
  const isOne = (text: string) => isBimiRecord(text) || /bimi/i.test(text);
  return toRecord({ name, type: "TXT", value: corrected, status: "change", why: "" }, evidence, isOne);
}

function proposeTransport(publish: (evidence: Evidence) => Row | null): Proposer {
  return (finding, basis) => {
    const { domain } = finding.occurrences[0]?.evidence ?? {};
    if (typeof domain !== "string") return [];
    const evidence = toEvidence(domain, basis);
    return toRecord(publish(evidence), evidence, (text) => /^v=(?:STSv1|TLSRPTv1)/i.test(text));
  };
}

function proposeParked({ occurrences }: Proposing, basis: ProposalBasis): readonly ProposedRecord[] {
  const { domain } = occurrences[0]?.evidence ?? {};
  if (typeof domain !== "string") return [];
  const evidence = toEvidence(domain, basis);
  const rows = publishParked(evidence).filter(({ value }) => isSpfRecord(value) || isDmarcRecord(value));
  return rows.flatMap((row) =>
    toRecord(row, evidence, (text) => isSpfRecord(text) === isSpfRecord(row.value) && /^v=(?:spf1|DMARC1)/i.test(text)),
  );
}

function proposeAddress({ occurrences }: Proposing, _: ProposalBasis): readonly ProposedRecord[] {
  const { helo, host, name = helo ?? host, ip } = occurrences[0]?.evidence ?? {};
  if (typeof name !== "string" || typeof ip !== "string" || !isHostName(name)) return [];
  const type = toAddressBytes(ip)?.length === 16 ? "AAAA" : "A";
  return toAddressBytes(ip) === undefined ? [] : [{ name, type, value: ip, replaces: [] }];
}

/** Points to the server's HELO name, because any other name would be a guess. The name must resolve to the address. */
function proposeReverse(finding: Proposing, { facts: { helo } }: ProposalBasis): readonly ProposedRecord[] {
  const { ip, host } = finding.occurrences[0]?.evidence ?? {};
  if (typeof ip !== "string" || typeof host !== "string" || !isHostName(host)) return [];
  if (toAddressBytes(ip) === undefined || !helo?.known || helo.value.text !== host) return [];
  const reverse = { name: toReverseName(ip), type: "PTR", value: `${host}.`, replaces: [] } as const;
  return helo.value.isClient ? [reverse] : [reverse, ...proposeAddress(finding, noBasis)];
}

const noBasis: ProposalBasis = { facts: {}, dns: [], findings: [] };

function isHostName(name: string): boolean {
  return /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{1,62}$/i.test(name);
}
