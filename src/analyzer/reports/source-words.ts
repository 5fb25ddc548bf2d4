// What DMARC reports say about the messages of one IP address, collected from rows that repeat most of it.

import type { OverrideReason, ReportedSignature, ReportedSpf } from "../mail/reports/mail-class.ts";

type SourceWordsRow = {
  readonly organization: string | null;
  readonly headerFrom: string | null;
  readonly dkim: readonly ReportedSignature[];
  readonly spf: readonly ReportedSpf[];
  readonly reasons: readonly OverrideReason[];
};

type SourceWords = {
  readonly organizations: string[];
  readonly headerFroms: string[];
  readonly selectors: string[];
  readonly dkimDomains: string[];
  readonly spfDomains: string[];
  readonly reasons: string[];
};

/** The maximum per list, because people read them. */
const mostWords = 10;

/** `rows`: those with the most messages first. */
export function toSourceWords(rows: readonly SourceWordsRow[]): SourceWords {
  const dkim = rows.flatMap((row) => row.dkim);
  const spf = rows.flatMap((row) => row.spf);
  return {
    organizations: distinct(rows.map(({ organization }) => organization)),
    headerFroms: distinct(rows.map(({ headerFrom }) => headerFrom)),
    selectors: distinct(dkim.map(({ selector }) => selector)),
    dkimDomains: distinct(dkim.map(({ domain }) => domain)),
    spfDomains: distinct(spf.map(({ domain }) => domain)),
    reasons: distinct(rows.flatMap((row) => row.reasons.map(({ type }) => type))),
  };
}

function distinct(words: readonly (string | null)[]): string[] {
  return [...new Set(words.filter((word) => word !== null))].slice(0, mostWords);
}
