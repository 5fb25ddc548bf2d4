// A DMARC aggregate report's XML (RFC 9990, RFC 7489 appendix C, and the drafts before it) → what it counts.

import { readXml, type XmlVisitor } from "../text/xml-leaves.ts";
import { readDmarcRecord, type Texts, textOf } from "./dmarc-record.ts";
import type { MailReport, PublishedPolicy, ReportedSource } from "./mail-class.ts";
import {
  addCounts,
  createLargestRows,
  toReportedAddress,
  toReportedDomain,
  toReportedWord,
} from "./report-values.ts";

/** So many are written at once, within 10 ms, and removed at once; the small ones of a large report are a sum. */
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
  const found = { metadata: false, policy: false };
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
      if (key !== "feedback/record" || record === null) return;
      const { messages, ...source } = record.finish();
      record = null;
      sources.add(source, messages);
      sums.total = addCounts(sums.total, messages);
      if (!source.dkimAligned && !source.spfAligned) sums.failed = addCounts(sums.failed, messages);
    },
  };
  readXml(xml, visitor);
  if (!found.metadata || !found.policy) return null;
  const told = sources.list().map(({ row, count }) => ({ ...toPlain(row), messages: count }));
  return { ...toHead(head), ...sums, problem: null, sources: told, tlsPolicies: [] };
}

/** Of small sources: what sums over all sources need. */
function toRest({ disposition, dkimAligned, spfAligned }: Source): Source {
  const nothing = { sourceIp: null, headerFrom: null, dkim: [], spf: [], reasons: [] };
  return { ...nothing, disposition, dkimAligned, spfAligned };
}

/** Of the rows that are told alone, because it costs more than to read them. */
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

/** Seconds since 1970, as the standard says; a date where somebody writes one. */
function toTime(text: string | null): number | null {
  if (text === null) return null;
  const time = /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
  return Number.isFinite(time) ? Math.trunc(time) : null;
}
