import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { queryInteger } from "../../../platform/contract/primitives.ts";
import { testFilters } from "./test-filters.ts";

const maxExportedTests = 5_000;

/** The columns in the order of the API's fields. */
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
  token: "read",
  labelToken: "handler",
  summary: `Exports the workspace's tests as CSV (RFC 4180, UTF-8), with the filters and the order of GET /api/tests, up to ${maxExportedTests}. Cells that a spreadsheet would run as a formula start with an apostrophe.`,
  query: z.strictObject({
    ...testFilters,
    limit: queryInteger(1)
      .default(maxExportedTests)
      .describe(`Maximum number of rows. Values above ${maxExportedTests} have no effect.`)
      .transform((limit) => Math.min(limit, maxExportedTests)),
  }),
  answer: { mediaType: "text/csv", download: true },
  errors: ["rate_limited", "overloaded"],
});
