// The results of `assay doctor`, problems first.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { toShortTime } from "../../../web/client/words.ts";
import { Severity, type Tone } from "../../../web/parts/tone.tsx";
import { Reading, SectionHead, Setting } from "../../../web/settings/parts.tsx";
import type { DoctorRow } from "../contract/doctor.ts";
import { doctorWords } from "../words.ts";

type StateBadge = { readonly tone: Tone; readonly word: string };

export const doctorLooks: Readonly<Record<DoctorRow["state"], StateBadge>> = {
  red: { tone: "minor", word: doctorWords.red },
  grey: { tone: "unknown", word: doctorWords.grey },
  green: { tone: "good", word: doctorWords.green },
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

const groups = [
  { state: "red", title: "Problems", says: "" },
  { state: "grey", title: "Notes", says: ". The result is unknown, or the feature isn’t used." },
  { state: "green", title: "OK", says: "" },
] as const;

export function ServerCheckSection() {
  const [looks, setLooks] = useState(0);
  const { loaded } = useLoaded(`doctor ${looks}`, (signal) =>
    call("GET /api/doctor", { signal, query: { fresh: looks > 0 ? "1" : undefined } }),
  );
  const again = () => setLooks((count) => count + 1);
  return (
    <>
      <SectionHead
        title="Server check"
        lead={
          <>
            Is everything ready for mail to arrive and be analyzed? <code>assay doctor</code> runs the same checks.
          </>
        }
      >
        <button class="btn" type="button" disabled={loaded.state === "loading"} onClick={again}>
          {loaded.state === "loading" ? "Checking …" : "Check again"}
        </button>
      </SectionHead>
      <Reading reading={{ loaded, reload: again }} what="the server check" lines={6}>
        {({ items, examinedAt }) => (
          <div class="stack-2">
            {groups.map(({ state, title, says }) => {
              const rows = items.filter((row) => row.state === state);
              return (
                <Setting
                  key={state}
                  id={state}
                  title={title}
                  value={rows.length === 0 ? "None" : `${rows.length}${says}`}
                  isOpen={state === "red"}
                >
                  {rows.length > 0 && <DoctorRows rows={rows} caption={title} />}
                </Setting>
              );
            })}
            <p class="small muted">Last checked: {toShortTime(examinedAt)}.</p>
          </div>
        )}
      </Reading>
    </>
  );
}
