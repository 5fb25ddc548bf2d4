// A DMARC aggregate report's XML (RFC 9990, RFC 7489 appendix C) → what it counts. Not with an XML parser: a few elements are needed,
// and entities and document types are exactly what must not be expanded from a stranger.

import type { MailReport } from "./recognised.ts";

const maxRecords = 200_000;
const longestName = 500;

const names = [
  "report_metadata",
  "org_name",
  "report_id",
  "date_range",
  "begin",
  "end",
  "policy_published",
  "domain",
  "record",
  "row",
  "count",
  "policy_evaluated",
  "dkim",
  "spf",
] as const;
type ElementName = (typeof names)[number];
const openings = Object.fromEntries(
  names.map((name) => [name, new RegExp(`<((?:\\w{1,20}:)?${name})(?:\\s[^<>]{0,500})?>`, "g")]),
) as Record<ElementName, RegExp>;

export function readDmarcReport(xml: string): MailReport | null {
  if (!/<(?:\w{1,20}:)?feedback\b/.test(xml.slice(0, 4_096))) return null;
  const metadata = elementIn(xml, "report_metadata", 0)?.content;
  const policy = elementIn(xml, "policy_published", 0)?.content;
  if (metadata === undefined || policy === undefined) return null;
  const range = elementIn(metadata, "date_range", 0)?.content ?? "";
  return {
    type: "dmarc",
    organization: textIn(metadata, "org_name"),
    reportId: textIn(metadata, "report_id"),
    domain: textIn(policy, "domain"),
    beginsAt: toTime(textIn(range, "begin")),
    endsAt: toTime(textIn(range, "end")),
    ...countRecords(xml),
  };
}

function countRecords(xml: string): Pick<MailReport, "total" | "failed" | "problem"> {
  let total = 0;
  let failed = 0;
  let from = 0;
  for (let records = 0; records < maxRecords; records++) {
    const record = elementIn(xml, "record", from);
    if (!record) return { total, failed, problem: null };
    from = record.end;
    const row = elementIn(record.content, "row", 0)?.content ?? record.content;
    const evaluated = elementIn(row, "policy_evaluated", 0)?.content ?? "";
    const count = toCount(textIn(row, "count"));
    total += count;
    const passes = (["dkim", "spf"] as const).some(
      (name) => textIn(evaluated, name)?.toLowerCase() === "pass",
    );
    if (!passes) failed += count;
  }
  return { total, failed, problem: `It has more records than the ${maxRecords} that are counted.` };
}

/** With or without a namespace's prefix; the first that begins at or behind `from`. */
function elementIn(
  xml: string,
  name: ElementName,
  from: number,
): { content: string; end: number } | undefined {
  const opening = openings[name];
  opening.lastIndex = from;
  const opened = opening.exec(xml);
  if (!opened) return undefined;
  const closing = `</${opened[1]}`;
  const closed = xml.indexOf(closing, opening.lastIndex);
  if (closed < 0) return undefined;
  return { content: xml.slice(opening.lastIndex, closed), end: closed + closing.length };
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function textIn(xml: string, name: ElementName): string | null {
  const content = elementIn(xml, name, 0)?.content.trim().slice(0, longestName);
  if (content === undefined || content === "") return null;
  return content
    .replace(/^<!\[CDATA\[(.*)\]\]>$/s, "$1")
    .replace(/&(lt|gt|amp|quot|apos);/g, (_, entity: string) => entities[entity] ?? "");
}

/** Seconds since 1970, as the standard says; a date where somebody writes one. */
function toTime(text: string | null): number | null {
  if (text === null) return null;
  const time = /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
  return Number.isFinite(time) ? Math.trunc(time) : null;
}

function toCount(text: string | null): number {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : 0;
}
