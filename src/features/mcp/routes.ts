// The endpoint for AI agents (src/features/mcp/tools). A tool calls other routes in here, after the same checks of the caller's role and
// of the input as over HTTP.

import { isJsonObject, parseJsonObject } from "../../analyzer/json.ts";
import { type Endpoint, isMedia } from "../../platform/contract/endpoint.ts";
import { Refusal } from "../../platform/errors.ts";
import { checkNeeds, checkRole, isScoped } from "../../platform/http/callers/auth.ts";
import { followerOf, rightsOf } from "../../platform/http/callers/caller.ts";
import { labelOf, requireTokenRight } from "../../platform/http/callers/token-rights.ts";
import { toRefusal } from "../../platform/http/exchange.ts";
import { validate } from "../../platform/http/validation.ts";
import { type Call, type Route, route } from "../../platform/route.ts";
import type { Server } from "../../platform/server.ts";
import { callMcp, type McpEvents, type McpHost } from "./contract.ts";

type McpCall = Call<typeof callMcp>;

export const mcpRoutes: readonly Route[] = [
  route(callMcp, async (call, server) => {
    const { answerMcp, version, system, baseUrl } = server;
    const host: McpHost = {
      version,
      now: system.now,
      random: system.random,
      call: async (endpoint, given) => {
        const found = server.routes.find((one) => one.endpoint === (endpoint as Endpoint));
        if (found === undefined) throw new Error(`${endpoint.path} has no route.`);
        return (await callRoute(found, given, call, server)) as never;
      },
      toRefusal: (cause) => {
        const { method, path } = callMcp;
        return toRefusal(cause, { method, route: path }, server).refusal;
      },
      listen: () => listen(call, server),
    };
    const request = new Request(baseUrl() + callMcp.path, { method: callMcp.method, headers: toHeaders(call.headers) });
    const answer = await answerMcp(request, call.body, host);
    if (answer.status >= 400) throw await toHttpRefusal(answer);
    answer.headers.set("cache-control", "no-store");
    return answer;
  }).recording({ nothing: "Its tools call other routes, which are recorded with the token." }),
];

/** The SDK's own form is JSON-RPC, but every HTTP error of this server has the same one. */
async function toHttpRefusal(answer: Response): Promise<Refusal> {
  const { error } = parseJsonObject(await answer.text()) ?? {};
  const message = isJsonObject(error) ? error.message : null;
  return new Refusal("invalid_request", typeof message === "string" ? message : "Not an MCP message.");
}

/** A client that accepts only JSON is fine, although the protocol asks for more. */
function toHeaders({ "mcp-protocol-version": version }: McpCall["headers"]): Record<string, string> {
  return {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...(version === undefined ? {} : { "mcp-protocol-version": version }),
  };
}

type Given = { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown };

/** Admits again, because a tool may wait for long between two calls. */
async function callRoute(
  route: Route,
  { params, query, body }: Given,
  call: McpCall,
  server: Server,
): Promise<unknown> {
  const { endpoint } = route;
  const { access } = endpoint;
  const { caller, workspaceId } = await call.admitAgain();
  if (isScoped(access)) checkRole(caller?.memberships.get(workspaceId ?? ""), access);
  else if (access !== "public") throw new Error(`Tools can't call ${endpoint.path}.`);
  if (caller !== null) requireTokenRight(endpoint, caller);
  if (isMedia(endpoint.body)) throw new Error(`Tools can't send files to ${endpoint.path}.`);
  checkNeeds(endpoint, server);
  const input = {
    params: endpoint.params.parse(params ?? {}),
    query: validate(endpoint.query, query ?? {}, "query"),
    headers: {},
    body: validate(endpoint.body, body ?? {}, "body"),
  };
  const label = labelOf(caller);
  await server.requireOwnLabel(endpoint, label, input.params, call.store);
  const labeled = { ...call, ...input, label } as unknown as Call;
  return await server.handle(route, labeled, server, await route.state?.(labeled, server));
}

/** Counts as an event stream, so the number of waiting agents is limited. */
function listen(call: McpCall, { events }: Server): McpEvents {
  const { workspaceId, caller, followClient, admitAgain } = call;
  let hasNews = false;
  let isOver = false;
  let wake = () => {};
  const end = () => {
    isOver = true;
    wake();
  };
  const noteNews = () => {
    hasNews = true;
    wake();
  };
  const place = { workspaceId, follower: followerOf(caller), afterId: undefined };
  const rights = [workspaceId, ...rightsOf(caller)];
  // The tool then calls an endpoint, which says why it is refused.
  const recheck = () => void admitAgain().catch(noteNews);
  const following = events.follow(place, { rights, recheck, wake: noteNews, end });
  const unfollow = followClient(end);
  return {
    next: async (until) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      until.addEventListener("abort", () => resolve(), { once: true });
      if (!hasNews && !isOver && !until.aborted) await promise;
      const isNews = hasNews && !isOver;
      hasNews = false;
      return isNews;
    },
    leave: () => {
      following.leave();
      unfollow();
    },
  };
}
