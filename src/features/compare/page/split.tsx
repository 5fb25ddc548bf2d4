// How much of the difference between two scores each cause accounts for. Loaded after the comparison, because both
// messages are analyzed again for it.

import { useEffect } from "preact/hooks";
import { toWholeCauses, toWholePoints } from "../../../analyzer/words/grade-words.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { toPlural } from "../../../web/client/words.ts";
import { Skeleton } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { addressOfComparison, askScoreSplit, type ComparisonQuery, causeWords, type ScoreSplit } from "./comparison.ts";
import { Difference } from "./findings.tsx";

type SplitCardProps = { readonly asked: ComparisonQuery; readonly onLoaded: (causes: ScoreSplit["causes"]) => void };

export function SplitCard({ asked, onLoaded }: SplitCardProps) {
  const { loaded } = useLoaded(`${addressOfComparison(asked)}#causes`, (signal) => askScoreSplit(asked, signal));
  const causes = loaded.value?.causes;
  useEffect(() => {
    if (causes) onLoaded(causes);
  }, [causes, onLoaded]);
  if (loaded.state === "loading" && loaded.value === null)
    return (
      <div class="card mt-4">
        <Skeleton lines={3} what="the causes" />
      </div>
    );
  // Without scores there is nothing to split, and the rest of the page doesn't need it.
  if (loaded.value === null) return null;
  return <Split split={loaded.value} />;
}

function Split({ split }: { readonly split: ScoreSplit }) {
  const points = toWholePoints(split.before, split.after);
  const causes = toWholeCauses(split.causes, points);
  if (causes.length === 0) return null;
  return (
    <section class="card mt-4" aria-labelledby="split-h">
      <h2 id="split-h" class="t4">
        What accounts for the {toPlural(Math.abs(points), "point", "points")}
      </h2>
      <Table look="bare" label="Points of each cause" columns={["Cause", "Points"]} isHeadHidden>
        {causes.map(({ cause, points }) => (
          <tr key={cause}>
            <th scope="row">{causeWords[cause].title}</th>
            <td class="num">
              <Difference points={points} />
            </td>
          </tr>
        ))}
      </Table>
      <p class="small muted">
        Both messages were analyzed again with the message, the sending server, DNS, and the test conditions exchanged
        one by one.
      </p>
    </section>
  );
}
