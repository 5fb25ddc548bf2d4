import { readDocs, readOpenApi, readRoot } from "../api/documents.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { docsContentSecurityPolicy, renderDocs } from "./docs.ts";
import { createOpenApi } from "./openapi.ts";
import { type Route, route } from "./route.ts";

/** `endpoints` is asked when first needed: these routes stand in the list that they describe. */
export function documentRoutes(endpoints: () => readonly Endpoint[]): readonly Route[] {
  return [
    route(readOpenApi, (_call, { version }) => createOpenApi(endpoints(), version)),
    route(readRoot, () => {
      const headers = { "content-type": "text/html; charset=utf-8", location: readDocs.path };
      return new Response(null, { status: readRoot.status, headers });
    }),
    route(readDocs, (_call, { version }) => {
      const headers = {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": docsContentSecurityPolicy,
      };
      return new Response(renderDocs(createOpenApi(endpoints(), version)), { headers });
    }),
  ];
}
