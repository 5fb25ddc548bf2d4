// The whole report as one HTML file that opens offline. A share page (share-link.ts) shows less.

import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { Refusal } from "../../../platform/errors.ts";
import { type Route, route } from "../../../platform/route.ts";
import { auditedTest } from "../audited.ts";
import { readReportFile } from "../contract/report-formats.ts";
import { readForwardingPrediction, readSecondReading } from "../work/kept-examinations.ts";
import { answerDownload } from "./download.ts";
import { openReportPages, toMail } from "./report-page.ts";
import { readWholeTest } from "./tests.ts";

export const reportFileRoute: Route = route(readReportFile, async (call, server) => {
  const { workspaceId, params, isHead } = call;
  const { id } = params;
  const { webFiles, examiner, viewer, system, version } = server;
  if (!isHead) await examiner.untilExamined({ workspaceId, testId: id });
  const scope = call.store.readInWorker;
  const test = await readWholeTest(scope, id, server);
  if (test.analysis === null) throw new Refusal("conflict", "There is no report to save yet. Analyze the test first.");
  const pages = openReportPages(webFiles);
  if (pages === undefined)
    throw new Refusal("conflict", "Saving a report requires the web app, which is not built. Run npm run build.");
  const [second, forwarding, mail] = await Promise.all([
    readSecondReading(scope, id),
    readForwardingPrediction(scope, id),
    toMail(
      null,
      () => viewer.still(workspaceId, test, null),
      (document) => ({ document }),
    ),
  ]);
  const page = pages.render(
    {
      note: "Saved report · includes recipients and headers",
      time: { says: "saved", at: toTimestamp(system.now()) },
      mail,
      content: { shows: "all", test, second, forwarding },
      foot: [
        `Assay ${version}, report from version ${test.analysis.version}`,
        "This file works offline, runs no scripts, and loads nothing from the internet.",
      ],
    },
    { title: test.subject?.trim() || "Report", isFile: true },
  );
  const content = Buffer.from(page);
  return answerDownload({ name: `assay-report-${id}.html`, type: "text/html; charset=utf-8", content });
}).recording({ action: "export.report", object: auditedTest, effect: "none" });
