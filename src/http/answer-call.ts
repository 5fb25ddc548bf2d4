// The way of every call: admit, validate, handle, answer. In this order, so that a stranger learns nothing of what a
// route takes and has no body of theirs read.

import type { IncomingMessage } from "node:http";
import { isMedia } from "../api/endpoint.ts";
import { Refusal } from "../errors.ts";
import type { Admission, Admit } from "./auth.ts";
import { readJsonBody } from "./body.ts";
import type { Client } from "./client-address.ts";
import type { Dependencies } from "./dependencies.ts";
import type { Call, Route } from "./route.ts";
import { validate } from "./validation.ts";

export type Incoming = {
  readonly request: IncomingMessage;
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly client: Client;
};

export async function answerCall(
  { endpoint, handler }: Route,
  incoming: Incoming,
  dependencies: Dependencies,
  admit: (incoming: Incoming) => Promise<Admission>,
): Promise<Response> {
  const admission = await admit(incoming);
  const query = validate(endpoint.query, parseQuery(incoming.query), "query");
  const takesBody = endpoint.method !== "GET";
  const body = takesBody ? validate(endpoint.body, await readJsonBody(incoming.request), "body") : {};
  const call = { ...admission, params: incoming.params, query, body, client: incoming.client } as Call;
  const answer = await handler(call, dependencies);
  if (endpoint.answer === null) return new Response(null, { status: endpoint.status });
  if (isMedia(endpoint.answer)) return answer as Response;
  return Response.json(answer, { status: endpoint.status });
}

/** Which access a route asks for is looked at once, here, so that no handler can forget it. */
export function admitTo({ endpoint }: Route, admit: Admit): (incoming: Incoming) => Promise<Admission> {
  return ({ request, client }) => {
    const credentials = {
      authorization: onlyHeader(request, "authorization"),
      workspaceId: onlyHeader(request, "x-workspace-id"),
    };
    return admit(endpoint.access, credentials, client);
  };
}

/** A header that is sent twice is joined, which no token and no id survives: Node would quietly take one of them. */
function onlyHeader(request: IncomingMessage, name: string): string | null {
  return request.headersDistinct[name]?.join(", ") ?? null;
}

function parseQuery(query: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [key, value] of new URLSearchParams(query)) {
    if (key in values) {
      const field = key.slice(0, 100);
      throw new Refusal("invalid_request", `"${field}" is given twice.`, { field });
    }
    values[key] = value;
  }
  return values;
}
