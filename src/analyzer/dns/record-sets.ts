// Turns records that a person wants to publish into DNS responses.

import { type DnsRecord, toQuestionName } from "./answer.ts";
import type { ChangeableType, GivenRecords } from "./domain-name.ts";
import { parseRecord } from "./zone-file.ts";

export type RecordSet = {
  /** The name as it is asked for. `*.example.com` answers for names that do not exist (RFC 4592). */
  readonly name: string;
  readonly type: ChangeableType;
  readonly records: readonly DnsRecord[];
};

type ParsedRecordSets =
  | { readonly ok: true; readonly sets: readonly RecordSet[] }
  | {
      readonly ok: false;
      /** Place in the list: `2.values.0`. */
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
  if (name === null || name.slice(1).includes("*")) return fault("name", "This is not a valid DNS name.");
  if (name.startsWith("*") && values.length === 0)
    return fault("name", "A wildcard cannot be removed here. Remove the names that it matches.");
  const records: DnsRecord[] = [];
  for (const [place, value] of values.entries()) {
    const parsed = parseRecord(type, value);
    if (!parsed.ok) return fault(`values.${place}`, parsed.problem);
    records.push(parsed.record);
  }
  if (type === "CNAME" && records.length > 1) return fault("values", "A CNAME can have only one value.");
  return { name, type, records };
}

/** RFC 1034 §3.6.2: an alias has no other records. */
function whyNotBeside({ name, type, records }: RecordSet, before: readonly RecordSet[]): string | null {
  const here = before.filter((set) => set.name === name);
  if (here.some((set) => set.type === type))
    return "This name is listed twice with the same type. Put all values into one entry.";
  const clashes = here.some(
    (set) => records.length > 0 && set.records.length > 0 && (type === "CNAME") !== (set.type === "CNAME"),
  );
  return clashes ? "A name with a CNAME cannot have other records." : null;
}
