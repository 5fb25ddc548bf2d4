// A report as the Test resource and `assay analyze --json` show it.

import { z } from "zod";
import type { CheckCatalog } from "../../../analyzer/checks/catalog.ts";
import { decodedText } from "../../../analyzer/mail/headers/encoded-words.ts";
import { readHeaderSection } from "../../../analyzer/mail/headers/fields.ts";
import { toRates } from "../../../analyzer/reports/contribution.ts";
import { nothingSeen, type SeenInMailboxes, toPredicted } from "../../../analyzer/reports/observation.ts";
import { type Report, toResultWords } from "../../../analyzer/reports/report.ts";
import { timestamp, toSnakeCased, toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import { toAssumedNotice } from "../../intake/contract/outgoing-server.ts";
import { authentication, resultWord, toAuthentication } from "./authentication.ts";
import { judgmentFields, toJudgmentFields } from "./judgment.ts";
import { placementResults, toPlacementResults } from "./placement.ts";
import { surroundings, toSurroundings } from "./surroundings.ts";
import { timeline, toDeliveryTimeline } from "./timeline.ts";

/** Null until analyzed, and if the result is unknown. */
export const resultWords = {
  spf: resultWord.nullable(),
  dkim: resultWord.nullable().describe("The best of all signatures, aligned ones first."),
  dmarc: resultWord.nullable(),
};

/** The fields of a DNS answer, without its figures, which each interface names in its own way. */
export const dnsAnswerFields = {
  name: z.string(),
  type: z.string(),
  status: z.string(),
  records: z.array(z.record(z.string(), z.unknown())),
  authenticated: z.boolean(),
  server: z.string().nullable(),
  at: timestamp,
};
export const dnsAliases = z.array(z.string()).describe("The CNAME targets, ending with the name that answered.");

const dnsAnswer = z
  .strictObject({
    ...dnsAnswerFields,
    aliases: dnsAliases,
    ttl_seconds: z.number().nullable(),
    duration_ms: z.number(),
  })
  .meta({ id: "DnsAnswer" });

/** Each is null until the test is analyzed. */
export const reportFields = {
  ...judgmentFields,
  placement_results: placementResults.nullable(),
  authentication: authentication.nullable(),
  surroundings: surroundings.nullable(),
  delivery_timeline: timeline.nullable(),
  raw_headers: z.string().nullable().describe("The header section as received."),
  headers: z
    .array(z.strictObject({ name: z.string(), value: z.string() }))
    .nullable()
    .describe("The same headers as an ordered list, decoded."),
  shortened: z.array(z.string()).nullable().describe("Parts that were not read because the message exceeds a limit."),
  analysis: z
    .strictObject({
      version: z.string(),
      started_at: timestamp,
      duration_ms: z.number(),
      judged_at: timestamp.nullable().describe("The time against which signatures and clocks are checked."),
      judged_from: z
        .enum(["session", "said", "received", "arrival", "unusable"])
        .nullable()
        .describe(
          "`session`: the SMTP session. `said`: provided by the uploader. `received`: the newest Received header. `arrival`: no time was available, so the time of upload or analysis. `unusable`: the same, because the newest Received header has no usable date.",
        ),
      dns: z.array(dnsAnswer).describe("All DNS responses that the analysis used."),
      learned: z
        .strictObject({ slope: z.number(), intercept: z.number() })
        .nullable()
        .describe("The line of the workspace's own mail that the placement prediction used."),
    })
    .nullable(),
};

type Fields = { [Name in keyof typeof reportFields]: z.infer<(typeof reportFields)[Name]> };

export function toReportFields(
  report: Report | null,
  catalog: CheckCatalog,
  seen: SeenInMailboxes = nothingSeen,
): Fields {
  if (report === null) return nothingYet;
  const { assumed } = report.authentication;
  const judged = toJudgmentFields(report, catalog);
  return {
    ...judged,
    notices: [...(judged.notices ?? []), ...(assumed ? [toAssumedNotice(assumed)] : [])],
    placement_results: toPlacementResults(report.judgment.placement, seen, toResultWords(report)),
    authentication: toAuthentication(report.authentication),
    surroundings: toSurroundings(report.surroundings),
    delivery_timeline: toDeliveryTimeline(report.timeline),
    raw_headers: report.rawHeaders,
    headers: toHeaders(report.rawHeaders),
    shortened: [...report.shortened],
    analysis: toAnalysis(report.analysis),
  };
}

function toHeaders(rawHeaders: string): Fields["headers"] {
  const { fields } = readHeaderSection(Buffer.from(rawHeaders));
  return fields.map((field) => ({ name: field.name, value: decodedText(field) }));
}

const nothingYet = Object.fromEntries(Object.keys(reportFields).map((name) => [name, null])) as {
  [Name in keyof typeof reportFields]: null;
};

function toAnalysis(analysis: Report["analysis"]): Fields["analysis"] {
  const { version, startedAt, durationMs, judgedAt, judgedFrom, dns, learned } = analysis;
  return {
    version,
    started_at: toTimestamp(startedAt),
    duration_ms: durationMs,
    judged_at: toTimestampOrNull(judgedAt ?? null),
    judged_from: judgedFrom ?? null,
    dns: dns.map(({ at, records, aliases = [], ...answer }) => ({
      ...toSnakeCased(answer),
      records: records.map((record) => ({ ...record })),
      aliases: [...aliases],
      at: toTimestamp(at),
    })),
    learned: learned ? { slope: learned.slope, intercept: learned.intercept } : null,
  };
}

/** Without the test around it. */
export function toReportJson(report: Report, catalog: CheckCatalog): object {
  const { subject, from, messageId, judgment } = report;
  const { composite, coverage } = judgment.score;
  return {
    from,
    subject,
    message_id: messageId,
    composite,
    ...toRates(toPredicted(judgment.placement)),
    ...toResultWords(report),
    kind: judgment.kind?.kind ?? null,
    coverage,
    ...toReportFields(report, catalog),
  };
}
