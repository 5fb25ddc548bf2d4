// Analyzes a stored message and returns its new row. Everything runs in the analysis thread, so the main thread
// receives text that goes into the database unchanged.

import { analyzeMessage } from "../../../analyzer/analyze-message.ts";
import type { DnsStatus } from "../../../analyzer/dns/answer.ts";
import type { RecordSet } from "../../../analyzer/dns/record-sets.ts";
import type { NoticeSender } from "../../../analyzer/facts/notice-sender.ts";
import { toFromDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import type { MessageSummary } from "../../../analyzer/mail/mime/parse.ts";
import type { Recognised } from "../../../analyzer/mail/reports/mail-class.ts";
import { parseSessionText } from "../../../analyzer/mail/session/session-text.ts";
import { type SearchableText, toSearchable } from "../../../analyzer/mail/text/searchable.ts";
import { toContribution, toRates } from "../../../analyzer/reports/contribution.ts";
import type { Circumstances } from "../../../analyzer/reports/known-facts.ts";
import { type FoundMalware, listMalware, toMalwareResult } from "../../../analyzer/reports/malware.ts";
import { toPredicted } from "../../../analyzer/reports/observation.ts";
import { type Report, toResultWords } from "../../../analyzer/reports/report.ts";
import type { SeenSender } from "../../../analyzer/reports/seen-senders.ts";
import { type Stamp, toStamps } from "../../../analyzer/reports/stamps.ts";
import type { AnalysisContext, BrokenCheck } from "../../../analyzer/world.ts";
import type { KeptMessage } from "../../../platform/database/messages.ts";
import type { VerdictCounts } from "../../alerts/rules/alert-event.ts";
import { decodeRaw } from "../rows/raw-messages.ts";
import { encodeReport } from "../rows/reports.ts";
import type { TestAnalysis } from "../rows/tests.ts";

export type StoredMessage = KeptMessage & {
  readonly receivedAt: number;
  /** An earlier report as JSON, whose evidence is used instead of asking the network. */
  readonly recorded: string | null;
  /** Records that replace recorded ones. Lookups that the evidence lacks are then asked. */
  readonly changes?: readonly RecordSet[];
  readonly wantsText?: boolean;
  readonly circumstances: Circumstances;
};

export type Finding =
  | {
      readonly kind: "test";
      readonly analysis: Omit<TestAnalysis, "analyzedAt">;
      /** Empty when the evidence of an earlier analysis was used. */
      readonly seenSenders: readonly SeenSender[];
      /** Assay's identifiers in the message, which identify its copies elsewhere (analyzer/mail/mime/assay-marks.ts). */
      readonly marks: readonly string[];
      /** The first steps of the plan. */
      readonly issues: readonly FirstIssue[];
      readonly foundMalware: readonly FoundMalware[];
      /** The stamps of the servers that it passed, for the delay of a canary. */
      readonly stamps: readonly Stamp[];
      readonly verdicts: VerdictCounts;
      readonly broken: readonly BrokenCheck[];
      readonly dns: DnsCount;
      readonly text: SearchableText | null;
    }
  | {
      readonly kind: "noTest";
      readonly recognised: Exclude<Recognised, { kind: "test" }>;
      readonly message: MessageSummary;
      readonly sender: NoticeSender;
      readonly text: SearchableText | null;
    };

/** New queries of the analysis. */
export type DnsCount = {
  readonly asked: number;
  readonly timeouts: number;
  /** Because of the servers, so that asking again may help. */
  readonly unanswered: number;
};

export async function analyzeStored(stored: StoredMessage, analyst: AnalysisContext): Promise<Finding> {
  const { receivedAt, recorded, changes, wantsText = false } = stored;
  const raw = decodeRaw(stored);
  const session = parseSessionText(stored.session);
  const earlier = recorded === null ? null : (JSON.parse(recorded) as Report);
  const evidence = earlier?.analysis ?? null;
  // A preview is compared with the earlier report, so it is judged for the same volume.
  const volume = earlier && changes ? (earlier.judgment.volume ?? null) : stored.circumstances.volume;
  const circumstances = { ...stored.circumstances, ...(volume !== undefined && { volume }) };
  const { text: plain, ...analyzed } = await analyzeMessage(
    { raw, session, receivedAt, circumstances, evidence, wantsText, ...(changes && { changes }) },
    analyst,
  );
  const { recognised, message, report, seenSenders, traits, marks, sender, broken } = analyzed;
  const text = plain && toSearchable(plain);
  if (recognised.kind !== "test") return { kind: "noTest", recognised, message, sender, text };
  if (report === null) throw new Error("The analysis of a test returned no report.");
  return {
    kind: "test",
    analysis: {
      ...toColumns(report),
      door: session.door.kind,
      traits: traits && JSON.stringify(traits),
      report: encodeReport(JSON.stringify(report)),
      contribution: JSON.stringify(toContribution(report.judgment)),
    },
    seenSenders,
    marks,
    issues: toFirstIssues(report.judgment),
    foundMalware: listMalware(report),
    stamps: toStamps(report),
    verdicts: countVerdicts(report.judgment),
    broken,
    dns: countDns(report),
    text,
  };
}

const noAnswer: readonly DnsStatus[] = ["timeout", "unreachable", "servfail"];

/** A name server of the sender may always fail, so its SERVFAIL counts only beside silence or if nothing was answered. */
function countDns({ analysis: { dns, isReplay } }: Report): DnsCount {
  if (isReplay) return { asked: 0, timeouts: 0, unanswered: 0 };
  const count = (wanted: readonly DnsStatus[]) => dns.filter(({ status }) => wanted.includes(status)).length;
  const timeouts = count(["timeout"]);
  const silent = count(["timeout", "unreachable"]);
  const failed = count(noAnswer);
  const budget = count(["budget"]);
  const isOurs = silent > 0 || (failed > 0 && failed === dns.length);
  return { asked: dns.length, timeouts, unanswered: isOurs ? failed + budget : 0 };
}

export type FirstIssue = { readonly id: string; readonly title: string };

const mostFirst = 3;

function toFirstIssues({ plan, findings }: Report["judgment"]): FirstIssue[] {
  return plan.slice(0, mostFirst).flatMap((step) => {
    const found = findings.find(({ id }) => id === step.finding);
    return found ? [{ id: found.id, title: found.title }] : [];
  });
}

function countVerdicts({ findings, passes, skipped }: Report["judgment"]): VerdictCounts {
  // A consequence of another issue is not counted again.
  const own = findings.filter(({ ownedBy }) => ownedBy === null);
  const count = (severity: string) => own.filter((found) => found.severity === severity).length;
  return {
    critical: count("critical"),
    major: count("major"),
    minor: count("minor"),
    info: count("info"),
    passed: passes.length,
    skipped: skipped.length,
  };
}

type Columns = Omit<TestAnalysis, "analyzedAt" | "report" | "contribution" | "traits" | "door">;

function toColumns(report: Report): Columns {
  const { subject, from, messageId, bodyKey, attachments = null, judgment } = report;
  const { composite, coverage } = judgment.score;
  return {
    subject,
    header_from: from,
    from_domain: from === null ? null : toFromDomain(from),
    message_id: messageId,
    body_key: bodyKey,
    attachments,
    malware: toMalwareResult(judgment),
    ...toResultWords(report),
    composite,
    coverage,
    ...toRates(toPredicted(judgment.placement)),
    kind: judgment.kind?.kind ?? null,
  };
}
