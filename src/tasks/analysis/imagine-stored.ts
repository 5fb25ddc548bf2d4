// What was checked once, as it is recorded → what other records in DNS would change. Both sides are made anew, in the same
// world but for those records: what differs between them comes of the records alone, and not of our own rules, which may
// have changed since. In the thread that reads for people.

import { isDeepStrictEqual } from "node:util";
import { parseSessionText } from "../../mail/session/session-text.ts";
import { compareReports } from "../../reports/compare.ts";
import { toRates } from "../../reports/contribution.ts";
import type { DomainReport } from "../../reports/domain-report.ts";
import { type Report, toResultWords } from "../../reports/report.ts";
import { parseReport } from "../../reports/stored-report.ts";
import { decodeRaw } from "../../store/tests/raw-messages.ts";
import type { RecordSet } from "../../system/record-sets.ts";
import { analyzeMessage } from "./analyze-message.ts";
import type { StoredMessage } from "./analyze-stored.ts";
import { imagineDomain } from "./check-domain.ts";
import type { AnalysisContext } from "./context.ts";

export type ImaginedMessage = StoredMessage & {
  readonly recorded: string;
  readonly changes: readonly RecordSet[];
};

export type ResultSummary = ReturnType<typeof toResultWords> &
  ReturnType<typeof toRates> & { readonly composite: number | null };

export type MessageChange = {
  readonly before: ResultSummary;
  readonly after: ResultSummary;
  readonly isChanged: boolean;
  /** In plain sentences, the most telling first. */
  readonly says: readonly string[];
};

const mostSentences = 6;

/** Null where too little is recorded, or by today's rules it is no test. */
export async function imagineMessage(
  stored: ImaginedMessage,
  analyst: AnalysisContext,
): Promise<MessageChange | null> {
  const evidence = parseReport(stored.recorded)?.analysis;
  if (evidence === undefined) return null;
  const { receivedAt, circumstances } = stored;
  const session = parseSessionText(stored.session);
  const input = { raw: decodeRaw(stored), session, receivedAt, circumstances, evidence };
  // Together, so that silent name servers are waited for once.
  const [before, after] = await Promise.all(
    [[], stored.changes].map(
      async (changes) => (await analyzeMessage({ ...input, changes }, analyst)).report,
    ),
  );
  if (!before || !after) return null;
  const toSide = (report: Report) => ({ report, session, receivedAt, label: circumstances.label });
  const { says } = compareReports(toSide(before), toSide(after));
  const [was, is] = [toStanding(before), toStanding(after)];
  const isChanged = !isDeepStrictEqual(toOutcome(before, was), toOutcome(after, is));
  return { before: was, after: is, isChanged, says: says.slice(0, mostSentences) };
}

/** What somebody would look at: not the answers of DNS that led to it, nor what mending each would give. */
function toOutcome({ judgment }: Report, standing: ResultSummary) {
  return [standing, judgment.findings.map(({ id, severity, says, cost }) => [id, severity, says, cost])];
}

function toStanding(report: Report): ResultSummary {
  const { score, placement } = report.judgment;
  const rates = toRates(placement?.predictions ?? []);
  return { ...toResultWords(report), ...rates, composite: score.composite };
}

export type ImaginedDomain = {
  readonly report: DomainReport;
  readonly changes: readonly RecordSet[];
};

export type DomainChange = { readonly before: DomainReport; readonly after: DomainReport };

export async function imagineWithDomain(
  { report, changes }: ImaginedDomain,
  analyst: AnalysisContext,
): Promise<DomainChange> {
  analyst.enter("verifying");
  const [before, after] = await Promise.all([
    imagineDomain(report, [], analyst),
    imagineDomain(report, changes, analyst),
  ]);
  return { before: before.report, after: after.report };
}
