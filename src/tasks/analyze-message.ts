// A message as received → its report. Runs in the analysis thread, and in-process for the command line and tests.

import { gatherAuthentication } from "../facts/authentication.ts";
import { parseMessage } from "../mail/parse.ts";
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

const maxQuestionsPerMessage = 100;

export async function analyzeMessage(
  input: AnalysisInput,
  system: Pick<System, "dns" | "now">,
): Promise<Report> {
  const startedAt = system.now();
  const budget = { maxQuestions: maxQuestionsPerMessage, deadlineAt: startedAt + input.budgetMs };
  const recording = recordAnswers(withinBudget(system.dns, { ...budget, now: system.now }));
  const message = await parseMessage(input.raw);
  const authentication = await gatherAuthentication(input.raw, input.session, input.receiver, recording.dns);
  return {
    subject: message.subject,
    from: message.from,
    authentication,
    analysis: { version, startedAt, durationMs: system.now() - startedAt, dns: recording.answers() },
  };
}
