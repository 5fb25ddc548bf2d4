// The routes of the documents: for programs (OpenAPI, list of checks) and for people (everything below /docs). Each is made
// once, when it is first asked for.

import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import { readReplyCode } from "../../../analyzer/mail/bounces/reply-code.ts";
import { findReplyCode, nameOf, type ReplyCode } from "../../../analyzer/mail/bounces/reply-codes.ts";
import { toAnchor } from "../../../handbook/markdown.ts";
import { toPagePath } from "../../../handbook/pages.ts";
import {
  readApiNoun,
  readApiReference,
  readChecksPage,
  readHandbook,
  readHandbookFile,
  readHandbookPage,
  readHelpOfCode,
  readHelpOfFinding,
} from "../../../platform/contract/docs-pages.ts";
import { pathNotFound } from "../../../platform/http/errors.ts";
import { createOpenApi } from "../../../platform/http/openapi.ts";
import { isKnownTag, toTag } from "../../../platform/http/web-pages.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import { readHandbookFiles } from "../../../platform/system/assets.ts";
import { readOpenApi } from "../../people/contract/account-pages.ts";
import { listChecks, toCatalogue } from "../contract.ts";
import { renderNoun, renderReference } from "./api-reference.ts";
import { renderChecks } from "./checks-page.ts";
import { type DocsPage, docsPolicy, renderPage } from "./docs-page.ts";
import { createHandbook, renderHandbookPage, renderHome, toSearchEntries } from "./handbook.ts";
import { createSearch, renderResults } from "./handbook-search.ts";

type Documents = { readonly interface: readonly Route[]; readonly pages: readonly Route[] };

type PageHeaders = { readonly "if-none-match"?: string | undefined };

type Described = Pick<Server, "routes" | "version">;

export function createDocuments(): Documents {
  const openApi = once(({ routes, version }: Described) =>
    createOpenApi(
      routes.map(({ endpoint }) => endpoint),
      version,
    ),
  );
  const catalogue = once(() => toCatalogue(checkCatalog));
  const findings = once(
    () => new Map(catalogue().checks.flatMap((check) => check.findings.map((one) => [one.id, one]))),
  );
  const files = once(readHandbookFiles);
  const style = once(() => Buffer.from(files().get("docs.css") ?? "").toString("utf8"));
  const policy = once(() => docsPolicy(style()));
  const handbook = once((server: Described) => createHandbook(files(), catalogue().checks, openApi(server)));
  const search = once((server: Described) => createSearch(toSearchEntries(handbook(server), openApi(server))));
  const kept = new Map<string, StaticPage>();
  const answer = (
    path: string,
    { headers, server }: { headers: PageHeaders; server: Described },
    make: () => DocsPage | null,
  ) => {
    const known = kept.get(path) ?? toStaticPage(make(), server);
    kept.set(path, known);
    return answerPage(known, headers);
  };
  const answerPage = ({ text, etag }: StaticPage, asked: PageHeaders) => {
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy(),
      "cache-control": "no-cache",
      ...(etag === null ? {} : { etag }),
    };
    const isKnown = etag !== null && isKnownTag(asked["if-none-match"], etag);
    return isKnown ? new Response(null, { status: 304, headers }) : new Response(text, { headers });
  };
  const toStaticPage = (page: DocsPage | null, server: Described): StaticPage => {
    if (page === null) throw pathNotFound();
    const text = renderPage(page, handbook(server).titles, style());
    return { text, etag: toTag(Buffer.from(text)) };
  };
  return {
    interface: [
      // A client may read the document from a file, so it must say where the server is.
      route(readOpenApi, (_call, server) => ({ ...openApi(server), servers: [{ url: server.baseUrl() }] })),
      route(listChecks, () => catalogue()),
    ],
    pages: [
      route(readHandbook, ({ query: { q = "" }, headers }, server) => {
        const words = q.trim();
        if (words === "") return answer(readHandbook.path, { headers, server }, () => renderHome(handbook(server)));
        // The same answer as in the box that takes a bounce.
        const row = findReplyCode(readReplyCode(words) ?? "");
        const page = renderResults(words, search(server)(words, row && toCodePath(row)));
        const text = renderPage(page, handbook(server).titles, style());
        return answerPage({ text, etag: null }, {});
      }),
      route(readApiReference, ({ headers }, server) =>
        answer(readApiReference.path, { headers, server }, () => renderReference(openApi(server))),
      ),
      route(readApiNoun, ({ params: { noun }, headers }, server) => {
        return answer(`api/${noun}`, { headers, server }, () => renderNoun(openApi(server), noun));
      }),
      route(readChecksPage, ({ headers }, server) =>
        answer(readChecksPage.path, { headers, server }, () => renderChecks(catalogue())),
      ),
      route(readHandbookFile, ({ params: { name }, headers }) => answerFile(files().get(name), name, headers)),
      route(readHelpOfFinding, ({ params: { id } }) => {
        const help = findings().get(id)?.help;
        if (help === undefined) throw pathNotFound();
        return redirectTo(help);
      }),
      route(readHelpOfCode, ({ params: { code } }) => redirectTo(toCodePath(findReplyCode(code)))),
      route(readHandbookPage, ({ params: { page }, headers }, server) =>
        answer(page, { headers, server }, () => renderHandbookPage(handbook(server), page)),
      ),
    ],
  };
}

type StaticPage = { readonly text: string; readonly etag: string | null };

function toCodePath(row: ReplyCode | null): string {
  return toPagePath("bounce-codes", row === null ? "" : toAnchor(nameOf(row)));
}

function redirectTo(location: string): Response {
  return new Response(null, { status: 302, headers: { location } });
}

const fileTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  webp: "image/webp",
  // The dashboard and the alert rules. A browser shows them, so that people can read them first.
  json: "application/json",
  yml: "text/plain; charset=utf-8",
};

function answerFile(bytes: Uint8Array | undefined, name: string, asked: PageHeaders): Response {
  const type = fileTypes[name.split(".").at(-1) ?? ""];
  if (bytes === undefined || type === undefined) throw pathNotFound();
  const etag = toTag(bytes);
  const headers = { "content-type": type, "cache-control": "no-cache", etag };
  if (isKnownTag(asked["if-none-match"], etag)) return new Response(null, { status: 304, headers });
  return new Response(Buffer.from(bytes), { headers });
}

/** A process has one version. */
function once<A extends readonly unknown[], T>(make: (...given: A) => T): (...given: A) => T {
  let made: { readonly value: T } | undefined;
  return (...given) => {
    made ??= { value: make(...given) };
    return made.value;
  };
}
