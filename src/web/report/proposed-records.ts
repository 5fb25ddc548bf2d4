// The records that a fix proposes, as input for the DNS preview form. Other existing records at the same names are
// included, because the form's rows replace all records of a type.

import type { MonitoredDomain } from "../../features/domains/contract/domains.ts";
import type { Finding, ProposedRecord } from "../../features/tests/contract/judgment.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";

/** A message's or a domain's report. */
type Recorded = {
  readonly analysis: { readonly dns: NonNullable<TestReport["analysis"]>["dns"] | DomainAnswers } | null;
};
type DomainAnswers = NonNullable<MonitoredDomain["analysis"]>["dns"];

const triable = ["A", "AAAA", "MX", "TXT"];

export function toProposedRecords(
  report: Recorded,
  { records }: Pick<Finding, "records">,
): readonly Omit<ProposedRecord, "replaces">[] {
  return records
    .filter(({ type }) => triable.includes(type))
    .flatMap(({ name, type, value, replaces }) => {
      const beside = (recordedValues(report, name, type) ?? []).filter(
        (text) => text !== value && !replaces.includes(text),
      );
      return [value, ...beside].map((each) => ({ name, type, value: each }));
    });
}

/** The recorded values as text. Null if they weren't looked up or DNS didn't answer. */
export function recordedValues({ analysis }: Recorded, name: string, type: string): string[] | null {
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

/** DNS texts are stored with one character per byte. */
function fromBytes(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}
