// The results of `assay doctor`, problems first: in the settings, and folded until opened.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useNear } from "../../../web/client/near.ts";
import { toPlural, toShortTime } from "../../../web/client/words.ts";
import { ErrorNote, Note, Skeleton } from "../../../web/parts/states.tsx";
import { Severity, type Tone } from "../../../web/parts/tone.tsx";
import { SectionHead } from "../../../web/settings/parts.tsx";
import type { DoctorRow } from "../contract/doctor.ts";
import { doctorWords } from "../words.ts";

type StateBadge = { readonly tone: Tone; readonly word: string; readonly rank: number };

export const doctorLooks: Readonly<Record<DoctorRow["state"], StateBadge>> = {
  red: { tone: "minor", word: doctorWords.red, rank: 0 },
  grey: { tone: "unknown", word: doctorWords.grey, rank: 1 },
  green: { tone: "good", word: doctorWords.green, rank: 2 },
};

type DoctorRowsProps = { readonly rows: readonly DoctorRow[]; readonly caption: string };

export function DoctorRows({ rows, caption }: DoctorRowsProps) {
  return (
    <table class="table fold doctor">
      <caption class="vh">{caption}</caption>
      <tbody>
        {rows.map(({ label, state, says, fix }) => (
          <tr key={label + says}>
            <td>
              <Severity tone={doctorLooks[state].tone}>{doctorLooks[state].word}</Severity>
            </td>
            <th scope="row">
              {label}
              <span class="label under">{says}</span>
              {fix !== null && <span class="under fix">{fix}</span>}
            </th>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function ServerCheckSection() {
  return (
    <>
      <SectionHead title="Server check" lead="Is everything ready for mail to arrive and be analyzed?" />
      <div class="card">
        <DoctorReport {...useDoctor()} />
      </div>
    </>
  );
}

/** The number of problems shows while it is closed. The server keeps results for a minute, so this costs little. */
export function DoctorFold() {
  const { place, isNear } = useNear<HTMLDivElement>();
  return <div ref={place}>{isNear && <FoldedReport />}</div>;
}

function FoldedReport() {
  const checked = useDoctor();
  const { loaded } = checked;
  // The domain form above already says who can see it.
  if (loaded.state === "failed" && loaded.trouble.code === "forbidden") return null;
  const rows = loaded.value?.items;
  return (
    <details class="card fold-away">
      <summary>
        Server check
        {rows !== undefined && <FoldResult rows={rows} />}
      </summary>
      <DoctorReport {...checked} />
    </details>
  );
}

function FoldResult({ rows }: Pick<DoctorRowsProps, "rows">) {
  const red = countRed(rows);
  if (red === 0) return <>: no problems</>;
  return (
    <>
      {": "}
      <Severity tone={doctorLooks.red.tone}>{toPlural(red, "problem", "problems")}</Severity>
    </>
  );
}

function useDoctor() {
  const [looks, setLooks] = useState(0);
  const { loaded } = useLoaded(`doctor ${looks}`, (signal) =>
    call("GET /api/doctor", { signal, query: { fresh: looks > 0 ? "1" : undefined } }),
  );
  return { loaded, again: () => setLooks((count) => count + 1) };
}

function DoctorReport({ loaded, again }: ReturnType<typeof useDoctor>) {
  if (loaded.state === "failed")
    return loaded.trouble.code === "forbidden" ? (
      <div class="mt-3">
        <Note>{loaded.trouble.message}</Note>
      </div>
    ) : (
      <div class="mt-3">
        <ErrorNote title="Couldn’t run the server check." message={loaded.trouble.message} onRetry={again} />
      </div>
    );
  if (loaded.value === null) return <Skeleton lines={6} what="the server check" />;
  const { items, examinedAt } = loaded.value;
  const rows = items.toSorted((a, b) => doctorLooks[a.state].rank - doctorLooks[b.state].rank);
  return (
    <>
      <div class="row between mt-3">
        <p class="muted">
          {toSummary(items)} Last checked: {toShortTime(examinedAt)}. <code>assay doctor</code> runs the same checks.
          “Note” means that the result is unknown or the feature isn’t used.
        </p>
        <button class="btn small" type="button" disabled={loaded.state === "loading"} onClick={again}>
          {loaded.state === "loading" ? "Checking …" : "Check again"}
        </button>
      </div>
      <DoctorRows rows={rows} caption="Results of the server check" />
    </>
  );
}

function toSummary(rows: readonly DoctorRow[]): string {
  const red = countRed(rows);
  return red === 0 ? "No problems found." : `${toPlural(red, "problem", "problems")} found.`;
}

function countRed(rows: readonly DoctorRow[]): number {
  return rows.filter(({ state }) => state === "red").length;
}
