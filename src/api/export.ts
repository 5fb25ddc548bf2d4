import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { idParams, queryInteger } from "./primitives.ts";

const maxExportedTests = 5_000;

/** The interface's columns in its order. */
export const exportColumns = [
  "id",
  "received_at",
  "from",
  "subject",
  "status",
  "composite",
  "inbox_rate",
  "spam_rate",
  "promo_rate",
  "spf",
  "dkim",
  "dmarc",
] as const;

export const exportTests = defineEndpoint({
  method: "GET",
  path: "/api/tests/export.csv",
  access: "member",
  summary: `The tests of the workspace as CSV (RFC 4180, UTF-8), newest first, at most ${maxExportedTests}. A cell that a spreadsheet would run as a formula begins with an apostrophe.`,
  query: z.strictObject({
    limit: queryInteger(1)
      .default(maxExportedTests)
      .describe(`Lowers the number of rows; what is above ${maxExportedTests} lowers nothing.`)
      .transform((limit) => Math.min(limit, maxExportedTests)),
  }),
  answer: { mediaType: "text/csv", download: true },
  errors: ["rate_limited", "overloaded"],
});

export const readReportFile = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/report.html",
  access: "member",
  summary:
    "The report as one file to keep: it reads offline, runs nothing and loads nothing. Unlike a share it holds recipients, session, headers and answers of DNS.",
  params: idParams,
  answer: { mediaType: "text/html", download: true },
  errors: ["conflict"],
});
