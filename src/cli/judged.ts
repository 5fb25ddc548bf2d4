// What a machine's report speaks of: a file or a domain, and what was found of it.

import type { JudgedFinding, Judgment } from "../reports/judgment.ts";
import { toGateSentences } from "./gate-text.ts";

export type Judged = {
  /** Of the file or domain. */
  readonly name: string;
  /** Of the file; null for a domain and for standard input. */
  readonly path: string | null;
  /** Null for what is no test and has no verdicts: a bounce, a report. */
  readonly judgment: Judgment | null;
};

/** Why it matters, what to do, and who refuses mail for it. */
export function toDetails({ why, gates }: JudgedFinding, fix: string | null): string[] {
  return [why, ...(fix === null ? [] : [`Fix: ${fix}`]), ...toGateSentences(gates)];
}
