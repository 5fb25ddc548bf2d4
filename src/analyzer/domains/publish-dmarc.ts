// Proposes a domain's DMARC record: the existing one, corrected and never weakened, or a first one that only requests
// reports (RFC 9989 §4.7).

import { strictest } from "../checks/authentication/dmarc-record.ts";
import { mendReportUri } from "../checks/authentication/dmarc-reports.ts";
import { badChildren, toMeantValue, withoutDefault } from "../checks/authentication/dmarc-syntax.ts";
import { mendDmarc, reportAddressOf, rewriteDmarc } from "../checks/authentication/dmarc-text.ts";
import { findMx } from "../checks/infrastructure/mail-domain.ts";
import { type DmarcRecord, findDmarcNearMiss, isDmarcRecord, parseDmarcRecord } from "../dns/dmarc.ts";
import { isNearMiss, isSpfRecord } from "../dns/spf.ts";
import { parseTagList } from "../dns/tag-list.ts";
import { type Evidence, findAnswer, type Row, textsAt, toTextRow } from "./publishable.ts";

const why = "Tells receivers what to do with spoofed mail and where to send reports.";
const start = "Change it to p=quarantine once reports show that all your senders pass.";

/** Null if DNS did not answer, or if a parent's record covers the domain. */
export function publishDmarc(evidence: Evidence, seedDomain: string | null): Row | null {
  const { domain, facts } = evidence;
  if (!facts.dmarc.known) return null;
  const { foundAt, apexRecord, spfInPlace } = facts.dmarc.value;
  const name = `_dmarc.${domain}`;
  const present = [...findPresent(evidence, name), ...(spfInPlace === null ? [] : [spfInPlace])];
  if (present.length === 0 && foundAt !== null && foundAt !== domain) return null;
  const written = present.length > 1 ? strictest(present) : (present[0] ?? apexRecord);
  const isNew = written === null || written === spfInPlace;
  const value = correct(isNew ? "v=DMARC1; p=none" : written, domain, takesMail(evidence));
  const reports = value.includes("rua=") ? toReportWords(value, domain, seedDomain) : [];
  return toTextRow(evidence, { name, value, present, why: [why, ...(isNew ? [start] : []), ...reports].join(" ") });
}

function findPresent(evidence: Evidence, name: string): string[] {
  return textsAt(evidence, name).filter((text) => isDmarcRecord(text) || findDmarcNearMiss(text) !== null);
}

function takesMail({ domain, facts: { mx } }: Evidence): boolean {
  const found = mx.known ? findMx(mx.value, domain) : mx;
  if (!found.known) return true;
  const { nullMx, hosts, addresses } = found.value;
  return !nullMx && (hosts.length > 0 || addresses === null || !addresses.known || addresses.value.length > 0);
}

/** An address at the domain itself is only an example. */
function toReportWords(value: string, domain: string, seedDomain: string | null): string[] {
  if (!value.includes(reportAddressOf(domain))) return [];
  const create = `Create the mailbox ${reportAddressOf(domain)}.`;
  if (seedDomain === null) return [create];
  const consent = `${domain}._report._dmarc.${seedDomain}`;
  return [create, `Or use an address at ${seedDomain} and publish the TXT record "v=DMARC1;" at ${consent}.`];
}

function correct(written: string, domain: string, takesReports: boolean): string {
  if (isDmarcRecord(written) && isFlawless(parseDmarcRecord(written), takesReports)) return written;
  const begun = mendDmarc(written, domain);
  const { faults } = parseDmarcRecord(begun);
  const meant = faults.flatMap(({ kind, tag, value }) => {
    if (kind === "exclusive-options") return [["fo", withoutDefault(value ?? "")] as const];
    return kind === "bad-tag" && tag !== null && tag !== "sp" && tag !== "np"
      ? [[tag, toMeantValue(tag, value ?? "")] as const]
      : [];
  });
  const corrected = rewriteDmarc(begun, {
    set: { ...Object.fromEntries(meant), ...correctLists(begun, domain, takesReports) },
    remove: ["pct", "rf", "ri", ...badChildren(begun), ...(saysRegistry(begun) ? ["psd"] : [])],
  });
  return takesReports || parseDmarcRecord(written).tags?.rua.length ? corrected : withoutOwnReports(corrected, domain);
}

