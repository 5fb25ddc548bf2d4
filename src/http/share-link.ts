// The page that a share link opens. The contract refuses an invalid link with 400 `invalid_link`. A browser gets the same
// status with a page, because people can't use a line of JSON.

import { hashSecret, isSecret } from "../accounts/secrets.ts";
import { toTimestamp } from "../api/primitives.ts";
import { type ReportPage, toSharedTest } from "../api/report-page.ts";
import { createShare, deleteShare, listShares, readSharePage, type Share } from "../api/shares.ts";
import { checkCatalog } from "../checks/catalog.ts";
import { noSuchTest, Refusal } from "../errors.ts";
import { parseSessionText } from "../mail/session/session-text.ts";
import { nothingSeen } from "../reports/observation.ts";
import { createReportMask } from "../reports/report-mask.ts";
import { parseReport } from "../reports/stored-report.ts";
import { listObservations } from "../store/mailboxes/observations.ts";
import { findShare, listShares as listShareRows } from "../store/people/shares.ts";
import type { SharesTable } from "../store/schema/people.ts";
import { inWorkspace } from "../store/scope.ts";
import { readSession } from "../store/tests/raw-messages.ts";
import { readReport } from "../store/tests/reports.ts";
import { readTest } from "../store/tests/tests.ts";
import * as tasks from "../tasks/accounts/shares.ts";
import { creatorOf } from "./callers.ts";
import type { Dependencies } from "./dependencies.ts";
import { statusOf } from "./errors.ts";
import { openReportPages, toDay } from "./report-page.ts";
import { type Route, route } from "./route.ts";
import { toReport } from "./tests.ts";
import { answerUnbuilt } from "./web-pages.ts";

const sharePageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
};

type Frame = { readonly title: string; readonly status?: number };

function answerPage({ webFiles }: Dependencies, page: ReportPage, { title, status = 200 }: Frame): Response {
  const pages = openReportPages(webFiles);
  if (pages === undefined) return answerUnbuilt({ status, headers: sharePageHeaders });
  const headers = { ...sharePageHeaders, "content-security-policy": pages.policy };
  return new Response(pages.render(page, { title }), { status, headers });
}

const invalidLink = "This link is invalid or has expired. Ask the sender for a new one.";

/** The same for an unknown and an expired link, so it reveals nothing. */
const noReport: ReportPage = {
  note: "Shared report",
  content: { shows: "notice", title: "Report not available", says: invalidLink },
  foot: [],
};

const sharePageRoute: Route = route(readSharePage, async ({ params, headers }, dependencies) => {
  const { store, system } = dependencies;
  const { token } = params;
  const share = isSecret(token) && (await findShare(store.read, hashSecret(token), system.now()));
  const page = share && (await readShared(share, dependencies));
  if (page) return answerPage(dependencies, page, { title: "Shared report" });
  if (!headers.accept?.includes("text/html")) throw new Refusal("invalid_link", invalidLink);
  return answerPage(dependencies, noReport, { title: "Report not available", status: statusOf.invalid_link });
});

/** Everything from the message is masked here. */
async function readShared(
  { workspace_id, test_id, redact_body, expires_at }: SharesTable,
  { store, config, version }: Dependencies,
): Promise<ReportPage | undefined> {
  const scope = inWorkspace(store.readInWorker, workspace_id);
  const [row, session, kept, observations] = await Promise.all([
    readTest(scope, test_id),
    readSession(scope, test_id),
    readReport(scope, test_id),
    listObservations(scope, test_id),
  ]);
  if (!row || session === undefined) return undefined;
  const report = kept === undefined ? null : parseReport(kept);
  const test = toReport(row, parseSessionText(session), report, { ...nothingSeen, observations });
  const mask = createReportMask(report, test.to, config.seedDomains);
  const redactsBody = redact_body === 1;
  const leftOut = redactsBody ? "body and recipients" : "recipients";
  return {
    note: `Shared report · link expires ${toDay(expires_at)} · ${leftOut} left out`,
    content: { shows: "share", test: toSharedTest(test, { catalog: checkCatalog, mask, redactsBody }) },
    foot: [`Assay ${version}`, "If you save this page, it works offline."],
  };
}

export const shareRoutes: readonly Route[] = [
  route(createShare, async ({ store, caller, params: { id }, body }, { system, baseUrl }) => {
    const wanted = { ...body, ...creatorOf(caller), testId: id };
    const { row, secret } = await tasks.createShare(store, system, wanted);
    return { ...toShare(row), url: `${baseUrl()}/s/${secret}` };
  }),

  route(listShares, async ({ store: { read }, params: { id } }, { system }) => {
    if ((await readTest(read, id)) === undefined) throw noSuchTest();
    return { items: (await listShareRows(read, id, system.now())).map(toShare) };
  }),

  route(deleteShare, async ({ store, params: { id } }) => {
    await tasks.endShare(store, id);
    return undefined;
  }),

  sharePageRoute,
];

function toShare(row: SharesTable): Share {
  return {
    id: row.id,
    testId: row.test_id,
    redactBody: row.redact_body === 1,
    createdBy: row.created_by,
    createdAt: toTimestamp(row.created_at),
    expiresAt: toTimestamp(row.expires_at),
  };
}
