// The way of every call: admit, validate, handle, answer. In this order, so that a stranger learns nothing of what a
// route takes, and no stranger's body is read.

import type { IncomingMessage } from "node:http";
import { HTTPResponse } from "h3";
import { type Endpoint, isMedia } from "../api/endpoint.ts";
import { Refusal } from "../errors.ts";
import type { Admit, Credentials } from "./auth.ts";
import { checkMediaType, readBody, readJsonBody } from "./body.ts";
import type { Dependencies } from "./dependencies.ts";
import type { Exchange } from "./exchange.ts";
import type { Call, RawBody, Route } from "./route.ts";
import { validate } from "./validation.ts";

type Params = Readonly<Record<string, string>>;

export async function answerCall(
  { endpoint, handler }: Route,
  params: Params,
  exchange: Exchange,
  admit: Admit,
  dependencies: Dependencies,
): Promise<Response | HTTPResponse> {
  const { request, client } = exchange;
  const admission = await admit(endpoint.access, readCredentials(request), client);
  exchange.callerIsKnown = admission.caller !== null;
  const query = validate(endpoint.query, parseQuery(exchange.query), "query");
  const body = await takeBody(endpoint, request);
  const answer = await handler({ ...admission, params, query, body, client } as Call, dependencies);
  if (endpoint.answer === null) return new HTTPResponse(null, { status: endpoint.status });
  if (isMedia(endpoint.answer)) return await toMedia(answer as Response, request);
  const headers = { "content-type": "application/json; charset=utf-8" };
  return new HTTPResponse(JSON.stringify(answer), { status: endpoint.status, headers });
}

/** The body of an answer to HEAD is not sent, and whoever makes it is told so. */
async function toMedia(answer: Response, { method }: IncomingMessage): Promise<Response> {
  if (method === "HEAD") await answer.body?.cancel();
  return answer;
}

async function takeBody({ method, body }: Endpoint, request: IncomingMessage): Promise<unknown> {
  if (method === "GET") return {};
  if (!isMedia(body)) return validate(body, await readJsonBody(request), "body");
  checkMediaType(request, body.mediaType);
  return { read: (limitBytes: number) => readBody(request, limitBytes) } satisfies RawBody;
}

/** A header sent twice is joined, which no token and no id survives; Node alone would quietly take the first. */
function readCredentials({ headersDistinct }: IncomingMessage): Credentials {
  return {
    authorization: headersDistinct.authorization?.join(", ") ?? null,
    workspaceId: headersDistinct["x-workspace-id"]?.join(", ") ?? null,
  };
}

function parseQuery(query: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [key, value] of new URLSearchParams(query)) {
    if (key in values)
      throw new Refusal("invalid_request", "A query parameter is given twice.", { field: key.slice(0, 100) });
    values[key] = value;
  }
  return values;
}
