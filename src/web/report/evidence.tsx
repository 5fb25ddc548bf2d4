// What a finding rests on beyond its sentence and its fix, as it was recorded. Everything here may come from a stranger: it
// is text and nothing else.

import { type EvidenceRow, toEvidenceRows } from "../../api/evidence-words.ts";
import type { Finding } from "../../api/judgment.ts";
import { toDuration, toMoment } from "../client/words.ts";

const most = 40;
const told = { duration: toDuration, moment: toMoment };

export function evidenceOf(
  { summary, fix, evidence }: Finding["occurrences"][number],
  finding: Pick<Finding, "fix">,
): readonly EvidenceRow[] {
  return toEvidenceRows(evidence, [summary, fix ?? finding.fix], told);
}

export function Evidence({ rows }: { readonly rows: readonly EvidenceRow[] }) {
  if (rows.length === 0) return null;
  return (
    <div class="quote">
      <table class="rec">
        <tbody>
          {rows.slice(0, most).map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && <p class="muted small">And {rows.length - most} more lines.</p>}
    </div>
  );
}
