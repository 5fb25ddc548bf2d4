// The verdict line at the top of a report.

import { faultsOf } from "../../features/tests/rules/issues.ts";
import { type Phrase, toVerdict as toLine, toOpenSender } from "../../features/tests/words/verdict-words.ts";
import { isOpen, toPlacementRows } from "./placement-row.ts";
import type { ShownTest } from "./shown-test.ts";

export type { Phrase };

export function toVerdict(test: ShownTest): readonly Phrase[] {
  return toLine({
    placed: toPlacementRows(test).map((row) => ({
      provider: row.provider,
      folder: row.folder,
      isObserved: row.method === "observed",
      isOpen: isOpen(row),
      ifLarge: row.predicted?.if_large?.folder ?? null,
    })),
    issues: faultsOf(test),
    openSender: toOpenSender(test),
    isWellChecked: test.grade !== null,
  });
}

export function toVerdictLine(test: ShownTest): string {
  return toVerdict(test)
    .map(({ text }) => `${text}.`)
    .join(" ");
}
