// Reports in the formats of the command line, so that a pipeline elsewhere prints the same.

import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import { noSuchTest, Refusal } from "../../../platform/errors.ts";
import { type Route, route } from "../../../platform/route.ts";
import { requireDomain, requireDomainReport } from "../../domains/work/domains.ts";
import { formatDomain, formatTest, type ReportLook, reportFiles } from "../contract/report-formats.ts";
import { formatDomainReport, formatReport } from "../formats/format-report.ts";
import { type Style, toStyle } from "../formats/style.ts";
import { readReport } from "../rows/reports.ts";
import { readTest } from "../rows/tests.ts";
import { answerDownload } from "./download.ts";

/** The terminal's form of what the app shows. */
const likeTheApp = { nothing: "It has no more than the pages of the app, which aren't recorded either." };

export const reportFormatRoutes: readonly Route[] = [
  route(formatTest, async ({ store, params: { id }, query }) => {
    const test = await readTest(store.read, id);
    if (!test) throw noSuchTest();
    const json = await readReport(store.read, id);
    const report = json === undefined ? null : parseReport(json);
    if (report === null) throw new Refusal("conflict", "There is no report yet. Analyze the test first.");
    return answerReport(id, formatReport(test, report, query.format, styleOf(query)), query);
  }).recording(likeTheApp),

  route(formatDomain, async ({ store, params: { id }, query }) => {
    const { domain } = await requireDomain(store.read, id);
    const report = await requireDomainReport(store.read, id);
    return answerReport(domain, formatDomainReport(report, query.format, styleOf(query)), query);
  }).recording(likeTheApp),
];

function answerReport(name: string, text: string, { format }: ReportLook): Response {
  const { extension, mediaType } = reportFiles[format];
  return answerDownload({
    name: `assay-report-${name}.${extension}`,
    type: `${mediaType}; charset=utf-8`,
    content: Buffer.from(text),
  });
}

function styleOf({ columns, color, ascii }: ReportLook): Style {
  return toStyle({
    columns: columns ?? null,
    colour: color === "1",
    environment: ascii === "1" ? {} : { LANG: "C.UTF-8" },
  });
}
