// A message as it is kept → what its row becomes. All of it in the analysis thread: what crosses to the main thread is
// text that goes into the database as it is.

import type { MessageSummary } from "../mail/parse.ts";
import type { Recognised } from "../mail/recognised.ts";
import { parseSessionText } from "../mail/session-text.ts";
import { dkimResult, type Report } from "../reports/report.ts";
import { decodeRaw, type KeptMessage } from "../store/raw-messages.ts";
import type { TestAnalysis } from "../store/tests.ts";
import type { System } from "../system/system.ts";
import { type AnalysisInput, analyzeMessage } from "./analyze-message.ts";

export type StoredInput = Pick<AnalysisInput, "receiver" | "budgetMs"> & KeptMessage;

export type Finding =
  | { readonly kind: "test"; readonly analysis: Omit<TestAnalysis, "analyzedAt"> }
  | {
      readonly kind: "noTest";
      readonly recognised: Exclude<Recognised, { kind: "test" }>;
      readonly message: MessageSummary;
    };

export async function analyzeStored(
  { encoding, bytes, session, receiver, budgetMs }: StoredInput,
  system: Pick<System, "dns" | "now">,
): Promise<Finding> {
  const raw = decodeRaw({ encoding, bytes });
  const input = { raw, session: parseSessionText(session), receiver, budgetMs };
  const { recognised, message, report } = await analyzeMessage(input, system);
  if (recognised.kind !== "test") return { kind: "noTest", recognised, message };
  if (report === null) throw new Error("A test has no report.");
  return { kind: "test", analysis: { ...toColumns(report), report: JSON.stringify(report) } };
}

function toColumns(report: Report): Omit<TestAnalysis, "analyzedAt" | "report"> {
  const verdicts = report.authentication.known ? report.authentication.value : null;
  return {
    subject: report.subject,
    header_from: report.from,
    message_id: report.messageId,
    spf: verdicts?.spf?.result ?? null,
    dkim: verdicts ? dkimResult(verdicts.dkim) : null,
    dmarc: verdicts?.dmarc?.result ?? null,
  };
}
