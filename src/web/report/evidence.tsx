// What a finding rests on, as it was recorded. Everything here may come from a stranger: it is text and nothing else.

import { toEvidenceRows } from "../../api/evidence-words.ts";
import { toDuration, toMoment } from "../client/words.ts";

const most = 40;
const told = { duration: toDuration, moment: toMoment };

export function Evidence({ evidence }: { readonly evidence: Readonly<Record<string, unknown>> }) {
  const rows = toEvidenceRows(evidence, told);
  if (rows.length === 0) return <p class="muted small">It follows from what is not there.</p>;
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
