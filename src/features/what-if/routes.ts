// What would be different with other DNS records.

import type { z } from "zod";
import { checkCatalog } from "../../analyzer/checks/catalog.ts";
import { compareFindings } from "../../analyzer/reports/compare-judgment.ts";
import type { DomainReport } from "../../analyzer/reports/domain-report.ts";
import { toTimestamp } from "../../platform/contract/primitives.ts";
import { type Route, readsOnly, route } from "../../platform/route.ts";
import { toDomainReportJson } from "../domains/contract/domain-report.ts";
import { askDomainWhatIf } from "../feedback/contract/domain-sources.ts";
import { askWhatIf } from "../tests/contract/reanalysis.ts";
import { toReport } from "../tests/routes/tests.ts";
import type { ImaginedZone, SeenMessage } from "./work/imagine-domains.ts";
import type { ResultSummary } from "./work/imagine-stored.ts";

export const whatIfRoutes: readonly Route[] = [
  route(askWhatIf, async ({ workspaceId, params: { id }, body: { records } }, { whatIf }) => {
    const { test, session, report } = await whatIf({ workspaceId, testId: id, records });
    return toReport(test, session, report);
  }).recording(readsOnly),
  route(askDomainWhatIf, async ({ workspaceId, params: { id }, body: { records } }, { domainWhatIf }) => {
    const { before, after, messages } = await domainWhatIf({ workspaceId, domainId: id, records });
    const { gone, added } = compareFindings(before, after);
    const { findings, plan } = toDomainReportJson(after, checkCatalog);
    return {
      before: toStanding(before),
      after: toStanding(after),
      gone: [...gone],
      added: [...added],
      findings: findings ?? [],
      plan: plan ?? [],
      messages: toMessages(messages),
    };
  }).recording(readsOnly),
];

type Answered = z.input<typeof askDomainWhatIf.answer>;

function toStanding({ verdicts: { spf, dkim, dmarc, bimi }, judgment }: DomainReport): Answered["before"] {
  const score = judgment.score.composite;
  return { spf: spf.word, dkim: dkim.word, dmarc: dmarc.word, bimi: bimi.word, score };
}

function toMessages({ total, totalIsExact, seen, unclear }: ImaginedZone["messages"]): Answered["messages"] {
  const changed = seen.filter(({ isChanged }) => isChanged);
  const better = changed.filter((one) => toGain(one) > 0).length;
  const worse = changed.filter((one) => toGain(one) < 0).length;
  return {
    total,
    totalIsExact,
    seen: seen.length,
    unclear,
    leftOut: Math.max(0, total - seen.length - unclear),
    better,
    worse,
    otherwise: changed.length - better - worse,
    unchanged: seen.length - changed.length,
    changes: changed.map(({ test, before, after, says }) => ({
      testId: test.id,
      receivedAt: toTimestamp(test.received_at),
      from: test.header_from,
      subject: test.subject,
      before,
      after,
      says: [...says],
    })),
  };
}

/** By score. If it stays the same, as a capped score may, by placement, then by what passes. */
function toGain({ before, after }: SeenMessage): number {
  const gainOf = (read: (standing: ResultSummary) => number | null) => (read(after) ?? 0) - (read(before) ?? 0);
  const isScored = before.composite !== null && after.composite !== null;
  const gain = isScored ? gainOf(({ composite }) => composite) : 0;
  return gain || gainOf(({ inbox_rate }) => inbox_rate) || gainOf(countPasses);
}

function countPasses({ spf, dkim, dmarc }: ResultSummary): number {
  return [spf, dkim, dmarc].filter((word) => word === "pass").length;
}
