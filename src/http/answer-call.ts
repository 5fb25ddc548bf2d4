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
  const credentials = readCredentials(request);
  const admitAgain = () => admit(endpoint.access, credentials, client);
  const admission = await admitAgain();
  exchange.callerIsKnown = admission.caller !== null;
  const query = validate(endpoint.query, parseQuery(exchange.query), "query");
  const headers = validate(endpoint.headers, pickHeaders(endpoint, request), "headers");
  const body = await takeBody(endpoint, request);
  const call = { ...admission, params, query, headers, body, client, admitAgain };
  const answer = await handler(call as Call, dependencies);
  if (endpoint.answer === null) return new HTTPResponse(null, { status: endpoint.status });
  if (isMedia(endpoint.answer)) {
    // A body that stays at home would hold on to what it reads from.
    if (request.method === "HEAD") await (answer as Response).body?.cancel();
    return answer as Response;
  }
  return new HTTPResponse(JSON.stringify(answer), {
    status: endpoint.status,
    headers: { "content-type": "application/json; charset=utf-8" },
  });
}

async function takeBody({ method, body }: Endpoint, request: IncomingMessage): Promise<unknown> {
  if (method === "GET") return {};
  if (!isMedia(body)) return validate(body, await readJsonBody(request), "body");
  checkMediaType(request, body.mediaType);
  const said = request.headers["content-length"];
  const read = (limitBytes: number) => readBody(request, limitBytes);
  return { saidBytes: said === undefined ? null : Number(said), read } satisfies RawBody;
}

/** A header sent twice is joined, which no token and no id survives; Node alone would quietly take the first. */
function readCredentials({ headersDistinct }: IncomingMessage): Credentials {
  return {
    authorization: headersDistinct.authorization?.join(", ") ?? null,
    workspaceId: headersDistinct["x-workspace-id"]?.join(", ") ?? null,
  };
}

function pickHeaders({ headers }: Endpoint, { headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.keys(headers.shape).flatMap((name) => {
      const values = headersDistinct[name];
      return values === undefined ? [] : [[name, values.join(", ")]];
    }),
  );
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
