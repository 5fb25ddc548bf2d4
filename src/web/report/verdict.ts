// What the report's sentence is made of, and what comes next.

import { toInnerTitle } from "../../api/plain-words.ts";
import type { TestReport } from "../../api/tests.ts";
import { type Phrase, toVerdict as tell } from "../../api/verdict-words.ts";
import { toScore, toWord } from "../client/words.ts";
import { faultsOf } from "./findings.ts";
import { isOwnMailbox, toPlacementRows, toProviderName } from "./placement-row.ts";

export type { Phrase };

export function toVerdict(test: TestReport): readonly Phrase[] {
  const { spf, dkim, dmarc, authentication } = test;
  const faults = faultsOf(test);
  return tell({
    ...{ spf, dkim, dmarc },
    policy: authentication?.dmarc?.policy ?? null,
    namesNobody: authentication?.dmarc?.domain === null,
    placed: toPlacementRows(test).map(({ provider, folder, method }) => ({
      name: toShortName(provider),
      folder,
      isObserved: method === "observed",
      isOwn: isOwnMailbox(provider),
    })),
    faults,
  });
}

function toShortName(provider: string): string {
  return { yahoo: "Yahoo", generic: "other mailbox hosts" }[provider] ?? toProviderName(provider);
}

/** What comes first, and what it gives. */
export function toNextStep({ plan, composite, findings }: TestReport): string | null {
  if (plan === null || plan.length === 0 || composite === null) return null;
  const atOnce = plan.findIndex((step) => step.composite >= Math.min(90, plan.at(-1)?.composite ?? 0)) + 1;
  const reached = plan[atOnce - 1];
  const first = findings?.find(({ id }) => id === plan[0]?.finding);
  if (!reached || !first) return null;
  const gain =
    atOnce === 1
      ? `One repair brings it from ${toScore(composite)} to ${toScore(reached.composite)}.`
      : `${toWord(atOnce).replace(/^./, (letter) => letter.toUpperCase())} repairs bring it from ${toScore(composite)} to ${toScore(reached.composite)}.`;
  return reached.composite > composite ? `${gain} Start with: ${toInnerTitle(first.title)}.` : null;
}
