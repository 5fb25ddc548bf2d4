// Reads what a DMARC aggregate report's XML counts (RFC 9990, RFC 7489 appendix C, and the earlier drafts).

import { readXml, type XmlVisitor } from "../text/xml-leaves.ts";
import {
  type Disposition,
  type MailReport,
  noRows,
  type OverrideReason,
  type PublishedPolicy,
  type ReportedSignature,
  type ReportedSource,
  type ReportedSpf,
} from "./mail-class.ts";
import {
  addCounts,
  createLargestRows,
  readCount,
  toReportedAddress,
  toReportedDomain,
  toReportedWord,
} from "./report-values.ts";

/**
 * This many rows are written and removed at once, within 10 ms. The smaller sources of a large report are summed up.
 */
const mostSources = 500;
const longestName = 500;
const longestWord = 64;

const headKeys: ReadonlySet<string> = new Set([
  "report_metadata/org_name",
  "report_metadata/report_id",
  "date_range/begin",
  "date_range/end",
  ...["domain", "p", "sp", "np", "adkim", "aspf", "pct", "testing", "t", "discovery_method"].map(
    (name) => `policy_published/${name}`,
  ),
]);

type Source = Omit<ReportedSource, "messages">;

export function readDmarcReport(xml: string): MailReport | null {
  if (!/<(?:\w{1,20}:)?feedback\b/.test(xml.slice(0, 4_096))) return null;
  const head: Texts = new Map();
  const found = { metadata: false, policy: false, badCount: false, end: false };
  const sources = createLargestRows<Source>(mostSources, toRest);
  const sums = { total: 0, failed: 0 };
  let record: ReturnType<typeof readDmarcRecord> | null = null;
  const visitor: XmlVisitor = {
    begin: (key) => {
      if (key === "feedback/report_metadata") found.metadata = true;
      if (key === "feedback/policy_published") found.policy = true;
      if (key === "feedback/record") record = readDmarcRecord();
      record?.begin(key);
    },
    leaf: (key, text) => {
      record?.leaf(key, text);
      if (headKeys.has(key) && text !== "" && !head.has(key)) head.set(key, text);
    },
    end: (key) => {
      record?.end(key);
      if (key === "/feedback") found.end = true;
      if (key !== "feedback/record" || record === null) return;
      const { messages: counted, ...source } = record.finish();
      const messages = counted ?? 0;
      if (counted === null) found.badCount = true;
      record = null;
      sources.add(source, messages);
      sums.total = addCounts(sums.total, messages);
      if (!source.dkimAligned && !source.spfAligned) sums.failed = addCounts(sums.failed, messages);
    },
  };
  readXml(xml, visitor);
  const rows = sources.list();
  if (!found.metadata || (!found.policy && rows.length === 0)) return null;
  const problem = toProblem(found);
  const told = toHead(head);
  if (problem !== null) {
    const from = rows[0]?.row.headerFrom ?? null;
    const domain = told.domain ?? (from === null ? null : toReportedDomain(from));
    return { ...told, domain, total: null, failed: null, problem, ...noRows };
  }
  const listed = rows.map(({ row, count }) => ({ ...toPlain(row), messages: count }));
  return { ...told, ...sums, problem, sources: listed, tlsPolicies: [] };
}

/** Its figures would be wrong, so they don't count. */
function toProblem({ policy, badCount, end }: Readonly<Record<"policy" | "badCount" | "end", boolean>>): string | null {
  if (!end) return "It is cut off: its end is missing.";
  if (!policy) return "It doesn’t say which policy was published (policy_published).";
  return badCount ? "A record’s number of messages is missing or invalid." : null;
}

/** Keeps what sums over all small sources need. */
function toRest({ disposition, dkimAligned, spfAligned }: Source): Source {
  const nothing = { sourceIp: null, headerFrom: null, dkim: [], spf: [], reasons: [] };
  return { ...nothing, disposition, dkimAligned, spfAligned };
}

/** Applied only to the rows that are listed, because it costs more than reading them. */
function toPlain(source: Source): Source {
  const { sourceIp, headerFrom, dkim, spf } = source;
  return {
    ...source,
    sourceIp: sourceIp === null ? null : toReportedAddress(sourceIp),
    headerFrom: headerFrom === null ? null : toReportedDomain(headerFrom),
    dkim: dkim.map((signature) => ({ ...signature, domain: toReportedDomain(signature.domain) })),
    spf: spf.map((result) => ({ ...result, domain: toReportedDomain(result.domain) })),
  };
}

function toHead(head: Texts) {
  const name = (key: string) => textOf(head, key)?.slice(0, longestName) ?? null;
  const domain = textOf(head, "policy_published/domain");
  return {
    type: "dmarc" as const,
    organization: name("report_metadata/org_name"),
    reportId: name("report_metadata/report_id"),
    domain: domain === null ? null : toReportedDomain(domain),
    beginsAt: toTime(textOf(head, "date_range/begin")),
    endsAt: toTime(textOf(head, "date_range/end")),
    policy: toPolicy(head),
  };
}

