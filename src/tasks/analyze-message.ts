// A message as received → what it is, and a test's report. Runs in the analysis thread, and in-process for the command line and tests.

import { gatherAuthentication } from "../facts/authentication.ts";
import { gatherReverseName } from "../facts/reverse-name.ts";
import { readLineFacts } from "../mail/line-facts.ts";
import { type MessageSummary, parseMessage, toSummary } from "../mail/parse.ts";
import { recognise } from "../mail/recognise.ts";
import type { Recognised } from "../mail/recognised.ts";
import type { SmtpSession } from "../mail/session.ts";
import type { Report } from "../reports/report.ts";
import { recordAnswers, withinBudget } from "../system/dns-evidence.ts";
import type { System } from "../system/system.ts";
import { version } from "../version.ts";

export type AnalysisInput = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  /** Who received it, as a Received-SPF line would say. */
  readonly receiver: string;
  readonly budgetMs: number;
};

export type Analysis = {
  readonly recognised: Recognised;
  readonly message: MessageSummary;
  /** Of a test; null for all that is none. */
  readonly report: Report | null;
};

const maxQuestionsPerMessage = 100;

export async function analyzeMessage(
  input: AnalysisInput,
  system: Pick<System, "dns" | "now">,
): Promise<Analysis> {
  const startedAt = system.now();
  const recognised = recognise(input.raw, input.session);
  const message = toSummary(parseMessage(input.raw));
  const report = recognised.kind === "test" ? await writeReport(input, message, startedAt, system) : null;
  return { recognised, message, report };
}

async function writeReport(
  input: AnalysisInput,
  message: MessageSummary,
  startedAt: number,
  system: Pick<System, "dns" | "now">,
): Promise<Report> {
  const budget = { maxQuestions: maxQuestionsPerMessage, deadlineAt: startedAt + input.budgetMs };
  const recording = recordAnswers(withinBudget(system.dns, { ...budget, now: system.now }));
  const { raw, session, receiver } = input;
  const [authentication, reverseName] = await Promise.all([
    gatherAuthentication(raw, session, receiver, recording.dns),
    gatherReverseName(session.clientAddress, recording.dns),
  ]);
  return {
    ...message,
    authentication,
    reverseName,
    lines: readLineFacts(raw),
    analysis: { version, startedAt, durationMs: system.now() - startedAt, dns: recording.answers() },
  };
}
