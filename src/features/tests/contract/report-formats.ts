// A report as a file: for people at a terminal, build servers, code scanners, and job summaries.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { queryInteger } from "../../../platform/contract/primitives.ts";

export const reportFormats = ["text", "json", "junit", "sarif", "markdown"] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The file in each format. */
export const reportFiles: Readonly<Record<ReportFormat, { readonly extension: string; readonly mediaType: string }>> = {
  text: { extension: "txt", mediaType: "text/plain" },
  json: { extension: "json", mediaType: "application/json" },
  junit: { extension: "xml", mediaType: "application/xml" },
  sarif: { extension: "sarif", mediaType: "application/sarif+json" },
  markdown: { extension: "md", mediaType: "text/markdown" },
};
const [mediaType = "", ...otherTypes] = Object.values(reportFiles).map((file) => file.mediaType);

const flag = z.enum(["0", "1"]).default("0");

const query = z.strictObject({
  format: z
    .enum(reportFormats)
    .default("text")
    .describe(
      "`text`: for a terminal. `json`: as the command line prints it. `junit`: JUnit XML. `sarif`: SARIF 2.1.0. `markdown`: a summary for a job page.",
    ),
  columns: queryInteger(20, 1_000).optional().describe("Wraps the text at this width. By default, it is not wrapped."),
  color: flag.describe("`1`: text with ANSI colors."),
  ascii: flag.describe("`1`: text with symbols that every terminal can show."),
});
export type ReportLook = z.output<typeof query>;

const shared = {
  method: "GET",
  token: "read",
  query,
  answer: { mediaType, otherTypes, download: true },
  errors: ["conflict"],
} as const;

export const formatTest = defineEndpoint({
  ...shared,
  labelToken: "path",
  path: "/api/tests/:id/report",
  summary:
    "Downloads the report as text, JSON, JUnit XML, SARIF, or Markdown. Returns `conflict` if the test has not been analyzed.",
});

export const readReportFile = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/report.html",
  token: "read",
  labelToken: "path",
  summary:
    "Downloads the report as a single HTML file. It works offline, runs no scripts, and loads nothing. Unlike a share page, it includes recipients, the SMTP session, headers, and DNS responses.",
  answer: { mediaType: "text/html", download: true },
  errors: ["conflict"],
});

export const formatDomain = defineEndpoint({
  ...shared,
  path: "/api/domains/:id/report",
  summary:
    "Downloads the last check's result as text, JSON, JUnit XML, SARIF, or Markdown. Returns `conflict` if the domain has not been checked yet.",
});
