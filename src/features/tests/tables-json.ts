// What the JSON columns of tests contain, apart from tables.ts, because threads load that.

import { z } from "zod";
import { checkCatalog } from "../../analyzer/checks/catalog.ts";
import { bounceClasses } from "../../analyzer/mail/reports/mail-class.ts";
import { parseSessionText } from "../../analyzer/mail/session/session-text.ts";
import { predictedFolders } from "../../analyzer/placement/provider.ts";
import type { Forwarding } from "../../analyzer/reports/forwarding.ts";
import type { SecondReading } from "../../analyzer/reports/second-reading.ts";
import { observedFolders } from "../../analyzer/reports/sighting.ts";
import { parseReport } from "../../analyzer/reports/stored-report.ts";
import { all, type JsonColumns } from "../../platform/database/json-columns.ts";
import { toForwardingPrediction } from "./contract/forwarding.ts";
import { toReportJson } from "./contract/report.ts";
import { toSecondReading } from "./contract/second-reading.ts";
import { traits } from "./contract/streams.ts";

const words = z.array(z.string());
const text = z.string().nullable();
const recipient = z.object({
  ...all(text, "address", "status", "action", "diagnostic"),
  class: z.enum(bounceClasses),
  hard: z.boolean(),
});
const evidence = z.object({
  authenticationResults: words,
  headers: z.array(z.object(all(z.string(), "name", "value"))),
  messageId: text,
  ...all(z.number(), "arrivedAt", "candidates"),
  moves: z.array(z.object({ folder: z.enum(observedFolders), folderName: z.string(), seenAt: z.number() })),
});

export const testJson: JsonColumns = {
  tests: { recipients: words, traits },
  raw_messages: { session: parseSessionText },
  reports: {
    report: (json) => {
      const report = parseReport(json);
      return report && toReportJson(report, checkCatalog);
    },
  },
  test_examinations: {
    result: (json, { kind, state }) => {
      if (state !== "done") return null; // the reason for a failure
      const read = JSON.parse(json);
      return kind === "forwarding"
        ? toForwardingPrediction(read as Forwarding)
        : toSecondReading(read as SecondReading);
    },
    frozen: words,
  },
  bounces: { recipients: z.array(recipient) },
  observations: { evidence, predicted_odds: z.partialRecord(z.enum(predictedFolders), z.number()) },
};
