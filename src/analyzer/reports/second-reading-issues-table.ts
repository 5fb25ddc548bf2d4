// Issues that only show when two readers read the same bytes. They are found after the report, so they never change its
// score. `{evidence}` is what the readers made of it.

import type { FindingWords } from "../checks/check.ts";
import issues from "./second-reading-issues.json" with { type: "json" };

export type SecondReaderFinding = keyof typeof issues;

export const secondReaderIssues = issues as Readonly<
  Record<SecondReaderFinding, Omit<FindingWords, "cost" | "gates"> & { readonly fix: string; readonly why: string }>
>;
