// The evidence of a report as rows: the verdicts, the sending host, the path, then blocklists and scanners if they are
// turned on. Each row has a name, a result and its reason.

import type { Arc, Dkim, DmarcResult, SpfResult } from "../../../analyzer/checks/authentication-facts.ts";
import type { Fact, Why } from "../../../analyzer/checks/fact.ts";
import type {
  HeloFact,
  Listing,
  Ptr,
  Row,
  ScannerResult,
  Surroundings,
} from "../../../analyzer/checks/infrastructure-facts.ts";
import { whyWords as checkWhyWords } from "../../../analyzer/checks/inner-title.ts";
import { toAssumedWords } from "../../../analyzer/mail/session/outgoing.ts";
import type { RecordedWords } from "../../../analyzer/reports/receiver-verdicts.ts";
import type { Authentication, Report } from "../../../analyzer/reports/report.ts";
import type { TimelineHop } from "../../../analyzer/reports/timeline.ts";
import type { Style } from "./style.ts";

type Rows = string[][];

export function toReportRows(
  { authentication, surroundings, timeline, shortened }: Report,
  { isStored = false }: Pick<Style, "isStored"> = {},
): Rows {
  const words = isStored ? checkWhyWords : whyWords;
  return [
    ...toVerdicts(authentication, words),
    ...toHost(surroundings),
    ...toPath(timeline.hops),
    ...toLists(surroundings),
    ...surroundings.scanners.map(toScanner),
    ...toMalwareRows(surroundings.malware),
    ...shortened.map((sentence) => ["Not read", "", sentence]),
  ];
}

function toVerdicts(
  { spf, dkim, dmarc, dmarcResult, arc, recorded, assumed }: Authentication,
  words: typeof whyWords,
): Rows {
  return [
    toRow("SPF", spf, (verdict) => [verdict.result, toSpfReason(verdict)], words),
    ...(dkim.known ? toDkimRows(dkim.value) : [["DKIM", "unknown", words[dkim.why]]]),
    toRow(
      "DMARC",
      dmarcResult,
      (verdict) => [
        verdict.result,
        [
          (verdict.says ?? (dmarc.known ? dmarc.value.record : null) ?? "no record").replace(/\.$/, ""),
          ...toAlignment(verdict),
          ...ifAssumed(verdict),
        ].join("; "),
      ],
      words,
    ),
    ...(arc.known && arc.value.present
      ? [["ARC", arc.value.result, arc.value.failure?.says ?? toSealers(arc.value)]]
      : []),
    ...(recorded ? [toRecordedRow(recorded)] : []),
    ...(assumed ? [["Assumed", "", toAssumedWords(assumed).replace(/^Assumed: /, "")]] : []),
  ];
}

/** Providers look at alignment even without a DMARC record. */
function toAlignment({ result, fromDomain, alignedBy, spfAligned }: DmarcResult): string[] {
  if (result !== "none" || fromDomain === null) return [];
  const names = alignedBy.map((proof) => proof.toUpperCase());
  if (names.length > 0) return [`${names.join(" and ")} ${names.length > 1 ? "pass" : "passes"} for ${fromDomain}`];
  return spfAligned.known ? [`neither SPF nor DKIM passes for ${fromDomain}`] : [];
}

function toRecordedRow({ by, spf, dkim, dmarc, differences }: RecordedWords): string[] {
  const words = [spf && `SPF ${spf}`, dkim && `DKIM ${dkim}`, dmarc && `DMARC ${dmarc}`].filter(Boolean);
  const differing = differences.map(
    ({ mechanism, ours, theirs }) => `it recorded ${mechanism.toUpperCase()} ${theirs}, Assay found ${ours}`,
  );
  return ["Recorded", `by ${by}`, [words.join(", "), ...differing].filter(Boolean).join("; ") || "no verdict"];
}

function ifAssumed({ assumed }: { readonly assumed?: true }): string[] {
  return assumed ? ["assumed"] : [];
}

function toRow<T>(name: string, fact: Fact<T>, tell: (value: T) => [string, string], words = whyWords): string[] {
  return fact.known ? [name, ...tell(fact.value)] : [name, "unknown", words[fact.why]];
}

/** At a terminal, options can describe the session. */
const whyWords: Readonly<Record<Why, string>> = { ...checkWhyWords, "no-session": "use --ip, --helo, and --mail-from" };

function toSpfReason({ problem, matchedTerm, matchedIn, explanation, domain, recordedBy, assumed }: SpfResult): string {
  const decided = matchedTerm === null ? domain : `${matchedTerm} in the record for ${matchedIn}`;
  const recorded = recordedBy === undefined ? null : `recorded by ${recordedBy}`;
  return [problem ?? decided, explanation, recorded, assumed ? "assumed" : null]
    .filter((text) => text !== null)
    .join("; ");
}

function toDkimRows({ signatures }: Dkim): Rows {
  if (signatures.length === 0) return [["DKIM", "none", "no signature"]];
  return signatures.map(({ result, domain, selector, aligned, says, recordedBy, assumed }) => {
    // A signature may lack either one, and then it has no key's name.
    const name = selector && domain ? `${selector}._domainkey.${domain}` : (domain ?? "signature without a domain");
    return [
      "DKIM",
      result,
      `${name}${aligned.relaxed ? ", aligned" : ""}${says ? `: ${says}` : ""}${recordedBy ? `; recorded by ${recordedBy}` : ""}${assumed ? "; assumed" : ""}`,
    ];
  });
}

function toSealers({ sealers }: Arc): string {
  return `sealed by ${sealers.map(({ domain }) => domain ?? "?").join(", then ")}`;
}

