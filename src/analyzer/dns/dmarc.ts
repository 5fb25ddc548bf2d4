// Parses a DMARC policy record (RFC 9989 §4.7, §4.8) into its tags, its errors and the policies that it requests.
// Unknown tags are ignored, and invalid values fall back to their defaults (§4.8). A repeated tag makes the whole list
// invalid (RFC 6376 §3.2). Tag names are case-sensitive, except v (§4.8). Values are not, except DMARC1.

import { toStorableCut } from "../mail/text/bounds.ts";
import { parseTagList, type Tag } from "./tag-list.ts";

export type DmarcPolicy = "none" | "quarantine" | "reject";

export const strength: Readonly<Record<DmarcPolicy, number>> = { none: 0, quarantine: 1, reject: 2 };

/** What a policy comes to in test mode (§4.7 "t"). */
export const milder: Readonly<Record<DmarcPolicy, DmarcPolicy>> = {
  reject: "quarantine",
  quarantine: "none",
  none: "none",
};

/** As published, or the default if a tag is missing or invalid. */
export type DmarcTags = {
  readonly p: DmarcPolicy | null;
  readonly sp: DmarcPolicy | null;
  readonly np: DmarcPolicy | null;
  readonly adkim: "r" | "s";
  readonly aspf: "r" | "s";
  readonly t: boolean;
  readonly psd: "y" | "n" | "u";
  readonly fo: readonly string[];
  /** The valid URIs, without obsolete sizes. */
  readonly rua: readonly string[];
  readonly ruf: readonly string[];
};

export type DmarcFault = {
  readonly kind:
    | "unreadable"
    | "no-policy"
    | "bad-tag"
    | "unknown-tag"
    | "obsolete-tag"
    | "bad-uri"
    | "repeated-tag"
    | "leading-space"
    | "exclusive-options";
  readonly tag: string | null;
  readonly value: string | null;
  readonly says: string;
};

/** The policies in force: p for the domain, sp for subdomains, np for subdomains that do not exist. */
export type DmarcPolicies = { readonly p: DmarcPolicy; readonly sp: DmarcPolicy; readonly np: DmarcPolicy };

export type DmarcRecord = {
  /** Null: the tag list is invalid, so the record is ignored. */
  readonly tags: DmarcTags | null;
  /** Null: the record asks for no DMARC processing (§4.10.1). */
  readonly policies: DmarcPolicies | null;
  readonly faults: readonly DmarcFault[];
};

/** A TXT answer can have 64 KB, but a policy takes a few hundred bytes. Anything above these limits is ignored. */
const maxUris = 20;
const maxFaults = 50;
const maxShownLength = 300;

