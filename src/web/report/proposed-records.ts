// The records that a repair proposes, to be tried out: what stands in its words between backticks, at the name that it is
// about, beside what else DNS has there. What is not sure to be a record is not proposed.

import type { Finding } from "../../api/judgment.ts";
import type { TestReport } from "../../api/tests.ts";

/** What marks a text as a record of that kind. */
const marks = [/^v=spf1\b/i, /^v=DMARC1\b/i, /^v=DKIM1\b/i, /^v=BIMI1\b/i] as const;
const [spfMark, dmarcMark, dkimMark, bimiMark] = marks;

/** One value of a record, as a form takes it. */
export type ProposedRecord = { readonly name: string; readonly type: string; readonly value: string };

type Told = Pick<Finding, "fix" | "evidence">;

export function toProposedRecords(test: TestReport, { fix, evidence }: Told): readonly ProposedRecord[] {
  const proposed = new Map<string, readonly ProposedRecord[]>();
  let named: string | null = null;
  for (const [index, part] of (fix ?? "").split("`").entries()) {
    if (index % 2 === 0) named = toNameIn(part) ?? named;
    else if (isName(part)) named = part;
    else {
      const rows = toLine(part) ?? toTexts(test, { text: part, named, evidence });
      const [first] = rows;
      if (first && !proposed.has(first.name)) proposed.set(first.name, rows);
    }
  }
  return [...proposed.values()].flat();
}

/** "Publish at mail.example.com:" */
function toNameIn(words: string): string | null {
  return /\bat ([\w-]+(?:\.[\w-]+)+)[:,]? *$/.exec(words)?.[1] ?? null;
}

function isName(text: string): boolean {
  return /^[\w-]+(\.[\w-]+)+\.?$/.test(text);
}

/** "mail.example.com. A 192.0.2.1" */
function toLine(text: string): readonly ProposedRecord[] | null {
  const [, name = "", type = "", value = ""] = /^([\w.-]+)\. (A|AAAA) ([\da-f.:]+)$/i.exec(text) ?? [];
  return name === "" ? null : [{ name, type, value }];
}

type Found = {
  readonly text: string;
  readonly named: string | null;
  readonly evidence: Told["evidence"];
};

/** Whatever else is recorded at the name stays. */
function toTexts(test: TestReport, { text, named, evidence }: Found): readonly ProposedRecord[] {
  const mark = marks.find((one) => one.test(text));
  // "begin with `v=spf1`" is none.
  if (mark === undefined || !/^v=\w+[ ;]/.test(text)) return [];
  const name = named ?? nameOfRecord(test, evidence) ?? usualName(test, mark);
  if (name === null) return [];
  const beside = (recordedValues(test, name, "TXT") ?? []).filter((value) => !mark.test(value));
  return [text, ...beside].map((value) => ({ name, type: "TXT", value }));
}

/** Where the record stands that the finding is about. */
function nameOfRecord({ analysis }: TestReport, { record }: Told["evidence"]): string | null {
  if (typeof record !== "string" || record === "") return null;
  const holder = analysis?.dns.find(
    ({ type, records }) => type === "TXT" && records.some((one) => toRecordText(one) === record),
  );
  return holder?.name ?? null;
}

function usualName({ authentication }: TestReport, mark: (typeof marks)[number]): string | null {
  const { spf = null, dmarc = null, bimi = null, dkim = [] } = authentication ?? {};
  const dmarcDomain = dmarc?.found_at ?? dmarc?.org_domain ?? dmarc?.domain;
  if (mark === spfMark) return spf?.domain ?? null;
  if (mark === dmarcMark) return dmarcDomain ? `_dmarc.${dmarcDomain}` : null;
  if (mark === bimiMark) return bimi?.name ?? null;
  if (mark === dkimMark) return dkim.length === 1 ? (dkim[0]?.key?.name ?? null) : null;
  return null;
}

/** As they would be typed; null: it was not asked, or DNS did not answer. */
export function recordedValues({ analysis }: TestReport, name: string, type: string): string[] | null {
  const wanted = name.trim().toLowerCase().replace(/\.$/, "");
  const answer = analysis?.dns.find((one) => one.type === type && one.name.toLowerCase() === wanted);
  if (!answer || !["answered", "nodata", "nxdomain"].includes(answer.status)) return null;
  return answer.records.filter((one) => one.type === type).map(toRecordText);
}

function toRecordText({ type: _, parts, fields, ...plain }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(parts)) return fromBytes(parts.join(""));
  return Object.values({ ...plain, ...(fields as object | undefined) })
    .map(String)
    .join(" ");
}

/** Texts of DNS are kept as one character a byte. */
function fromBytes(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}
