// Notes in the transaction that stores a report, bounce or complaint that its domain is to be evaluated. The figures
// are read later, so that storing stays fast.

import { startOfDay } from "../../feedback/problem.ts";
import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { BounceClass, MailReport, Notice } from "../../mail/reports/mail-class.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { insertNotices, makeFeedbackDue } from "../../store/feedback/problems.ts";
import type { FeedbackNoticesTable } from "../../store/schema/reports.ts";
import type { Db, TestsTable } from "../../store/schema/schema.ts";
import type { NoTestRow } from "../../store/tests/tests.ts";

type Noted = {
  readonly recognised: { readonly kind: string; readonly notice?: Notice; readonly report?: MailReport };
  readonly authenticated: boolean;
  readonly sender?: { readonly domain: string | null; readonly authenticated: boolean };
};

/** A stranger's report may name many domains. */
const mostDomains = 10;
const longestDomain = 253;

export async function noteFeedback(
  db: Db,
  { workspace_id: workspaceId, received_at: at }: Pick<TestsTable, "workspace_id" | "received_at">,
  found: Noted,
  row: NoTestRow,
): Promise<void> {
  const domains = new Set("report" in row ? domainsOf(row) : []);
  if ("bounce" in row && found.recognised.notice) {
    const notices = toNoticeRows(found.recognised.notice, found, { id: row.bounce.id, workspaceId, at });
    await insertNotices(db, notices);
    for (const notice of notices) if (notice.authenticated === 1) domains.add(notice.registrable_domain);
  }
  for (const registrableDomain of [...domains].sort().slice(0, mostDomains))
    await makeFeedbackDue(db, { workspaceId, registrableDomain, at });
}

/** None of a report that doesn't count. */
function domainsOf({ report, counted }: Extract<NoTestRow, { became: "report" }>): string[] {
  if (report.sender_authenticated !== 1 || report.counted_as === null) return [];
  const named = [report, ...counted.tlsPolicies].map(({ registrable_domain }) => registrable_domain);
  return named.filter((domain) => domain !== null);
}

type NoticeRow = { readonly id: string; readonly workspaceId: string; readonly at: number };

/** Only complaints and failures. A report that mail isn't spam, or is late, is no problem. */
function toNoticeRows(
  { recipients, feedbackType, originalDomain }: Notice,
  { authenticated, sender, recognised }: Noted,
  { id, workspaceId, at }: NoticeRow,
): FeedbackNoticesTable[] {
  if (!originalDomain || originalDomain.length > longestDomain) return [];
  const kind = recognised.kind === "complaint" ? "complaint" : "bounce";
  const counted = {
    bounce_id: id,
    workspace_id: workspaceId,
    registrable_domain: toRegistrableDomain(originalDomain),
    domain: toStorableCut(originalDomain, longestDomain),
    day: startOfDay(at),
    kind,
    reporter: toStorableCut(sender?.domain ?? "unknown", longestDomain),
    // A bounce to a return path with our token is about our message, even if its sender is unknown.
    authenticated: authenticated || sender?.authenticated ? 1 : 0,
  } as const;
  if (kind === "complaint")
    return countedTypes.has(feedbackType ?? "abuse") ? [{ ...counted, class: "unknown", count: 1 }] : [];
  const failed = recipients.filter(({ action }) => action === null || action === "failed");
  const byClass = Map.groupBy(failed, (recipient) => recipient.class);
  return [...byClass].map(([bounceClass, some]: [BounceClass, readonly unknown[]]) => ({
    ...counted,
    class: bounceClass,
    count: some.length,
  }));
}

const countedTypes: ReadonlySet<string> = new Set(["abuse", "complaint", "spam", "fraud"]);