/** §4.10: only a text that begins with the version is a policy record. RFC 6376 allows whitespace before it. */
export function isDmarcRecord(text: string): boolean {
  return /^[ \t]*[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/.test(text);
}

/** Why receivers do not recognize a text that was meant as a DMARC record; null for any other text. */
export function findDmarcNearMiss(text: string): DmarcFault | null {
  const begin = text.slice(0, maxShownLength);
  const isMeant = /d\W?marc/i.test(begin) || /(?:^|;)\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(begin);
  if (!isMeant || isDmarcRecord(text) || /^v=(?:spf|dkim|bimi|tlsrpt|sts)/i.test(begin)) return null;
  return { kind: "unreadable", tag: "v", value: toShown(text), says: whyUnseen(begin) };
}

function whyUnseen(begin: string): string {
  if (/^\s*v\s*=\s*DMARC1[^;]/.test(begin)) return "v=DMARC1 must be followed by a semicolon.";
  if (/^\s*v\s*=\s*dmarc1\s*(?:;|$)/i.test(begin)) return "DMARC1 must be uppercase.";
  if (/^[^!-~]*["'`\\\x80-\xff]/.test(begin))
    return "There is a quotation mark or another stray character before v=DMARC1.";
  if (/v\s*=\s*DMARC1/.test(begin)) return "v=DMARC1 must be the first tag.";
  return 'The record does not begin with "v=DMARC1;".';
}

export function parseDmarcRecord(text: string): DmarcRecord {
  const list = parseTagList(text);
  const [, ...rest] = list.tags;
  const repeated = findRepeated(list.tags);
  if (repeated !== undefined) {
    const says = `The tag ${repeated.name} appears more than once, so the whole record is invalid.`;
    return { tags: null, policies: null, faults: [toFault("repeated-tag", repeated, says)] };
  }
  const faults: DmarcFault[] = list.ok
    ? []
    : [{ kind: "bad-tag", tag: null, value: toShown(text), says: `The record is malformed: ${list.problem}.` }];
  if (/^[ \t]/.test(text))
    faults.push({
      kind: "leading-space",
      tag: "v",
      value: toShown(text),
      says: "The record begins with a space, which makes some receivers ignore it.",
    });
  const tags = readTags(rest, faults);
  const policies = choosePolicies(tags, rest, faults);
  return { tags, policies, faults: faults.slice(0, maxFaults) };
}

function findRepeated(tags: readonly Tag[]): Tag | undefined {
  const seen = new Set<string>();
  return tags.find(({ name }) => seen.size === seen.add(name).size);
}

type Report = (fault: DmarcFault) => void;

function readTags(written: readonly Tag[], faults: DmarcFault[]): DmarcTags {
  const values = new Map(written.map((tag) => [tag.name, tag]));
  const report: Report = (fault) => faults.push(fault);
  for (const tag of written) {
    if (/^(?:pct|rf|ri)$/.test(tag.name))
      report(toFault("obsolete-tag", tag, `The tag ${tag.name} has had no effect since RFC 9989.`));
    else if (!known.has(tag.name)) report(toFault("unknown-tag", tag, unknownSays(tag.name)));
  }
  const choose = <T extends string>(name: string, choices: readonly T[], fallback: T): T =>
    readChoice(values.get(name), choices, report) ?? fallback;
  const request = (name: string) => readChoice(values.get(name), requests, name === "p" ? () => {} : report);
  return {
    p: request("p"),
    sp: request("sp"),
    np: request("np"),
    adkim: choose("adkim", ["r", "s"], "r"),
    aspf: choose("aspf", ["r", "s"], "r"),
    t: choose("t", ["y", "n"], "n") === "y",
    psd: choose("psd", ["y", "n", "u"], "u"),
    fo: readFailureOptions(values.get("fo"), report),
    rua: readUris(values.get("rua"), report),
    ruf: readUris(values.get("ruf"), report),
  };
}

const requests: readonly DmarcPolicy[] = ["none", "quarantine", "reject"];
/** RFC 9989 §9.3. */
const known = new Set(["adkim", "aspf", "fo", "np", "p", "psd", "rua", "ruf", "sp", "t", "v"]);

function unknownSays(name: string): string {
  return known.has(name.toLowerCase())
    ? `The tag ${name} is ignored because tag names must be lowercase.`
    : `The tag ${name} is not defined, so receivers ignore it.`;
}

function readChoice<T extends string>(tag: Tag | undefined, choices: readonly T[], report: Report): T | null {
  if (tag === undefined) return null;
  const choice = choices.find((word) => word === tag.value.toLowerCase());
  if (choice === undefined)
    report(toFault("bad-tag", tag, `${tag.name} must be one of ${choices.join(", ")}. Receivers ignore the tag.`));
  return choice ?? null;
}

/** §4.7 "fo": each at most once, and never both 0 and 1. */
function readFailureOptions(tag: Tag | undefined, report: Report): string[] {
  if (tag === undefined) return ["0"];
  const options = tag.value.toLowerCase().split(":", 5);
  const isValid = options.every((option) => /^[01ds]$/.test(option)) && new Set(options).size === options.length;
  if (isValid && !(options.includes("0") && options.includes("1"))) return options;
  if (isValid) {
    const says = "RFC 7489 allows 0 and 1 together in fo, but receivers that follow RFC 9989 use 0.";
    report(toFault("exclusive-options", tag, says));
    return ["0"];
  }
  report(
    toFault("bad-tag", tag, "fo accepts 0 or 1, d, and s, each only once and separated by colons. Receivers use 0."),
  );
  return ["0"];
}

function readUris(tag: Tag | undefined, report: Report): string[] {
  if (tag === undefined) return [];
  const uris: string[] = [];
  for (const written of tag.value.split(",", maxUris)) {
    const { uri, hasSize, problem } = parseReportUri(written.trim());
    const place = { name: tag.name, value: written.trim() };
    if (uri !== null) uris.push(uri);
    if (hasSize)
      report(toFault("obsolete-tag", place, "A size after a report address has had no effect since RFC 9989."));
    if (problem !== null) report(toFault("bad-uri", place, problem));
  }
  return uris;
}

/** §4.10.1: with an invalid policy, a record that requests reports counts as p=none. Any other is ignored. */
function choosePolicies(tags: DmarcTags, written: readonly Tag[], faults: DmarcFault[]): DmarcPolicies | null {
  const isFaulty = (name: "sp" | "np") => tags[name] === null && written.some((tag) => tag.name === name);
  if (tags.p !== null && !isFaulty("sp") && !isFaulty("np")) {
    const sp = tags.sp ?? tags.p;
    return { p: tags.p, sp, np: tags.np ?? sp };
  }
  const asksForReports = tags.rua.length > 0;
  if (tags.p === null) {
    const value = written.find(({ name }) => name === "p")?.value ?? null;
    faults.unshift({
      kind: "no-policy",
      tag: "p",
      value: value === null ? null : toShown(value),
      says: `${whatIsWrong(value)}, so receivers ${asksForReports ? "treat it as p=none" : "ignore the record"}.`,
    });
  }
  return asksForReports ? { p: "none", sp: "none", np: "none" } : null;
}

function whatIsWrong(value: string | null): string {
  if (value === null) return "The record has no policy (p)";
  if (/^(?:none|quarantine|reject)\b.*=/is.test(value)) return "The policy (p) has no semicolon after it";
  return "The policy (p) is not none, quarantine, or reject";
}

function toFault(kind: DmarcFault["kind"], { name, value }: Tag, says: string): DmarcFault {
  return { kind, tag: toShown(name), value: toShown(value), says: toStorableCut(says, maxShownLength) };
}

/** DNS returns bytes. Text that people wrote is UTF-8. */
function toShown(bytes: string): string {
  return toStorableCut(Buffer.from(bytes.slice(0, 4 * maxShownLength), "latin1").toString("utf8"), maxShownLength);
}

// Where DMARC reports go: `rua=mailto:dmarc@example.com` (RFC 9989 §4.6, §4.8).

type ReportUri = {
  /** Without the obsolete size; null if not a URI. */
  readonly uri: string | null;
  readonly hasSize: boolean;
  /** Why no reports will arrive there. */
  readonly problem: string | null;
};

/** RFC 3986 §3, except for the comma and the exclamation mark, which must be written as %2C and %21. */
const uriShape = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#[\]@$&'()*+;=]|%[0-9a-f]{2})*$/i;
const obsoleteSize = /![0-9]{1,20}[kmgt]?$/i;
const maxUriLength = 1_000;

export function parseReportUri(written: string): ReportUri {
  const uri = written.replace(obsoleteSize, "");
  const hasSize = uri !== written;
  if (uri.length > maxUriLength || !uriShape.test(uri)) return { uri: null, hasSize, problem: whyNoUri(uri) };
  if (!/^mailto:/i.test(uri))
    return { uri, hasSize, problem: "Reports are sent by email only, so the address must begin with mailto:" };
  const problem = toReportHost(uri) === null ? "mailto: must be followed by one email address." : null;
  return { uri, hasSize, problem };
}

/** The receiving host in lower case: after the @ in mailto:, or of a web URL. Null if there is none. */
export function toReportHost(uri: string): string | null {
  if (!/^mailto:/i.test(uri)) return URL.parse(uri)?.hostname || null;
  const [address = ""] = uri.slice("mailto:".length).split("?", 1);
  const host =
    decodeEscapes(address)
      .match(/^[^@]+@([^@]+)$/)?.[1]
      ?.toLowerCase() ?? "";
  return /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9])?$/.test(host) && !host.includes("..") ? host : null;
}

function decodeEscapes(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function whyNoUri(uri: string): string {
  if (uri === "") return "The address is missing.";
  if (/^[^\s:@]+@[^\s@]+$/.test(uri)) return "The address must begin with mailto:";
  return "The address must have the form mailto:name@example.com.";
}
