// The records that a fix proposes, as the form for trying them takes them: with whatever else is recorded at their names,
// because the form's rows take the place of all records of a type.

import type { Finding, ProposedRecord } from "../../api/judgment.ts";
import type { TestReport } from "../../api/tests.ts";

const triable = ["A", "AAAA", "MX", "TXT"];

export function toProposedRecords(
  test: TestReport,
  { records }: Pick<Finding, "records">,
): readonly Omit<ProposedRecord, "replaces">[] {
  return records
    .filter(({ type }) => triable.includes(type))
    .flatMap(({ name, type, value, replaces }) => {
      const beside = (recordedValues(test, name, type) ?? []).filter(
        (text) => text !== value && !replaces.includes(text),
      );
      return [value, ...beside].map((each) => ({ name, type, value: each }));
    });
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
