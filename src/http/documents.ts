import { listChecks, readChecksPage, toCatalogue } from "../api/checks.ts";
import { readDocs, readOpenApi } from "../api/documents.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { renderChecks } from "./checks-page.ts";
import { renderDocs } from "./docs.ts";
import { docsContentSecurityPolicy } from "./docs-page.ts";
import { createOpenApi } from "./openapi.ts";
import { type Route, route } from "./route.ts";

/** `endpoints` is asked when first needed: these routes stand in the list that they describe. */
export function documentRoutes(endpoints: () => readonly Endpoint[]): readonly Route[] {
  // The same at every call, and too much to make anew for anyone who asks.
  const openApi = once((version: string) => createOpenApi(endpoints(), version));
  const docsPage = once((version: string) => renderDocs(openApi(version)));
  const catalogue = once(toCatalogue);
  const checksPage = once(() => renderChecks(catalogue()));
  return [
    route(readOpenApi, (_call, { version }) => openApi(version)),
    route(readDocs, (_call, { version }) => answerPage(docsPage(version))),
    route(listChecks, () => catalogue()),
    route(readChecksPage, () => answerPage(checksPage())),
  ];
}

function answerPage(page: string): Response {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": docsContentSecurityPolicy,
  };
  return new Response(page, { headers });
}

/** A process has one version. */
function once<A extends readonly unknown[], T>(make: (...given: A) => T): (...given: A) => T {
  let made: { readonly value: T } | undefined;
  return (...given) => {
    made ??= { value: make(...given) };
    return made.value;
  };
}
