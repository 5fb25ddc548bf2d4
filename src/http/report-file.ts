// A report as a file of its own: for its owner, so that nothing is kept back. It is opened from a disk, where only what
// stands in it can tell the browser what it may do.

import { readReportFile } from "../api/report-file.ts";
import { noSuchTest, Refusal } from "../errors.ts";
import { parseSessionText } from "../mail/session-text.ts";
import { parseReport } from "../reports/report.ts";
import { toSharedReport } from "../reports/shared-report.ts";
import { readSession } from "../store/raw-messages.ts";
import { readReport } from "../store/reports.ts";
import type { Scope } from "../store/scope.ts";
import { readTest } from "../store/tests.ts";
import { readSeen } from "../tasks/seen-of-test.ts";
import type { Dependencies } from "./dependencies.ts";
import { html, styleSource } from "./docs-page.ts";
import { answerDownload } from "./download.ts";
import { renderAdditions } from "./report-evidence.ts";
import { renderReport, renderTop } from "./report-page.ts";
import { renderFrame, toDay } from "./report-parts.ts";
import { reportStyle } from "./report-style.ts";
import { type Route, route } from "./route.ts";
import { toReport } from "./tests.ts";

export const reportFileRoutes: readonly Route[] = [
  route(readReportFile, async ({ store, params: { id } }, dependencies) => {
    const page = await renderReportFile(store.readAside, id, dependencies);
    return answerDownload({
      name: `assay-report-${id}.html`,
      type: "text/html; charset=utf-8",
      content: Buffer.from(page),
    });
  }),
];

const policy = `default-src 'none'; style-src ${styleSource(reportStyle)}; base-uri 'none'; form-action 'none'`;

type Terms = Pick<Dependencies, "system" | "version">;

async function renderReportFile(scope: Scope, id: string, { system, version }: Terms): Promise<string> {
  const [row, session, kept] = await Promise.all([
    readTest(scope, id),
    readSession(scope, id),
    readReport(scope, id),
  ]);
  if (!row || session === undefined) throw noSuchTest();
  const report = kept === undefined ? null : parseReport(kept);
  if (report === null)
    throw new Refusal("conflict", "There is no report to save yet: analyse the test first.");
  const seen = await readSeen(scope, row, system.now());
  const shown = {
    ...{ subject: row.subject, from: row.header_from, receivedAt: row.received_at },
    words: { spf: row.spf, dkim: row.dkim, dmarc: row.dmarc },
    report: toSharedReport(report, { shows: "all", mask: (text) => text, observed: seen.observations }),
  };
  const additions = renderAdditions(toReport(row, parseSessionText(session), report, seen));
  return renderFrame({
    title: row.subject?.trim() || "Report",
    ...{ policy, style: reportStyle },
    body: `${renderTop(`Saved ${toDay(system.now())}, for whoever may read the message`)}
<main>
${renderReport(shown, additions)}
</main>
<footer class="foot note"><span>Assay ${html(version)}, report of version ${html(report.analysis.version)}</span><span class="noprint">This file needs no network, runs no script and loads nothing.</span></footer>`,
  });
}
