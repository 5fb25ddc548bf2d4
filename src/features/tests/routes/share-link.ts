// The page that a share link opens, and the message in its frame. The contract refuses an invalid link with 400 `invalid_link`. A browser gets the same
// status with a page, because people can't use a line of JSON.

import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import { parseSessionText } from "../../../analyzer/mail/session/session-text.ts";
import { nothingSeen } from "../../../analyzer/reports/observation.ts";
import { createReportMask } from "../../../analyzer/reports/report-mask.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import { auditedObject } from "../../../platform/audit/rows/objects.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { hashSecret, isSecret } from "../../../platform/contract/secrets.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import { noSuchTest, Refusal, statusOf } from "../../../platform/errors.ts";
import { answerUnbuilt } from "../../../platform/http/web-pages.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import type { SharesTable } from "../../people/tables.ts";
import { creatorOf } from "../../people/work/callers.ts";
import { type ReportPage, toSharedTest } from "../contract/report-page.ts";
import {
  createShare,
  deleteShare,
  listShares,
  readSharedMessage,
  readSharePage,
  type Share,
} from "../contract/shares.ts";
import { listObservations } from "../rows/observations.ts";
import { readSession } from "../rows/raw-messages.ts";
import { readReport } from "../rows/reports.ts";
import { findShare, listShares as listShareRows } from "../rows/shares.ts";
import { readTest } from "../rows/tests.ts";
import * as tasks from "../work/shares.ts";
import { previewPolicy } from "./download.ts";
import { openReportPages, toMail } from "./report-page.ts";
import { toReport } from "./tests.ts";

const auditedShare = auditedObject({
  kind: "share",
  table: "shares",
  columns: ["test_id", "redact_body", "expires_at"],
  toName: async ({ test_id }, db) => {
    const test = await db.selectFrom("tests").select("subject").where("id", "=", test_id).executeTakeFirst();
    return test?.subject ?? test_id;
  },
});

const sharePageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
};

type Frame = { readonly title: string; readonly status?: number };

function answerPage({ webFiles }: Server, page: ReportPage, { title, status = 200 }: Frame): Response {
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
  const { token } = params;
  const shared = await readShared(token, dependencies);
  const page = shared && (await toPage(token, shared, dependencies));
  if (page) return answerPage(dependencies, page, { title: "Shared report" });
  if (!headers.accept?.includes("text/html")) throw new Refusal("invalid_link", invalidLink);
  return answerPage(dependencies, noReport, { title: "Report not available", status: statusOf.invalid_link });
});

const sharedMessageRoute: Route = route(readSharedMessage, async ({ params }, dependencies) => {
  const shared = await readShared(params.token, dependencies);
  // Without its report, it isn't known whose addresses to mask.
  if (!shared || shared.redactsBody || shared.test.findings === null) throw new Refusal("invalid_link", invalidLink);
  const { viewer, config } = dependencies;
  const { document } = await viewer.shared(shared.share.workspace_id, shared.test, config.seedDomains);
  return new Response(document, {
    headers: { ...sharePageHeaders, "content-security-policy": previewPolicy("own", false) },
  });
});

async function readShared(token: string, { store, system, config }: Server) {
  const share = isSecret(token) && (await findShare(store.read, hashSecret(token), system.now()));
  if (!share) return undefined;
  const { workspace_id, test_id, redact_body } = share;
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
  return { share, test, mask: createReportMask(report, test.to, config.seedDomains), redactsBody: redact_body === 1 };
}

type Shared = NonNullable<Awaited<ReturnType<typeof readShared>>>;

/** Everything from the message is masked here. */
async function toPage(
  token: string,
  { share, test, mask, redactsBody }: Shared,
  { version, viewer, config }: Server,
): Promise<ReportPage> {
  // The frame loads the document. Here it is viewed for what stands around the frame.
  const mail = await toMail(
    redactsBody ? "The message is left out of this shared report." : null,
    () => viewer.shared(share.workspace_id, test, config.seedDomains),
    () => ({ src: `/s/${token}/message` }),
  );
  return {
    note: `Shared report · ${redactsBody ? "body and recipients" : "recipients"} left out`,
    time: { says: "link expires", at: toTimestamp(share.expires_at) },
    mail,
    content: { shows: "share", test: toSharedTest(test, { catalog: checkCatalog, mask, redactsBody }) },
    foot: [`Assay ${version}`, "If you save this page, it works offline."],
  };
}

export const shareRoutes: readonly Route[] = [
  route(createShare, async ({ store, caller, params: { id }, body }, { system, baseUrl }) => {
    const wanted = { ...body, ...creatorOf(caller), testId: id };
    const { row, secret } = await tasks.createShare(store, system, wanted);
    return { ...toShare(row), url: `${baseUrl()}/s/${secret}` };
  }).recording({ action: "share.create", object: auditedShare }),

  route(listShares, async ({ store: { read }, params: { id } }, { system }) => {
    if ((await readTest(read, id)) === undefined) throw noSuchTest();
    return { items: (await listShareRows(read, id, system.now())).map(toShare) };
  }),

  route(deleteShare, async ({ store, params: { id } }) => {
    await tasks.endShare(store, id);
    return undefined;
  }).recording({ action: "share.revoke", object: auditedShare }),

  sharePageRoute,
  sharedMessageRoute,
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