function isFlawless({ tags, policies, faults }: DmarcRecord, takesReports: boolean): boolean {
  if (tags === null || policies === null || tags.psd === "y") return false;
  return (tags.rua.length > 0 || !takesReports) && faults.every(({ kind }) => kind === "unknown-tag");
}

function saysRegistry(record: string): boolean {
  return parseDmarcRecord(record).tags?.psd === "y";
}

/** Corrects each report address, and adds one if there is none. */
function correctLists(record: string, domain: string, takesReports: boolean): Record<string, string> {
  const lists: Record<string, string> = takesReports ? { rua: `mailto:${reportAddressOf(domain)}` } : {};
  for (const { name, value } of parseTagList(record).tags) {
    if (name !== "rua" && name !== "ruf") continue;
    const uris = value.split(",").map((uri) => uri.trim().replace(/![0-9]{1,20}[kmgt]?$/i, ""));
    const corrected = uris.filter((uri) => uri !== "").map((uri) => mendReportUri(uri, domain));
    if (corrected.length > 0) lists[name] = [...new Set(corrected)].join(",");
  }
  return lists;
}

function withoutOwnReports(record: string, domain: string): string {
  const rua = parseTagList(record).tags.find(({ name }) => name === "rua")?.value;
  return rua === `mailto:${reportAddressOf(domain)}` ? rewriteDmarc(record, { remove: ["rua"] }) : record;
}

// Records for a domain that sends no mail: no senders, reject spoofed mail, no DKIM keys, no incoming mail (RFC 7505;
// RFC 7208 §10.1.2; M3AAWG, Protecting Parked Domains).

export function publishParked(evidence: Evidence): Row[] {
  const { domain, facts } = evidence;
  const rows = [
    publishNullMx(evidence),
    facts.spfRecord.known ? publishNoSenders(evidence) : null,
    facts.dmarc.known ? publishRejection(evidence) : null,
    toTextRow(evidence, {
      name: `*._domainkey.${domain}`,
      value: "v=DKIM1; p=",
      present: findRevocation(evidence),
      why: "Revokes all of the domain's DKIM keys.",
    }),
  ];
  return rows.filter((row) => row !== null);
}

function publishNullMx(evidence: Evidence): Row | null {
  const { domain } = evidence;
  const answer = findAnswer(evidence, domain, "MX");
  if (answer === undefined) return null;
  const status = answer.records.length === 0 ? "missing" : "present";
  return { name: domain, type: "MX", value: "0 .", status, why: "The domain accepts no mail." };
}

function publishNoSenders(evidence: Evidence): Row {
  const { domain } = evidence;
  const present = textsAt(evidence, domain).filter((text) => isSpfRecord(text) || isNearMiss(text));
  return toTextRow(evidence, {
    name: domain,
    value: "v=spf1 -all",
    present,
    why: "No server may send for the domain.",
  });
}

function publishRejection(evidence: Evidence): Row {
  const name = `_dmarc.${evidence.domain}`;
  const present = textsAt(evidence, name).filter(isDmarcRecord);
  const [only] = present.length === 1 ? present : [];
  const corrected = only === undefined ? "v=DMARC1" : correct(only, evidence.domain, false);
  const isStrict = only === corrected && isRejecting(corrected);
  const value = isStrict ? corrected : rewriteDmarc(corrected, { set: { p: "reject" }, remove: ["sp", "np", "t"] });
  return toTextRow(evidence, {
    name,
    value,
    present,
    why: "The domain sends no mail, so receivers should reject mail that claims to be from it.",
  });
}

function isRejecting(record: string): boolean {
  const { tags, policies } = parseDmarcRecord(record);
  return tags?.t === false && policies !== null && Object.values(policies).every((policy) => policy === "reject");
}

/** An answer for a random name shows a wildcard. */
function findRevocation({ domain, facts: { zone } }: Evidence): string[] {
  const rows = zone.known ? zone.value.wildcards : [];
  return rows.flatMap(({ of, fact }) =>
    of.endsWith(`._domainkey.${domain}`) && fact.known && fact.value !== null ? [fact.value] : [],
  );
}
