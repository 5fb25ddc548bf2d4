// The words of a fix beside its records: a record is shown once, as one, and not in the middle of a sentence as well.

import { endBeforeRecord, replaceQuoted } from "../reports/fix-records.ts";
import type { ProposedRecord } from "./judgment.ts";

const textRecord = /^v=(?:spf1|DMARC1|DKIM1|BIMI1|STSv1|TLSRPTv1)(?:[ ;]|$)/i;
const hostRecord = /^[\w.-]+\. (?:A|AAAA|MX) \S/;

/** Without the records that stand in it, where whole ones stand beside it. */
export function toFixWords(fix: string, records: readonly Pick<ProposedRecord, "value">[]): string {
  if (records.length === 0) return fix;
  return replaceQuoted(fix, (quoted, words) =>
    quoted !== "v=spf1" && (textRecord.test(quoted) || hostRecord.test(quoted)) ? endBefore(words) : null,
  );
}

function endBefore(words: string): string {
  if (/: ?$/.test(words)) return endBeforeRecord(words);
  return `${words.replace(/`[^`]{1,300}` TXT $/, "")}this record`;
}
