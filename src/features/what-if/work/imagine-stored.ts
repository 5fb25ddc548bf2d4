// Previews what changed DNS records would do to a recorded check. Both sides are recomputed with today's rules and the
// same evidence, so any difference comes from the records alone. Runs in the thread for web views.

import { isDeepStrictEqual } from "node:util";
import { analyzeMessage } from "../../../analyzer/analyze-message.ts";
import { imagineDomain } from "../../../analyzer/check-domain.ts";
import type { RecordSet } from "../../../analyzer/dns/record-sets.ts";
import { parseSessionText } from "../../../analyzer/mail/session/session-text.ts";
import { compareReports } from "../../../analyzer/reports/compare.ts";
import { toRates } from "../../../analyzer/reports/contribution.ts";
import type { DomainReport } from "../../../analyzer/reports/domain-report.ts";
import { toPredicted } from "../../../analyzer/reports/observation.ts";
import { type Report, toPolicyAction, toResultWords } from "../../../analyzer/reports/report.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import type { AnalysisContext } from "../../../analyzer/world.ts";
import type { StoredMessage } from "../../tests/analysis/analyze-stored.ts";
import type { Workers } from "../../tests/analysis/jobs.ts";
import { decodeRaw } from "../../tests/rows/raw-messages.ts";

declare module "../../tests/analysis/jobs.ts" {
  interface Jobs {
    imagine: { asks: { readonly kind: "imagine"; readonly message: ImaginedMessage }; answers: MessageChange | null };
    "imagine-domain": {
      asks: { readonly kind: "imagine-domain"; readonly domain: ImaginedDomain };
      answers: DomainChange;
    };
  }
}

export const whatIfWorkers: Workers<"imagine" | "imagine-domain"> = {
  imagine: ({ message }, { analyst }) => imagineMessage(message, analyst),
  "imagine-domain": ({ domain }, { analyst }) => imagineWithDomain(domain, analyst),
};

type ImaginedMessage = StoredMessage & { readonly recorded: string; readonly changes: readonly RecordSet[] };

export type ResultSummary = ReturnType<typeof toResultWords> &
  ReturnType<typeof toRates> & {
    readonly composite: number | null;
    readonly dmarcAction: ReturnType<typeof toPolicyAction>;
  };

export type MessageChange = {
  readonly before: ResultSummary;
  readonly after: ResultSummary;
  readonly isChanged: boolean;
  /** Plain sentences, most important first. */
  readonly says: readonly string[];
};

const mostSentences = 6;

/** Null if too little was recorded, or if today's rules no longer recognize it as a test. */
async function imagineMessage(stored: ImaginedMessage, analyst: AnalysisContext): Promise<MessageChange | null> {
  const evidence = parseReport(stored.recorded)?.analysis;
  if (evidence === undefined) return null;
  const { receivedAt, circumstances } = stored;
  const session = parseSessionText(stored.session);
  const input = { raw: decodeRaw(stored), session, receivedAt, circumstances, evidence };
  // In parallel, so silent name servers are waited for only once.
  const [before, after] = await Promise.all(
    [[], stored.changes].map(async (changes) => (await analyzeMessage({ ...input, changes }, analyst)).report),
  );
  if (!before || !after) return null;
  const toSide = (report: Report) => ({ report, session, receivedAt, label: circumstances.label });
  const { says } = compareReports(toSide(before), toSide(after));
  const [was, is] = [toStanding(before), toStanding(after)];
  const isChanged = !isDeepStrictEqual(toOutcome(before, was), toOutcome(after, is));
  return { before: was, after: is, isChanged, says: says.slice(0, mostSentences) };
}

/** The outcome without DNS answers and expected gains. */
function toOutcome({ judgment }: Report, standing: ResultSummary) {
  return [standing, judgment.findings.map(({ id, severity, says, cost }) => [id, severity, says, cost])];
}

function toStanding(report: Report): ResultSummary {
  const { score, placement } = report.judgment;
  const rates = toRates(toPredicted(placement));
  const dmarcAction = toPolicyAction(report);
  return { ...toResultWords(report), ...rates, composite: score.composite, dmarcAction };
}

type ImaginedDomain = { readonly report: DomainReport; readonly changes: readonly RecordSet[] };

export type DomainChange = { readonly before: DomainReport; readonly after: DomainReport };

async function imagineWithDomain({ report, changes }: ImaginedDomain, analyst: AnalysisContext): Promise<DomainChange> {
  analyst.enter("verifying");
  const [before, after] = await Promise.all([
    imagineDomain(report, [], analyst),
    imagineDomain(report, changes, analyst),
  ]);
  return { before: before.report, after: after.report };
}
