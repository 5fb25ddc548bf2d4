// The recorded evidence of a finding, beyond its sentence and fix. It may come from strangers, so it is only shown as
// text.

import { type EvidenceRow, toEvidenceRows } from "../../analyzer/words/evidence-words.ts";
import type { Finding } from "../../features/tests/contract/judgment.ts";
import { toDuration, toMoment, toPlural } from "../client/words.ts";
import { NamedRows } from "../parts/table.tsx";

const most = 40;
const formats = { duration: toDuration, moment: toMoment };

export function evidenceOf(
  { summary, fix, evidence }: Finding["occurrences"][number],
  finding: Pick<Finding, "fix">,
): readonly EvidenceRow[] {
  return toEvidenceRows(evidence, [summary, fix ?? finding.fix], formats);
}

export function Evidence({ rows }: { readonly rows: readonly EvidenceRow[] }) {
  if (rows.length === 0) return null;
  return (
    <div class="quote">
      <NamedRows rows={rows.slice(0, most).map(({ name, value }) => [name, value])} />
      {rows.length > most && <p class="muted small">And {toPlural(rows.length - most, "more line", "more lines")}.</p>}
    </div>
  );
}
