// Says that a report was updated after DNS answered.

import { toWholeScore } from "../../analyzer/reports/grade-words.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { addressWith } from "../client/opened.ts";
import { toMoment } from "../client/words.ts";
import { Note } from "../parts/states.tsx";

/** The score that someone saw before may have been another one. */
export function DnsUpdate({ test }: { readonly test: TestReport }) {
  if (test.dns_update === null) return null;
  const { at, first_analyzed_at, first_composite } = test.dns_update;
  return (
    <Note>
      <strong>Updated automatically {toMoment(at)}.</strong> DNS didn’t answer when this message was first analyzed, so
      its first report was incomplete
      {first_composite !== null && `, with a score of ${toWholeScore(first_composite)}`}.{" "}
      <a href={addressWith("since", first_analyzed_at)}>See what changed</a>
    </Note>
  );
}
