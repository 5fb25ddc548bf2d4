import type { z } from "zod";
import { toDomainReportJson } from "../api/domain-report.ts";
import { askDomainWhatIf } from "../api/domain-what-if.ts";
import { toTimestamp } from "../api/primitives.ts";
import { compareFindings } from "../reports/compare-judgment.ts";
import type { DomainReport } from "../reports/domain-report.ts";
import type { ImaginedZone, SeenMessage } from "../tasks/domain-what-if.ts";
import type { Standing } from "../tasks/imagine-stored.ts";
import { type Route, route } from "./route.ts";

type Answered = z.input<typeof askDomainWhatIf.answer>;

export const domainWhatIfRoutes: readonly Route[] = [
  route(askDomainWhatIf, async ({ workspaceId, params: { id }, body: { records } }, { domainWhatIf }) => {
    const { before, after, messages } = await domainWhatIf({ workspaceId, domainId: id, records });
    const { gone, added } = compareFindings(before, after);
    const { findings, plan } = toDomainReportJson(after);
    return {
      before: toStanding(before),
      after: toStanding(after),
      ...{ gone: [...gone], added: [...added], findings: findings ?? [], plan: plan ?? [] },
      messages: toMessages(messages),
    };
  }),
];

function toStanding({ verdicts: { spf, dkim, dmarc, bimi }, judgment }: DomainReport): Answered["before"] {
  const score = judgment.score.composite;
  return { spf: spf.word, dkim: dkim.word, dmarc: dmarc.word, bimi: bimi.word, score };
}

function toMessages({ total, totalIsExact, seen, unclear }: ImaginedZone["messages"]): Answered["messages"] {
  const changed = seen.filter(({ isChanged }) => isChanged);
  const better = changed.filter((one) => toGain(one) > 0).length;
  const worse = changed.filter((one) => toGain(one) < 0).length;
  return {
    ...{ total, totalIsExact, seen: seen.length, unclear },
    leftOut: Math.max(0, total - seen.length - unclear),
    ...{ better, worse, otherwise: changed.length - better - worse },
    unchanged: seen.length - changed.length,
    changes: changed.map(({ test, before, after, says }) => ({
      testId: test.id,
      receivedAt: toTimestamp(test.received_at),
      from: test.header_from,
      subject: test.subject,
      ...{ before, after, says: [...says] },
    })),
  };
}

/** By the score; where that stays (it may be capped), by where the message would land, then by what passes. */
function toGain({ before, after }: SeenMessage): number {
  const gainOf = (read: (standing: Standing) => number | null) => (read(after) ?? 0) - (read(before) ?? 0);
  const isScored = before.composite !== null && after.composite !== null;
  const gain = isScored ? gainOf(({ composite }) => composite) : 0;
  return gain || gainOf(({ inbox_rate }) => inbox_rate) || gainOf(countPasses);
}

function countPasses({ spf, dkim, dmarc }: Standing): number {
  return [spf, dkim, dmarc].filter((word) => word === "pass").length;
}
