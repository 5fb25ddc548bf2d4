// The page of a share. All that is told of the message was masked before (reports/shared-report.ts).

import { html, staticPagePolicy } from "./docs-page.ts";
import { renderReport, renderTop, type ShownTest } from "./report-page.ts";
import { renderFrame, toDay } from "./report-parts.ts";
import { reportStyle } from "./report-style.ts";

export const sharePageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": staticPagePolicy(reportStyle),
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
};

export type SharedTest = ShownTest & {
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly redactBody: boolean;
  readonly version: string;
};

export function renderSharePage(test: SharedTest): string {
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
export function renderInvalidLink(message: string): string {
  return toPage(
    "No report here",
    `${renderTop("Shared report")}<main><h1 class="verdict">No report here</h1><p>${html(message)}</p></main>`,
  );
}

function toPage(title: string, body: string): string {
  return renderFrame({ title, style: reportStyle, body });
}
