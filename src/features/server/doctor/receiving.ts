// Whether the running server accepts mail now, and if not, why. It comes from its metrics, as /readyz does.

import { type TroubleCode, troubleCodes, troubleTable } from "../../../platform/contract/server-state-words.ts";
import { readMetrics } from "./own-server.ts";
import { createHeading, type DoctorRow, type Examination } from "./row.ts";

const figure = /^assay_mail_trouble\{reason="([a-z_]+)"\} 1$/gm;

export const examineReceiving: Examination = async (patient) => {
  const heading = createHeading("receiving", "Mail");
  const metrics = await readMetrics(patient);
  if (metrics === undefined)
    return [heading.grey("Unknown, because Assay's web server does not respond, or does not show its metrics.")];
  const present = new Set([...metrics.matchAll(figure)].map(([, reason]) => reason));
  const codes = troubleCodes.filter((code) => present.has(code));
  if (codes.length === 0) return [heading.green("New mail is accepted.")];
  return codes.map((code): DoctorRow => heading.red(wordsOf(code).says, wordsOf(code).fix));
};

function wordsOf(code: TroubleCode): { readonly says: string; readonly fix: string } {
  if (code !== "workspace_backlog_full") return troubleTable[code];
  return {
    ...troubleTable[code],
    says: "Too many messages of one workspace wait for analysis, so new mail to it is deferred. Other workspaces are not affected.",
  };
}
