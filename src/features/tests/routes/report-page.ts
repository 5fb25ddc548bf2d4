// A report as a standalone page: a shared report, or a saved file. The body is rendered by the app's components, which
// scripts/build-web.ts bundles from web/report/static.tsx. This file adds the page around it. The page has no script and
// loads nothing from elsewhere, so it does not reveal its readers. A file contains even its message and works from a disk.

import { Script } from "node:vm";
import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import { staticPagePolicy, styleSource } from "../../../platform/http/plain-page.ts";
import type { Still } from "../analysis/view-message.ts";
import type { PageMail, RenderReportPage, ReportPage } from "../contract/report-page.ts";

type Files = ReadonlyMap<string, Uint8Array>;

type Renderer = { readonly style: string; readonly icons: string; readonly render: RenderReportPage };

type ReportPages = {
  /** What a page's policy may be. */
  readonly policy: string;
  /** `isFile`: opened from a disk, where only the page itself can tell the browser what it may do. */
  readonly render: (page: ReportPage, frame: { readonly title: string; readonly isFile?: boolean }) => string;
};

const known = new WeakMap<Files, ReportPages>();

/** Undefined if the web app was not built. */
export function openReportPages(files: Files): ReportPages | undefined {
  const opened = known.get(files) ?? load(files);
  if (opened) known.set(files, opened);
  return opened;
}

function load(files: Files): ReportPages | undefined {
  const [code, style, icons] = ["cjs", "css", "svg"].map((ending) => {
    const bytes = files.get(`report-page.${ending}`);
    return bytes && Buffer.from(bytes).toString("utf8");
  });
  if (code === undefined || style === undefined || icons === undefined) return undefined;
  const renderer = { style, icons, render: run(code) };
  // A message in a file is bound by the file's policy, and has styles and images.
  const toFilePolicy = ({ mail }: ReportPage) => {
    const sources = mail && "document" in mail.frame ? "'unsafe-inline'; img-src data:" : styleSource(style);
    return `default-src 'none'; style-src ${sources}; base-uri 'none'; form-action 'none'`;
  };
  return {
    policy: `${staticPagePolicy(style)}; frame-src 'self'`,
    render: (page, { title, isFile = false }) =>
      toDocument(renderer, page, { title, policy: isFile ? toFilePolicy(page) : undefined }),
  };
}

/** It needs nothing: the bundle holds what it imports. */
function run(code: string): RenderReportPage {
  const module: { exports: { readonly renderReportPage?: RenderReportPage } } = { exports: {} };
  new Script(`(function (module, exports) {${code}\n})`, { filename: "report-page.cjs" }).runInThisContext()(
    module,
    module.exports,
  );
  const { renderReportPage } = module.exports;
  if (renderReportPage === undefined) throw new Error("report-page.cjs exports no renderReportPage.");
  return renderReportPage;
}

type Head = { readonly title: string; readonly policy: string | undefined };

function toDocument({ style, icons, render }: Renderer, page: ReportPage, { title, policy }: Head): string {
  const { body, card } = render(page);
  const used = new Set(body.match(/"#[\w-]{1,40}"/g));
  const isUsed = (line: string) => {
    const [, id] = /^<symbol id="([\w-]{1,40})"/.exec(line) ?? [];
    return id === undefined || used.has(`"#${id}"`);
  };
  // What a chat shows of a link. A file has none.
  const says = card?.description ?? "Email deliverability report";
  const ofLink = { "og:title": card?.title ?? title, "og:description": says, "twitter:card": "summary" };
  const metas = Object.entries(policy === undefined ? ofLink : {}).map(
    ([name, content]) => `<meta property="${name}" content="${escapeMarkup(content)}">\n`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy === undefined ? "" : `<meta http-equiv="content-security-policy" content="${policy}">\n`}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="${page.owner ? "same-origin" : "no-referrer"}">
${metas.join("")}<title>${escapeMarkup(title)} · ${escapeMarkup(page.owner?.name ?? "Assay")}</title>
<style>${style}</style>
</head>
<body>
${icons.split("\n").filter(isUsed).join("\n")}
${body}
</body>
</html>
`;
}

/** The report is of use without its message: if the copy leaves it out, or if it can't be shown. */
export async function toMail(
  leftOut: string | null,
  view: () => Promise<Still>,
  toFrame: (document: string) => PageMail["frame"],
): Promise<PageMail> {
  const still = leftOut === null ? await view().catch(() => null) : null;
  if (still) return { ...still, frame: toFrame(still.document) };
  return { frame: { leftOut: leftOut ?? "The message couldn’t be shown." }, placed: [], preheader: null };
}
