// A report for people without an account, who have a link: a shared report, or that of a public test. What it shows is named
// in contract/report-page.ts, and everything from the message is masked.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import { parseSessionText } from "../../../analyzer/mail/session/session-text.ts";
import type { Mask } from "../../../analyzer/reports/mask.ts";
import { nothingSeen } from "../../../analyzer/reports/observation.ts";
import { createReportMask } from "../../../analyzer/reports/report-mask.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import { answerUnbuilt } from "../../../platform/http/web-pages.ts";
import type { Server } from "../../../platform/server.ts";
import { type PageMail, type ReportPage, type SharedTest, toSharedTest } from "../contract/report-page.ts";
import type { TestReport } from "../contract/tests.ts";
import { listObservations } from "../rows/observations.ts";
import { readSession } from "../rows/raw-messages.ts";
import { readReport } from "../rows/reports.ts";
import { readTest } from "../rows/tests.ts";
import type { TestPlace } from "../work/viewer.ts";
import { previewPolicy } from "./download.ts";
import { openReportPages, toMail } from "./report-page.ts";
import { toReport } from "./tests.ts";

const strangersHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
};

export type StrangersTest = { readonly test: TestReport; readonly mask: Mask };

/** Undefined: there is no such test any more. */
export async function readStrangersTest(
  { workspaceId, testId }: TestPlace,
  { store, config }: Pick<Server, "store" | "config">,
): Promise<StrangersTest | undefined> {
  const scope = inWorkspace(store.readInWorker, workspaceId);
  const [row, session, kept, observations] = await Promise.all([
    readTest(scope, testId),
    readSession(scope, testId),
    readReport(scope, testId),
    listObservations(scope, testId),
  ]);
  if (!row || session === undefined) return undefined;
  const report = kept === undefined ? null : parseReport(kept);
  const smtp = parseSessionText(session);
  // A visitor's test has no recipients that count (intake/work/receive-message.ts), but its address is hidden all the same.
  const test = { ...toReport(row, smtp, report, { ...nothingSeen, observations }), to: [...smtp.rcptTo] };
  return { test, mask: createReportMask(report, test.to, config.seedDomains) };
}

export function toStrangersTest({ test, mask }: StrangersTest, redactsBody: boolean): SharedTest {
  return toSharedTest(test, { catalog: checkCatalog, mask, redactsBody });
}

type Viewing = Pick<Server, "viewer" | "config">;

/** The frame loads its document from `src`. Here it is viewed for what stands around the frame. */
export async function toStrangersMail(
  {
    workspaceId,
    src,
    leftOut,
  }: { readonly workspaceId: string; readonly src: string; readonly leftOut: string | null },
  { test }: StrangersTest,
  { viewer, config }: Viewing,
): Promise<PageMail> {
  return await toMail(
    leftOut,
    () => viewer.shared(workspaceId, test, config.seedDomains),
    () => ({ src }),
  );
}

export async function answerStrangersMessage(
  { workspaceId, isEmbedded = false }: { readonly workspaceId: string; readonly isEmbedded?: boolean },
  { test }: StrangersTest,
  { viewer, config }: Viewing,
): Promise<Response> {
  const { document } = await viewer.shared(workspaceId, test, config.seedDomains);
  const policy = toFramed(previewPolicy("own", false), isEmbedded);
  return new Response(document, { headers: { ...strangersHeaders, "content-security-policy": policy } });
}

/** Other sites may put the page, and so all frames in it, into one of their own. Nothing there needs a login. */
function toFramed(policy: string, isEmbedded: boolean): string {
  return isEmbedded ? policy.replace(/frame-ancestors '\w+'/, "frame-ancestors *") : policy;
}

type StrangersFrame = {
  readonly title: string;
  readonly status?: number;
  /** Other sites may put the page into a frame. */
  readonly isEmbedded?: boolean;
  /** The encodings that the reader takes. Compressed, a report is a fifth of its size. */
  readonly accepts?: string | undefined;
};

const compress = promisify(gzip);

export async function answerStrangersPage(
  { webFiles }: Pick<Server, "webFiles">,
  page: ReportPage,
  { title, status = 200, isEmbedded = false, accepts = "" }: StrangersFrame,
): Promise<Response> {
  const pages = openReportPages(webFiles);
  if (pages === undefined) return answerUnbuilt({ status, headers: strangersHeaders });
  // A logo is in the page itself, and the only form is the one that deletes what the page shows.
  const policy = page.owner
    ? `${pages.policy.replace("form-action 'none'", "form-action 'self'")}; img-src data:`
    : pages.policy;
  // With "no-referrer", browsers send a form without its origin.
  const referrer = page.owner ? "same-origin" : "no-referrer";
  const headers = {
    ...strangersHeaders,
    "referrer-policy": referrer,
    "content-security-policy": toFramed(policy, isEmbedded),
  };
  const html = pages.render(page, { title });
  if (!/\bgzip\b/i.test(accepts)) return new Response(html, { status, headers });
  const encoded = { ...headers, "content-encoding": "gzip", vary: "accept-encoding" };
  return new Response(await compress(html), { status, headers: encoded });
}
