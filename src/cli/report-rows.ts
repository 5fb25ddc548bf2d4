// A report for a person: a row a verdict, then who sent the message and which way it came, then what lists and scanners
// say where the operator named some. The name of the row, the word, and what it rests on.

import type { Arc, Dkim, DmarcResult, SpfResult } from "../checks/authentication-facts.ts";
import type { Fact, Why } from "../checks/fact.ts";
import type {
  HeloFact,
  Listing,
  Ptr,
  Row,
  ScannerResult,
  Surroundings,
} from "../checks/infrastructure-facts.ts";
import { whyWords as checkWhyWords } from "../checks/inner-title.ts";
import type { RecordedWords } from "../reports/receiver-verdicts.ts";
import type { Authentication, Report } from "../reports/report.ts";
import type { TimelineHop } from "../reports/timeline.ts";

type Rows = string[][];

export function toReportRows({ authentication, surroundings, timeline, shortened }: Report): Rows {
  return [
    ...toVerdicts(authentication),
    ...toHost(surroundings),
    ...toPath(timeline.hops),
    ...toLists(surroundings),
    ...surroundings.scanners.map(toScanner),
    ...shortened.map((sentence) => ["Not read", "", sentence]),
  ];
}

function toVerdicts({ spf, dkim, dmarc, dmarcResult, arc, recorded }: Authentication): Rows {
  return [
    toRow("SPF", spf, (verdict) => [verdict.result, toSpfReason(verdict)]),
    ...(dkim.known ? toDkimRows(dkim.value) : [["DKIM", "unknown", dkim.why]]),
    toRow("DMARC", dmarcResult, (verdict) => [
      verdict.result,
      [
        verdict.says ?? (dmarc.known ? dmarc.value.record : null) ?? "no record",
        ...toAlignment(verdict),
      ].join(" "),
    ]),
    ...(arc.known && arc.value.present
      ? [["ARC", arc.value.result, arc.value.failure?.says ?? toSealers(arc.value)]]
      : []),
    ...(recorded ? [toRecordedRow(recorded)] : []),
  ];
}

/** Without a record, alignment is still what providers ask for. */
function toAlignment({ result, fromDomain, alignedBy, spfAligned }: DmarcResult): string[] {
  if (result !== "none" || fromDomain === null) return [];
  const names = alignedBy.map((proof) => proof.toUpperCase());
  if (names.length > 0)
    return [`But ${names.join(" and ")} ${names.length > 1 ? "pass" : "passes"} for ${fromDomain}.`];
  return spfAligned.known ? [`Neither SPF nor DKIM passes for ${fromDomain}.`] : [];
}

function toRecordedRow({ by, spf, dkim, dmarc, differences }: RecordedWords): string[] {
  const words = [spf && `SPF ${spf}`, dkim && `DKIM ${dkim}`, dmarc && `DMARC ${dmarc}`].filter(Boolean);
  const differing = differences.map(
    ({ mechanism, ours, theirs }) => `it says ${mechanism.toUpperCase()} ${theirs}, our check ${ours}`,
  );
  return [
    "Recorded",
    `by ${by}`,
    [words.join(", "), ...differing].filter(Boolean).join("; ") || "no verdict",
  ];
}

function toRow<T>(name: string, fact: Fact<T>, tell: (value: T) => [string, string]): string[] {
  return fact.known ? [name, ...tell(fact.value)] : [name, "unknown", whyWords[fact.why]];
}

/** At a terminal a session can be said, and a source named. */
const whyWords: Readonly<Record<Why, string>> = {
  ...checkWhyWords,
  "no-session": "give --ip, --helo and --mail-from",
  off: "not asked",
};

function toSpfReason({
  problem,
  matchedTerm,
  matchedIn,
  explanation,
  domain,
  recordedBy,
}: SpfResult): string {
  const decided = matchedTerm === null ? domain : `${matchedTerm} in the record of ${matchedIn}`;
  const recorded = recordedBy === undefined ? null : `recorded by ${recordedBy}`;
  return [problem ?? decided, explanation, recorded].filter((text) => text !== null).join("; ");
}

function toDkimRows({ signatures }: Dkim): Rows {
  if (signatures.length === 0) return [["DKIM", "none", "no signature"]];
  return signatures.map(({ result, domain, selector, aligned, says, recordedBy }) => {
    const name = `${selector ?? "?"}._domainkey.${domain ?? "?"}`;
    return [
      "DKIM",
      result,
      `${name}${aligned.relaxed ? ", aligned" : ""}${says ? `: ${says}` : ""}${recordedBy ? `; recorded by ${recordedBy}` : ""}`,
    ];
  });
}

function toSealers({ sealers }: Arc): string {
  return `sealed by ${sealers.map(({ domain }) => domain ?? "?").join(", then ")}`;
}

/** Nothing where nobody said who sent it. */
function toHost({ ptr, helo }: Surroundings): Rows {
  const isSaid = (fact: Fact<unknown>) => fact.known || fact.why !== "no-session";
  return [
    ...(isSaid(ptr) ? [toRow("Reverse name", ptr, readPtr)] : []),
    ...(isSaid(helo) ? [toRow("HELO", helo, readHelo)] : []),
  ];
}

function readPtr({ names, confirmed, generic }: Ptr): [string, string] {
  const [name] = confirmed.length > 0 ? confirmed : names;
  if (name === undefined) return ["none", "the address has no name"];
  const looks = generic === null ? "" : "; it looks like a name that a provider gives to any address";
  return confirmed.length > 0
    ? ["confirmed", `${name} leads back to the address${looks}`]
    : ["unconfirmed", `${name} does not lead back to the address${looks}`];
}

const heloForms: Readonly<Record<HeloFact["form"], string>> = {
  fqdn: "does not lead to the address",
  "single-label": "is no full name",
  local: "is a name inside a network",
  literal: "is an address",
  "bare-ip": "is an address without its brackets",
  empty: "(empty)",
  invalid: "is no name",
};

function readHelo({ text, form, ours, isClient, addresses }: HeloFact): [string, string] {
  if (isClient) return ["confirmed", `${text} leads to the address`];
  if (ours) return ["ours", `${text} is the name of this server`];
  if (form === "fqdn" && !addresses.known) return ["unknown", `${text}: ${whyWords[addresses.why]}`];
  return [form === "fqdn" ? "unconfirmed" : form, `${text} ${heloForms[form]}`];
}

/** A line a hop; all but our own are claims. */
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
    at === null || Math.abs(at) > latestTime
      ? null
      : new Date(at).toISOString().slice(0, 19).replace("T", " "),
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
  const block: Row<AnyListing>[] = [
    ...(listings.known ? listings.value : []),
    ...(domains.known ? domains.value : []),
  ];
  const allow = allows.known ? allows.value : [];
  const isAsked = listings.known || allows.known || domains.known;
  const silent = [...block, ...allow].filter(({ fact }) => fact.known && !fact.value.listed).length;
  return [
    ...block.flatMap(({ of, fact }) => (fact.known && !fact.value.listed ? [] : [toListRow(of, fact)])),
    ...allow.flatMap(({ of, fact }) => {
      if (!fact.known) return [toListRow(of, fact)];
      return fact.value.listed ? [["List", "allowed", `${of}: trust ${fact.value.level ?? "unknown"}`]] : [];
    }),
    ...(isAsked && silent > 0 ? [["Lists", "clean", `${silent} asked that list nothing`]] : []),
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
