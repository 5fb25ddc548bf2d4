// All that a signed report is made from.

import type { SmtpSession } from "../../../analyzer/mail/session/session.ts";
import { parseSessionText } from "../../../analyzer/mail/session/session-text.ts";
import type { Circumstances } from "../../../analyzer/reports/known-facts.ts";
import type { Mask } from "../../../analyzer/reports/mask.ts";
import type { Report } from "../../../analyzer/reports/report.ts";
import { createReportMask } from "../../../analyzer/reports/report-mask.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import type { Messages } from "../../../platform/database/messages.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { readRawMessage } from "../../tests/rows/raw-messages.ts";
import { readReport } from "../../tests/rows/reports.ts";
import { readTest } from "../../tests/rows/tests.ts";
import type { TestsTable } from "../../tests/tables.ts";

export type TestMaterial = {
  readonly row: TestsTable;
  readonly sessionText: string;
  readonly session: SmtpSession;
  readonly report: Report;
  readonly raw: Uint8Array;
  readonly mask: Mask;
  /** What an analysis needs to judge the message the same way. */
  readonly circumstances: Omit<Circumstances, "history" | "own">;
};

export async function readTestMaterial(
  scope: Scope,
  messages: Messages,
  id: string,
  seedDomains: readonly string[],
): Promise<TestMaterial | undefined> {
  const [row, message, kept] = await Promise.all([
    readTest(scope, id),
    readRawMessage(scope, messages, id),
    readReport(scope, id),
  ]);
  if (row === undefined || message === undefined) return undefined;
  const report = kept === undefined ? null : parseReport(kept);
  if (report === null) throw new Refusal("conflict", "There is no report to save yet. Analyze the test first.");
  return {
    row,
    sessionText: message.session,
    session: parseSessionText(message.session),
    report,
    raw: message.bytes,
    mask: createReportMask(report, JSON.parse(row.recipients) as string[], seedDomains),
    circumstances: toCircumstances(row, report),
  };
}

/** As when it was judged: the workspace's rules and volume may have changed since. */
function toCircumstances(
  { label, kind_override }: TestsTable,
  { judgment: { kind, volume = null } }: Report,
): TestMaterial["circumstances"] {
  const said = kind !== null && kind.source !== "inferred" ? kind.kind : kind_override;
  return { label, kindOverride: said, volume };
}
