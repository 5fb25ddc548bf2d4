// A message as received → what it is, and a test's report. Runs in the analysis thread, and in-process for the command line and tests.

import { gatherAuthentication } from "../facts/authentication.ts";
import { gatherPtr, toReverseNameOf } from "../facts/ptr.ts";
import { readLineFacts } from "../mail/line-facts.ts";
import { type Message, parseMessage } from "../mail/parse.ts";
import { recognise } from "../mail/recognise.ts";
import type { Recognised } from "../mail/recognised.ts";
import type { SmtpSession } from "../mail/session.ts";
import type { Evidence, Report } from "../reports/report.ts";
import { recordAnswers, replayAnswers, withinBudget } from "../system/dns-evidence.ts";
import { version } from "../version.ts";
import type { Analyst } from "./analyst.ts";

export type AnalysisInput = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  /** Signatures and clocks are judged by it: a later analysis judges the same moment. */
  readonly receivedAt: number;
  /** What an earlier analysis found out, in place of the world. */
  readonly evidence: Evidence | null;
};

export type Analysis = {
  readonly recognised: Recognised;
  readonly message: Message;
  /** Of a test; null for all that is none. */
  readonly report: Report | null;
};

const maxQuestionsPerMessage = 100;

export async function analyzeMessage(input: AnalysisInput, analyst: Analyst): Promise<Analysis> {
  const recognised = recognise(input.raw, input.session);
  const message = await parseMessage(input.raw);
  const report = recognised.kind === "test" ? await writeReport(input, message, analyst) : null;
  return { recognised, message, report };
}

async function writeReport(input: AnalysisInput, message: Message, analyst: Analyst): Promise<Report> {
  const { now, receiver, budgetMs } = analyst;
  const { raw, session, evidence } = input;
  const startedAt = now();
  const budget = { maxQuestions: maxQuestionsPerMessage, deadlineAt: startedAt + budgetMs, now };
  const recording = recordAnswers(evidence ? replayAnswers(evidence.dns) : withinBudget(analyst.dns, budget));
  const [authentication, ptr] = await Promise.all([
    gatherAuthentication(raw, session, receiver, recording.dns),
    gatherPtr(session.clientAddress, recording.dns),
  ]);
  return {
    ...message,
    authentication,
    reverseName: toReverseNameOf(ptr),
    lines: readLineFacts(raw),
    analysis: {
      version,
      isReplay: evidence !== null,
      startedAt,
      durationMs: now() - startedAt,
      dns: recording.answers(),
    },
  };
}