function toPolicy(head: Texts): PublishedPolicy {
  const word = (name: string) => {
    const text = textOf(head, `policy_published/${name}`);
    return text === null ? null : toReportedWord(text, longestWord);
  };
  return {
    p: word("p"),
    sp: word("sp"),
    np: word("np"),
    adkim: word("adkim"),
    aspf: word("aspf"),
    pct: word("pct"),
    testing: word("testing") ?? word("t"),
    discoveryMethod: word("discovery_method"),
  };
}

/** Seconds since 1970, as the standard says, or milliseconds or a date, which some reporters write. */
function toTime(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d{13}$/.test(text)) return Number(text);
  const time = /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
  return Number.isFinite(time) ? Math.trunc(time) : null;
}

// A record of a DMARC aggregate report (RFC 9990 §3.1.1.6), assembled as its elements arrive.

type Texts = Map<string, string>;

/** Texts of the record itself. Not every receiver writes `row`. */
const ownKeys = new Map([
  ...["row", "record"].flatMap((parent) => [
    [`${parent}/source_ip`, "sourceIp"] as const,
    [`${parent}/count`, "count"] as const,
  ]),
  ["policy_evaluated/disposition", "disposition"],
  ["policy_evaluated/dkim", "dkimAligned"],
  ["policy_evaluated/spf", "spfAligned"],
  ["identifiers/header_from", "headerFrom"],
  // The name in the drafts.
  ["identities/header_from", "headerFrom"],
]);
/** Elements that may occur several times. */
const partKeys: ReadonlySet<string> = new Set([
  "auth_results/dkim",
  "auth_results/spf",
  "policy_evaluated/reason",
  "row/reason",
]);
/** The names that are read in an element. A stranger may add any number of others. */
const leafKeys: ReadonlySet<string> = new Set([
  "dkim/domain",
  "dkim/selector",
  "dkim/result",
  "spf/domain",
  "spf/scope",
  "spf/result",
  "reason/type",
  "reason/comment",
]);
/** Limit for one kind in one record. */
const mostParts = 10;

const longestAddress = 64;
const longestDomain = 253;
const longestComment = 200;

type ReadRecord = Source & { readonly messages: number | null };

function readDmarcRecord(): XmlVisitor & { readonly finish: () => ReadRecord } {
  const texts: Texts = new Map();
  /** The part that is being read. */
  let part: Texts | null = null;
  const dkim: ReportedSignature[] = [];
  const spf: ReportedSpf[] = [];
  const reasons: OverrideReason[] = [];
  return {
    begin: (key) => {
      if (partKeys.has(key)) part = new Map();
    },
    leaf: (key, text) => {
      const name = ownKeys.get(key);
      if (text === "") return;
      if (name !== undefined) keepFirst(texts, name, text);
      else if (part && leafKeys.has(key)) keepFirst(part, key, text);
    },
    end: (key) => {
      if (part === null || !partKeys.has(key)) return;
      if (key.endsWith("/dkim")) keep(dkim, toSignature(part));
      else if (key.endsWith("/spf")) keep(spf, toSpf(part));
      else keep(reasons, toReason(part));
      part = null;
    },
    finish: () => ({
      sourceIp: textOf(texts, "sourceIp")?.slice(0, longestAddress) ?? null,
      messages: readCount(textOf(texts, "count")),
      disposition: toDisposition(textOf(texts, "disposition")),
      dkimAligned: isPass(textOf(texts, "dkimAligned")),
      spfAligned: isPass(textOf(texts, "spfAligned")),
      headerFrom: domainOf(texts, "headerFrom"),
      dkim,
      spf,
      reasons,
    }),
  };
}

function textOf(texts: Texts, key: string): string | null {
  return texts.get(key) ?? null;
}

function keepFirst(texts: Texts, key: string, text: string): void {
  if (!texts.has(key)) texts.set(key, text);
}

function keep<Part>(parts: Part[], part: Part | null): void {
  if (part !== null && parts.length < mostParts) parts.push(part);
}

function toSignature(part: Texts): ReportedSignature | null {
  const domain = domainOf(part, "dkim/domain");
  if (domain === null) return null;
  return { domain, selector: wordOf(part, "dkim/selector", longestDomain), result: wordOf(part, "dkim/result") };
}

function toSpf(part: Texts): ReportedSpf | null {
  const domain = domainOf(part, "spf/domain");
  if (domain === null) return null;
  return { domain, scope: wordOf(part, "spf/scope"), result: wordOf(part, "spf/result") };
}

function toReason(part: Texts): OverrideReason | null {
  const type = wordOf(part, "reason/type");
  const comment = textOf(part, "reason/comment")?.slice(0, longestComment) ?? null;
  return type === null ? null : { type, comment };
}

function wordOf(texts: Texts, key: string, maxLength = longestWord): string | null {
  const text = textOf(texts, key);
  return text === null ? null : toReportedWord(text, maxLength);
}

function domainOf(texts: Texts, key: string): string | null {
  return wordOf(texts, key, longestDomain);
}

function isPass(text: string | null): boolean {
  return text?.toLowerCase() === "pass";
}

const dispositionWords = new Map<string, Disposition>([
  ["none", "none"],
  ["pass", "none"],
  ["quarantine", "quarantine"],
  ["reject", "reject"],
]);

function toDisposition(text: string | null): Disposition | null {
  return dispositionWords.get(text?.toLowerCase() ?? "") ?? null;
}
