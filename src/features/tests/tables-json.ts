// What the JSON columns of tests contain, apart from tables.ts, because threads load that.

import { z } from "zod";
import { checkCatalog } from "../../analyzer/checks/catalog.ts";
import { bounceClasses } from "../../analyzer/mail/reports/mail-class.ts";
import { type DoorKind, doors } from "../../analyzer/mail/session/doors.ts";
import { predictedFolders } from "../../analyzer/placement/provider.ts";
import type { Forwarding } from "../../analyzer/reports/forwarding.ts";
import type { SecondReading } from "../../analyzer/reports/second-reading.ts";
import { observedFolders } from "../../analyzer/reports/sighting.ts";
import { parseReport } from "../../analyzer/reports/stored-report.ts";
import type { JsonColumns } from "../../platform/database/json-columns.ts";
import { toForwardingPrediction } from "./contract/forwarding.ts";
import { toReportJson } from "./contract/report.ts";
import { toSecondReading } from "./contract/second-reading.ts";
import { traits } from "./contract/streams.ts";

const words = z.array(z.string());
const text = z.string().nullable();
/** What analyzer/mail/session/session-text.ts leaves out is absent. */
const session = z
  .object({
    source: z.enum(["smtp", "claimed"]),
    door: z.looseObject({ kind: z.enum(Object.keys(doors) as DoorKind[]) }),
    clientAddress: z.string(),
    clientPort: z.number(),
    clientName: z.string(),
    via: z.object({ how: z.string(), address: z.string() }),
    helo: z.string(),
    protocol: z.string(),
    tls: z.object({ version: z.string(), cipher: z.string(), serverName: text }),
    mailFrom: z.string(),
    mailParameters: words,
    rcptTo: words,
    rcptParameters: z.array(words),
    unawaited: z.array(z.object({ behind: z.string(), sent: text })),
    connectedAt: z.number(),
    dataStartedAt: z.number(),
    dataEndedAt: z.number(),
    saidReceivedAt: z.number(),
    trusted: words,
    transcript: z.string(),
  })
  .partial();
const recipient = z.object({
  address: text,
  status: text,
  action: text,
  class: z.enum(bounceClasses),
  hard: z.boolean(),
  diagnostic: text,
});
const evidence = z.object({
  authenticationResults: words,
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  messageId: text,
  arrivedAt: z.number(),
  candidates: z.number(),
  moves: z.array(z.object({ folder: z.enum(observedFolders), folderName: z.string(), seenAt: z.number() })),
});

export const testJson: JsonColumns = {
  tests: { recipients: words, traits },
  raw_messages: { session },
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
