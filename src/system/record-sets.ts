// The records that somebody would have in DNS, as they are written → what DNS would answer.

import { type DnsRecord, toQuestionName } from "../dns/answer.ts";
import type { ChangeableType, GivenRecords } from "../dns/domain-name.ts";
import { parseRecord } from "./zone-file.ts";

export type RecordSet = {
  /** As it is asked; `*.example.com` answers for names that are not there (RFC 4592). */
  readonly name: string;
  readonly type: ChangeableType;
  readonly records: readonly DnsRecord[];
};

type ParsedRecordSets =
  | { readonly ok: true; readonly sets: readonly RecordSet[] }
  | {
      readonly ok: false;
      /** Where in the list: `2.values.0`. */
      readonly at: string;
      readonly problem: string;
    };

type Fault = Extract<ParsedRecordSets, { readonly ok: false }>;

export function parseRecordSets(given: readonly GivenRecords[]): ParsedRecordSets {
  const sets: RecordSet[] = [];
  for (const [index, written] of given.entries()) {
    const read = parseRecordSet(written, index);
    if ("problem" in read) return read;
    const problem = whyNotBeside(read, sets);
    if (problem !== null) return { ok: false, at: `${index}.name`, problem };
    sets.push(read);
  }
  return { ok: true, sets };
}

function parseRecordSet({ name: written, type, values }: GivenRecords, index: number): RecordSet | Fault {
  const fault = (at: string, problem: string): Fault => ({ ok: false, at: `${index}.${at}`, problem });
  const name = toQuestionName(written);
  if (name === null || name.slice(1).includes("*")) return fault("name", "This is no name that DNS knows.");
  if (name.startsWith("*") && values.length === 0)
    return fault("name", "What a wildcard answered is recorded for each name: give those names instead.");
  const records: DnsRecord[] = [];
  for (const [place, value] of values.entries()) {
    const parsed = parseRecord(type, value);
    if (!parsed.ok) return fault(`values.${place}`, parsed.problem);
    records.push(parsed.record);
  }
  if (type === "CNAME" && records.length > 1)
    return fault("values", "A name can be an alias of one other name only.");
  return { name, type, records };
}

/** RFC 1034 §3.6.2: an alias holds nothing else. */
function whyNotBeside({ name, type, records }: RecordSet, before: readonly RecordSet[]): string | null {
  const here = before.filter((set) => set.name === name);
  if (here.some((set) => set.type === type))
    return "This name is given twice with the same type: put all values into one entry.";
  const clashes = here.some(
    (set) => records.length > 0 && set.records.length > 0 && (type === "CNAME") !== (set.type === "CNAME"),
  );
  return clashes ? "A name that is an alias (CNAME) can hold no other records." : null;
}
