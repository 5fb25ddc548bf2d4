// The differences, grouped by cause: message, sending server, DNS, circumstances, Assay's rules.

import { toCount, toList, toPlural, toSentence } from "../../../web/client/words.ts";
import { Diff } from "../../../web/parts/diff.tsx";
import { Note } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Arrow, ResultWord } from "../../../web/parts/tone.tsx";
import { type Cause, type Comparison, causesInOrder, causeWords, type SideNames } from "./comparison.ts";

type ChangesProps = { readonly comparison: Comparison; readonly names: SideNames };

export function ChangeGroups({ comparison, names }: ChangesProps) {
  const counts = Object.fromEntries(causesInOrder.map((cause) => [cause, countOf(comparison, cause)])) as Readonly<
    Record<Cause, number>
  >;
  const same = causesInOrder.filter((cause) => counts[cause] === 0);
  return (
    <div class="stack">
      {causesInOrder.map((cause) =>
        counts[cause] === 0 ? null : (
          <section key={cause} class="card" aria-labelledby={`differs-${cause}`}>
            <h3 id={`differs-${cause}`}>
              {causeWords[cause].title}
              {cause !== "rules" && `: ${toPlural(counts[cause], "difference", "differences")}`}
            </h3>
            <p class="small muted mb-3">{causeWords[cause].lead}</p>
            <Group comparison={comparison} cause={cause} names={names} />
          </section>
        ),
      )}
      {same.length > 0 && (
        <p class="muted">
          No differences in{" "}
          {toList(
            same.map((cause) => causeWords[cause].name),
            "or",
          )}
          .
        </p>
      )}
    </div>
  );
}

function countOf({ rules, causes, ...comparison }: Comparison, cause: Cause): number {
  if (cause === "rules") return causes.includes("rules") ? 1 : 0;
  return comparison[cause].length;
}

function Group({ comparison, cause, names }: ChangesProps & { readonly cause: Cause }) {
  if (cause === "rules") return <Rules comparison={comparison} />;
  if (cause === "dns") return <DnsChanges changes={comparison.dns} names={names} />;
  return (
    <ul class="stack">
      {comparison[cause].map((change) => (
        <li key={change.what}>
          {isQuoted(change) ? (
            <>
              <strong>{toLabel(change.what)}</strong>
              <Diff before={change.before} after={change.after} names={names} />
            </>
          ) : (
            change.says
          )}
        </li>
      ))}
    </ul>
  );
}

/** "The grade" starts a sentence. Alone, it is "Grade". */
function toLabel(what: string): string {
  return toSentence(what.replace(/^The /, ""));
}

/** A change of the body has no values to show, so its sentence quotes nothing. */
function isQuoted({ says }: Comparison["mail"][number]): boolean {
  return says.includes("“");
}

function Rules({ comparison: { rules } }: { readonly comparison: Comparison }) {
  return (
    <>
      <p>
        {rules.before === rules.after
          ? "Nothing else differs, so Assay’s rules must have changed."
          : `The reports are from Assay ${rules.before} and Assay ${rules.after}.`}
      </p>
      {rules.findings.length > 0 && (
        <p class="small muted">Results that differ: {rules.findings.map(toFindingWords).join(", ")}.</p>
      )}
    </>
  );
}

function toFindingWords(id: string): string {
  return id.replaceAll("-", " ").replace(".", ": ");
}

const statusWords: Readonly<Record<string, string>> = { nxdomain: "domain not found", nodata: "no record" };

type DnsChange = Comparison["dns"][number];

function DnsChanges({ changes, names }: { readonly changes: readonly DnsChange[]; readonly names: SideNames }) {
  return (
    <ul class="stack">
      {changes.map((change) => (
        <li key={`${change.type} ${change.name}`}>
          <strong>
            {change.type} <code>{change.name}</code>
          </strong>
          {isTrouble(change.before) || isTrouble(change.after) ? (
            <div class="mt-2">
              <Note tone="unknown">{change.says} The record itself may be unchanged.</Note>
            </div>
          ) : (
            <Diff before={toText(change.before)} after={toText(change.after)} names={names} nothing="none" />
          )}
        </li>
      ))}
    </ul>
  );
}

function isTrouble({ status }: DnsChange["before"]): boolean {
  return status !== "answered" && statusWords[status] === undefined;
}

function toText({ status, records, records_left_out }: DnsChange["before"]): string {
  if (records.length === 0) return statusWords[status] ?? status;
  return [...records, ...(records_left_out > 0 ? [`and ${toCount(records_left_out)} more`] : [])].join("\n");
}

export function VerdictChanges({ comparison: { verdicts }, names }: ChangesProps) {
  if (verdicts.length === 0) return <p class="muted">The same in both.</p>;
  return (
    <Table
      look="bare verdicts"
      label="Results that differ"
      columns={["Result", `${names.before} to ${names.after}`]}
      isHeadHidden
    >
      {verdicts.map(({ what, before, after }) => (
        <tr key={what}>
          <th scope="row">{toLabel(what)}</th>
          <td>
            <ResultWord word={before} />
            <Arrow />
            <ResultWord word={after} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