/** Empty if the sending host is not known. */
function toHost({ ptr, helo }: Surroundings): Rows {
  const isSaid = (fact: Fact<unknown>) => fact.known || fact.why !== "no-session";
  return [
    ...(isSaid(ptr) ? [toRow("Reverse DNS", ptr, readPtr)] : []),
    ...(isSaid(helo) ? [toRow("HELO", helo, readHelo)] : []),
  ];
}

function readPtr({ names, confirmed, generic }: Ptr): [string, string] {
  const [name] = confirmed.length > 0 ? confirmed : names;
  if (name === undefined) return ["none", "no PTR record"];
  const looks = generic === null ? "" : "; it looks like a generic name from the hosting provider";
  return confirmed.length > 0
    ? ["confirmed", `${name} resolves back to the address${looks}`]
    : ["unconfirmed", `${name} does not resolve back to the address${looks}`];
}

const heloForms: Readonly<Record<HeloFact["form"], string>> = {
  fqdn: "does not resolve to the address",
  "single-label": "is not a full host name",
  local: "is an internal name",
  literal: "is an IP address",
  "bare-ip": "is an IP address without brackets",
  empty: "(empty)",
  invalid: "is not a valid name",
};

function readHelo({ text, form, ours, isClient, addresses }: HeloFact): [string, string] {
  if (isClient) return ["confirmed", `${text} resolves to the address`];
  if (ours) return ["ours", `${text} is this server's own name`];
  if (form === "fqdn" && !addresses.known) return ["unknown", `${text}: ${whyWords[addresses.why]}`];
  return [form === "fqdn" ? "unconfirmed" : form, `${text} ${heloForms[form]}`];
}

/** One line per hop. Only our own hop is certain; the others are claims. */
function toPath(hops: readonly TimelineHop[]): Rows {
  return hops.map((hop, index) => [index === 0 ? "Path" : "", toHop(hop)]);
}

function toHop({ from, ip, by, with: protocol, tls, at, delayMs, warnings }: TimelineHop): string {
  const source = [from, ip === null || ip === from ? null : `[${ip}]`].filter((part) => part !== null);
  const encrypted = tls?.used === true ? (tls.version ?? "encrypted") : tls && "not encrypted";
  const parts = [
    `${source.join(" ") || "?"} → ${by ?? "?"}`,
    protocol,
    encrypted,
    at === null || Math.abs(at) > latestTime ? null : new Date(at).toISOString().slice(0, 19).replace("T", " "),
    delayMs === null || delayMs < 1_000 ? null : `after ${toDuration(delayMs)}`,
    ...warnings.map((warning) => warning.replace(/\.$/, "")),
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** ECMA-262 §21.4.1.1. */
const latestTime = 8_640_000_000_000_000;

function toDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

type AnyListing = Pick<Listing, "listed" | "code" | "meaning" | "text">;

function toLists({ listings, allows, domains }: Surroundings): Rows {
  const block: Row<AnyListing>[] = [...(listings.known ? listings.value : []), ...(domains.known ? domains.value : [])];
  const allow = allows.known ? allows.value : [];
  const isAsked = listings.known || allows.known || domains.known;
  const silent = [...block, ...allow].filter(({ fact }) => fact.known && !fact.value.listed).length;
  return [
    ...block.flatMap(({ of, fact }) => (fact.known && !fact.value.listed ? [] : [toListRow(of, fact)])),
    ...allow.flatMap(({ of, fact }) => {
      if (!fact.known) return [toListRow(of, fact)];
      return fact.value.listed ? [["List", "allowed", `${of}: trust ${fact.value.level ?? "unknown"}`]] : [];
    }),
    ...(isAsked && silent > 0
      ? [["Lists", "clean", `not listed on ${silent} ${silent === 1 ? "list" : "lists"}`]]
      : []),
  ];
}

function toListRow(of: string, fact: Fact<AnyListing>): string[] {
  if (!fact.known) return ["List", "unknown", `${of}: ${whyWords[fact.why]}`];
  const { code, meaning, text } = fact.value;
  return ["List", "listed", `${of}: ${[meaning, code, text].filter((part) => part !== null).join("; ")}`];
}

const shownSymbols = 6;

function toScanner({ of, fact }: Row<ScannerResult>): string[] {
  if (!fact.known) return [of, "unknown", whyWords[fact.why]];
  const { score, threshold, action, symbols } = fact.value;
  const telling = [...symbols]
    .sort((one, other) => Math.abs(other.points) - Math.abs(one.points))
    .slice(0, shownSymbols)
    .map(({ name, points }) => `${name} ${points}`);
  const reason = [action, telling.join(", ")].filter((part) => part !== null && part !== "").join(": ");
  return [of, `${score}/${threshold}`, reason];
}

/** Files in which nothing was found share a row. */
function toMalwareRows(malware: Surroundings["malware"]): Rows {
  if (!malware.known) return malware.why === "off" ? [] : [["Malware", "unknown", whyWords[malware.why]]];
  const { scanner, database, files } = malware.value;
  const by = [scanner ?? "ClamAV", database === null ? null : `signatures ${database}`]
    .filter((part) => part !== null)
    .join(", ");
  const nameOf = (of: string) => (of === "message" ? "the message" : `part ${of}`);
  const clean = files.filter(({ fact }) => fact.known && fact.value.signature === null);
  return [
    ...files.flatMap(({ of, fact }) => {
      if (!fact.known) return [["Malware", "unknown", `${nameOf(of)}: ${whyWords[fact.why]}`]];
      return fact.value.signature === null
        ? []
        : [["Malware", "found", `${nameOf(of)}: ${fact.value.signature} (${by})`]];
    }),
    ...(clean.length > 0
      ? [["Malware", "nothing found", `${clean.map(({ of }) => nameOf(of)).join(", ")} (${by})`]]
      : []),
  ];
}
