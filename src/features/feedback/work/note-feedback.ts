// Notes in the transaction that stores a report, bounce or complaint, by mail or webhook, that its domain is to be evaluated. The figures
// are read later, so that storing stays fast.

import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import type { BounceClass, MailReport, Notice } from "../../../analyzer/mail/reports/mail-class.ts";
import { toStorableCut } from "../../../analyzer/mail/text/bounds.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { NoTestRow } from "../../tests/rows/tests.ts";
import type { TestsTable } from "../../tests/tables.ts";
import { insertNotices, makeFeedbackDue } from "../rows/problems.ts";
import { startOfDay } from "../rules/problem.ts";
import type { FeedbackNoticesTable } from "../tables.ts";

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

/** What a provider's signed webhook reported. `reporter`: the provider's name, which no domain can have. */
type HookNotice = NoticeRow & { readonly notice: Notice; readonly count: number };

export async function noteHookFeedback(db: Db, reported: readonly HookNotice[], now: number): Promise<void> {
  const notices = reported.flatMap((one) => toCountedRows(one.notice, one, one.count));
  await insertNotices(db, notices);
  const due = new Map(notices.map((row) => [`${row.workspace_id} ${row.registrable_domain}`, row]));
  for (const [, { workspace_id: workspaceId, registrable_domain: registrableDomain }] of [...due].sort())
    await makeFeedbackDue(db, { workspaceId, registrableDomain, at: now });
}

type NoticeRow = {
  readonly id: string;
  readonly workspaceId: string;
  /** When it happened, or else when it was received. */
  readonly at: number;
  readonly kind: "bounce" | "complaint";
  readonly domain: string | null | undefined;
  readonly reporter: string;
  readonly authenticated: boolean;
};

function toNoticeRows(
  notice: Notice,
  { authenticated, sender, recognised }: Noted,
  row: Pick<NoticeRow, "id" | "workspaceId" | "at">,
): FeedbackNoticesTable[] {
  return toCountedRows(notice, {
    ...row,
    kind: recognised.kind === "complaint" ? "complaint" : "bounce",
    domain: notice.originalDomain,
    reporter: sender?.domain ?? "unknown",
    // A bounce to a return path with our token is about our message, even if its sender is unknown.
    authenticated: authenticated || sender?.authenticated === true,
  });
}

/** Only complaints and failures. A report that mail isn't spam, or is late, is no problem. */
function toCountedRows(
  { recipients, feedbackType }: Notice,
  { id, workspaceId, at, kind, domain, reporter, authenticated }: NoticeRow,
  complaints = 1,
): FeedbackNoticesTable[] {
  if (!domain || domain.length > longestDomain) return [];
  const counted = {
    bounce_id: id,
    workspace_id: workspaceId,
    registrable_domain: toRegistrableDomain(domain),
    domain: toStorableCut(domain, longestDomain),
    day: startOfDay(at),
    kind,
    reporter: toStorableCut(reporter, longestDomain),
    authenticated: authenticated ? 1 : 0,
  } as const;
  if (kind === "complaint")
    return countedTypes.has(feedbackType ?? "abuse") ? [{ ...counted, class: "unknown", count: complaints }] : [];
  const failed = recipients.filter(({ action }) => action === null || action === "failed");
  const byClass = Map.groupBy(failed, (recipient) => recipient.class);
  return [...byClass].map(([bounceClass, some]: [BounceClass, readonly unknown[]]) => ({
    ...counted,
    class: bounceClass,
    count: some.length,
  }));
}

const countedTypes: ReadonlySet<string> = new Set(["abuse", "complaint", "spam", "fraud"]);
