// The second reader in the catalog of checks. It runs after the report, so nothing runs here, and its findings cost no
// points.

import { defineCheck, type ListedCheck, notApplicable } from "../checks/check.ts";
import { type SecondReaderFinding, secondReaderIssues } from "./second-reading-issues-table.ts";

const findings = Object.fromEntries(
  Object.entries(secondReaderIssues).map(([name, words]) => [name, { ...words, cost: 0 }]),
) as Readonly<Record<SecondReaderFinding, (typeof secondReaderIssues)[SecondReaderFinding] & { cost: 0 }>>;

const check = defineCheck<SecondReaderFinding>({
  id: "second-reader",
  helpPage: "fix-ambiguous-message",
  label: "Second reader",
  owner: "email-service",
  asks: "whether independent software reads and authenticates the message in the same way",
  why: "Receivers run different code. Mail that they read differently is filtered as suspicious.",
  refs: ["RFC 2045", "RFC 5322"],
  needs: [],
  domain: "no",
  passes: "Two independent readers agree.",
  findings,
  run: () => notApplicable("The second reader reads the message after the report."),
});

export const secondReaderCheck: ListedCheck = { ...check, area: "format" };
