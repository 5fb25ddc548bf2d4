// Analyzes the message of a signed report again, from what the file contains: the recorded DNS responses, the session, and
// what the workspace knew. Nothing is asked of the network, so the results depend on the rules alone.

import { analyzeMessage } from "../../../analyzer/analyze-message.ts";
import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import { replayAnswers } from "../../../analyzer/facts/dns-evidence.ts";
import { parseSessionText } from "../../../analyzer/mail/session/session-text.ts";
import type { Circumstances } from "../../../analyzer/reports/known-facts.ts";
import { type Evidence, type Report, toResultWords } from "../../../analyzer/reports/report.ts";
import { version } from "../../../analyzer/version.ts";
import { messageOf } from "../../../platform/errors.ts";
import { createAnalysisContext } from "../../tests/analysis/context.ts";
import { toReportFields } from "../../tests/contract/report.ts";
import type { TestReport } from "../../tests/contract/tests.ts";

/** The sections as JSON text. */
export type ReplaySections = {
  readonly dns: string;
  readonly session: string;
  readonly workspace: string;
  readonly report: string;
};

export type Replay =
  | { readonly ok: true; readonly differences: readonly string[]; readonly sameVersion: boolean }
  | { readonly ok: false; readonly why: string };

type SessionSection = { readonly session: string; readonly received_at: number; readonly receiver: string };
type WorkspaceSection = Circumstances & Pick<Evidence, "history" | "own" | "malware" | "outgoing" | "learned">;

/** Enough to see what it is about. */
const mostShown = 10;

/** Never throws: a foreign key may have signed anything. */
export async function replaySigned(raw: Uint8Array, sections: ReplaySections): Promise<Replay> {
  try {
    const { before, after } = await analyzeAgain(raw, sections);
    if (after === null) return { ok: false, why: "The current rules do not recognize the message as a test." };
    const [was, is] = [toVerdicts(before), toVerdicts(toComparable(after))];
    const names = [...new Set([...was.keys(), ...is.keys()])];
    const differences = names
      .filter((name) => was.get(name) !== is.get(name))
      .map((name) => `${name}: ${was.get(name) ?? "none"} in the file, ${is.get(name) ?? "none"} now`);
    const sameVersion = before.analysis?.version === version;
    return { ok: true, differences: differences.slice(0, mostShown), sameVersion };
  } catch (error) {
    return { ok: false, why: `The recorded evidence cannot be used: ${messageOf(error).slice(0, 200)}` };
  }
}

async function analyzeAgain(raw: Uint8Array, sections: ReplaySections) {
  const { session, received_at: receivedAt, receiver } = JSON.parse(sections.session) as SessionSection;
  const { history, own, malware, outgoing, learned, ...circumstances } = JSON.parse(
    sections.workspace,
  ) as WorkspaceSection;
  const evidence = {
    ...(JSON.parse(sections.dns) as Evidence),
    history,
    own,
    ...(malware && { malware }),
    ...(outgoing && { outgoing }),
    ...(learned && { learned }),
  };
  const context = createAnalysisContext(
    { receiver, budgetMs: 60_000, dnsClient: {}, dnsbls: [], rspamdUrl: null, spamdAddress: null },
    Date.now,
    replayAnswers(evidence.dns),
  );
  const { report } = await analyzeMessage(
    {
      raw,
      receivedAt,
      evidence,
      session: parseSessionText(session),
      circumstances: { ...circumstances, history, own },
    },
    context,
  );
  return { before: JSON.parse(sections.report) as TestReport, after: report };
}

type Comparable = Pick<TestReport, "composite" | "coverage" | "spf" | "dkim" | "dmarc" | "kind"> &
  Pick<TestReport, "findings" | "category_scores" | "placement_results">;

function toComparable(report: Report): Comparable {
  const { composite, coverage } = report.judgment.score;
  return {
    ...toReportFields(report, checkCatalog),
    ...toResultWords(report),
    composite,
    coverage,
    kind: report.judgment.kind?.kind ?? null,
  };
}

/** Each result that a person would compare, by name. Observed placements came later, so only predictions count. */
function toVerdicts(test: Comparable): ReadonlyMap<string, string> {
  const { composite, coverage, spf, dkim, dmarc, kind, findings, category_scores, placement_results } = test;
  const results = Object.entries({ score: composite, coverage, spf, dkim, dmarc, type: kind });
  return new Map([
    ...results.map(([name, value]) => [name, String(value)] as const),
    ...(category_scores ?? []).map(({ id, score }) => [`area ${id}`, String(score)] as const),
    ...(findings ?? []).map(
      (found) => [`finding ${found.id}`, `${found.severity} (${found.cost}) ${found.summary}`] as const,
    ),
    ...(placement_results ?? []).flatMap(({ provider, predicted }) =>
      predicted === null
        ? []
        : [[`placement at ${provider}`, `${predicted.folder} ${JSON.stringify(predicted.odds)}`] as const],
    ),
  ]);
}
