// What is wrong with a domain's published DMARC record, where its reports go, and which parent's record applies.

import { toCount } from "../../../web/client/words.ts";
import { Note } from "../../../web/parts/states.tsx";
import type { PolicyCoach as Coach } from "../contract/policy-coach.ts";

const actionWords = { none: "take no action", quarantine: "put it into spam", reject: "reject it" } as const;

export function Inherited({ coach: { recordAt, inheritedPolicy } }: { readonly coach: Coach }) {
  return (
    <Note tone="info">
      This domain has no DMARC record.{" "}
      {inheritedPolicy !== null &&
        `For its mail that fails DMARC, the record at ${recordAt} asks receivers to ${actionWords[inheritedPolicy]} (${inheritedPolicy}). `}
      Monitor {recordAt} to get advice on that record.
    </Note>
  );
}

/** What is wrong with what is published, and where reports go. */
export function Published({ coach, isFirst }: { readonly coach: Coach; readonly isFirst: boolean }) {
  const { domain, ignoredRecords, present, reportsTo, reportsArriveHere } = coach;
  const own = `dmarc@${domain}`;
  return (
    <>
      {ignoredRecords.length > 0 && (
        <Note tone="minor">
          There are {toCount(ignoredRecords.length)} records at <code>_dmarc.{domain}</code>, and receivers use none of
          them if there is more than one. Delete all of them, and publish this one. It only asks for reports, so it is
          safe.
        </Note>
      )}
      {isFirst && present?.value.includes(`mailto:${own}`) && (
        <p class="measure">
          Reports go to {own}. Create this mailbox, or use an address that this server receives mail for. See{" "}
          <a href="/docs/fix-dmarc-reports">Fix DMARC reports</a>.
        </p>
      )}
      {reportsArriveHere === false && (
        <Note tone="minor">
          {reportsTo.length === 0
            ? "The record doesn’t ask for reports, so none arrive."
            : `The record asks for reports at ${reportsTo.map((uri) => uri.replace(/^mailto:/i, "")).join(", ")}, and at no seed address of this workspace. Assay only knows reports that arrive here.`}{" "}
          <a href="/docs/fix-dmarc-reports">Get reports here</a>
        </Note>
      )}
    </>
  );
}
