// What an upload turned out to be, if it isn't a test.

import { toNumber, toPlural } from "../../../analyzer/count-words.ts";
import type { MailReport, Recognised } from "../../../analyzer/mail/reports/mail-class.ts";
import { toVisibleCut } from "../../../analyzer/visible-text.ts";

export type NotATest = {
  readonly kind: Exclude<Recognised["kind"], "test">;
  /** A sentence for each report. */
  readonly says: readonly string[];
};

const names = { bounce: "a bounce", complaint: "a complaint", "auto-reply": "an automatic reply" } as const;

/** Null: it is a test. */
export function toNotATest(recognised: Recognised): NotATest | null {
  if (recognised.kind === "test") return null;
  if (recognised.kind !== "report")
    return { kind: recognised.kind, says: [`This is ${names[recognised.kind]}, not a test.`] };
  const { kind, report, more = [] } = recognised;
  return { kind, says: [report, ...more].map(toReportWords) };
}

const longestName = 100;

function toReportWords({ type, organization, domain, total, failed, problem }: MailReport): string {
  const name = type === "dmarc" ? "DMARC report" : "TLS report";
  const by = organization === null ? "" : ` of ${toVisibleCut(organization, longestName)}`;
  const about = domain === null ? "" : ` about ${toVisibleCut(domain, longestName)}`;
  const counted =
    type === "dmarc" ? toPlural(total ?? 0, "message", "messages") : toPlural(total ?? 0, "session", "sessions");
  return `${name}${by}${about}: ${problem ?? `${counted}, ${toNumber(failed ?? 0)} failed.`}`;
}
