// What stands behind a share link. The contract refuses a link that is none with 400 `invalid_link`; people who opened it
// in a browser get the same status with a page, because a line of JSON tells them nothing.

import { hashSecret, isSecret } from "../accounts/secrets.ts";
import { toTimestamp } from "../api/primitives.ts";
import { createShare, deleteShare, listShares, readSharePage, type Share } from "../api/shares.ts";
import { noSuchTest, Refusal } from "../errors.ts";
import { createReportMask, toSharedReport } from "../reports/shared-report.ts";
import { parseReport } from "../reports/stored-report.ts";
import { listObservations } from "../store/mailboxes/observations.ts";
import { findShare, listShares as listShareRows } from "../store/people/shares.ts";
import type { SharesTable } from "../store/schema/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import { readReport } from "../store/tests/reports.ts";
import { readTest } from "../store/tests/tests.ts";
import * as tasks from "../tasks/accounts/shares.ts";
import type { Dependencies } from "./dependencies.ts";
import { html, staticPagePolicy } from "./docs-page.ts";
import { statusOf } from "./errors.ts";
import { renderReport, renderTop, type ShownTest } from "./report-page.ts";
import { renderFrame, toDay } from "./report-parts.ts";
import { reportStyle } from "./report-style.ts";
import { type Route, route } from "./route.ts";

// The page of a share. All that is told of the message was masked before (reports/shared-report.ts).

const sharePageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": staticPagePolicy(reportStyle),
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
};

type SharedTest = ShownTest & {
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly redactBody: boolean;
  readonly version: string;
};

function renderSharePage(test: SharedTest): string {
  const leftOut = test.redactBody ? "body and recipients" : "recipients";
  return toPage(
    "Shared report",
    `${renderTop(`Shared report, ends ${toDay(test.expiresAt)}, ${leftOut} left out`)}
<main>
${renderReport(test)}
</main>
<footer class="foot note"><span>Assay ${html(test.version)}</span><span class="noprint">This page reads offline: save it as one file.</span></footer>`,
  );
}

/** The same for a link that never was and for one that has ended: it tells nothing. */
function renderInvalidLink(message: string): string {
  return toPage(
    "No report here",
    `${renderTop("Shared report")}<main><h1 class="verdict">No report here</h1><p>${html(message)}</p></main>`,
  );
}

function toPage(title: string, body: string): string {
  return renderFrame({ title, style: reportStyle, body });
}

const invalidLink = "This link is unknown or has ended. Ask whoever sent it to you for a new one.";

const sharePageRoute: Route = route(readSharePage, async ({ params, headers }, dependencies) => {
  const { store, system } = dependencies;
  const { token } = params;
  const share = isSecret(token) && (await findShare(store.read, hashSecret(token), system.now()));
  const shown = share && (await readSharedTest(share, dependencies));
  if (shown) return new Response(renderSharePage(shown), { headers: sharePageHeaders });
  if (!headers.accept?.includes("text/html")) throw new Refusal("invalid_link", invalidLink);
  const status = statusOf.invalid_link;
  return new Response(renderInvalidLink(invalidLink), { status, headers: sharePageHeaders });
});

async function readSharedTest(
  share: SharesTable,
  { store, config, version }: Dependencies,
): Promise<SharedTest | undefined> {
  const scope = inWorkspace(store.readInWorker, share.workspace_id);
  const test = await readTest(scope, share.test_id);
  if (!test) return undefined;
  const kept = await readReport(scope, test.id);
  const report = kept === undefined ? null : parseReport(kept);
  const mask = createReportMask(report, JSON.parse(test.recipients) as string[], config.seedDomains);
  const redactBody = share.redact_body === 1;
  const observed = await listObservations(scope, test.id);
  return {
    subject: test.subject && mask(test.subject),
    from: test.header_from && mask(test.header_from),
    receivedAt: test.received_at,
    expiresAt: share.expires_at,
    redactBody,
    words: { spf: test.spf, dkim: test.dkim, dmarc: test.dmarc },
    report: report && toSharedReport(report, { shows: redactBody ? "headers" : "message", mask, observed }),
    version,
  };
}

export const shareRoutes: readonly Route[] = [
  route(createShare, async ({ store, caller, params: { id }, body }, { system, baseUrl }) => {
    const wanted = { ...body, testId: id, createdBy: caller.userId };
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
