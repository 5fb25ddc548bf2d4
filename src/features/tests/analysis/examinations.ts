// What is worked out about a test when its report is opened, in the examination thread. To add a kind: its name and version
// in analyzer/reports/examination.ts, and its function here, loaded when it first runs.

import { analystFor } from "../../../analyzer/analyze-message.ts";
import type { Dns, DnsAnswer } from "../../../analyzer/dns/answer.ts";
import { continueAnswers, recordAnswers, withinBudget } from "../../../analyzer/facts/dns-evidence.ts";
import type { SmtpSession } from "../../../analyzer/mail/session/session.ts";
import { parseSessionText } from "../../../analyzer/mail/session/session-text.ts";
import type { Phase } from "../../../analyzer/phase.ts";
import type { ExaminationKind } from "../../../analyzer/reports/examination.ts";
import type { Report } from "../../../analyzer/reports/report.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import type { AnalysisContext } from "../../../analyzer/world.ts";
import type { ExaminedMessage } from "../rows/examinations.ts";
import { decodeRaw } from "../rows/raw-messages.ts";
import { decodeReport } from "../rows/reports.ts";

type ExaminationInput = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  readonly receivedAt: number;
  /** The receiving host's name. */
  readonly receiver: string;
  /** The newest report, with the DNS answers that it is based on. */
  readonly report: Report;
  /** Answers from the report's record. What the record lacks is asked, within a budget. */
  readonly dns: Dns;
  /** The answers that were asked now, in order. */
  readonly asked: () => DnsAnswer[];
  /** Phases that froze an earlier try with this message. They must be left out. */
  readonly frozen: ReadonlySet<string>;
  readonly enter: (phase: Phase) => void;
};

/** Computes only from its input, so that a repetition gives the same result. */
type Examine = (input: ExaminationInput) => Promise<unknown>;

const examinations: { readonly [K in ExaminationKind]: Examine } = {
  "second-reader": async (input) => (await import("../../../analyzer/second-reader/examine.ts")).examineAgain(input),
  forwarding: async (input) => (await import("../../../analyzer/forward-message.ts")).forwardMessage(input),
};

/**
 * If one of these phases freezes or ends the thread, the next try leaves it out and says so. Other phases end the
 * examination.
 */
export const phasesToLeaveOut: readonly Phase[] = ["second-parsing", "second-verifying"];

export type ExaminationJob = {
  readonly kind: "examine";
  readonly examination: ExaminationKind;
  readonly message: ExaminedMessage;
  readonly frozen: readonly string[];
};

/** Few, because the report already asked what matters. */
const maxQuestions = 40;

/** Returns the result as JSON. Null if the report is in an old format. */
export async function examineStored(job: ExaminationJob, analyst: AnalysisContext): Promise<string | null> {
  const { message, examination, frozen } = job;
  const report = parseReport(decodeReport(message.report));
  if (report === null) return null;
  const examined = {
    raw: decodeRaw(message),
    session: parseSessionText(message.session),
    report,
    receivedAt: message.received_at,
  };
  return JSON.stringify(await examinations[examination](toInput(examined, analyst, frozen)));
}

type Examined = Pick<ExaminationInput, "raw" | "session" | "receivedAt" | "report">;

export function toInput(
  examined: Examined,
  analyst: AnalysisContext,
  frozen: readonly string[] = [],
): ExaminationInput {
  const { now, budgetMs, receiver, enter } = analyst;
  const budget = { maxQuestions, deadlineAt: now() + budgetMs, now };
  const live = recordAnswers(withinBudget(analystFor(examined.session, analyst).dns, budget));
  return {
    ...examined,
    receiver,
    enter,
    dns: continueAnswers(recordedOf(examined.report), live.dns),
    asked: live.answers,
    frozen: new Set(frozen),
  };
}

/** Questions that our own limit prevented have no answer on record. */
function recordedOf({ analysis }: Report): readonly DnsAnswer[] {
  return analysis.dns.filter(({ status }) => status !== "budget");
}
