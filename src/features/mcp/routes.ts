// The endpoint for AI agents (src/features/mcp/tools). A tool calls other routes in here, after the same checks of the caller's role and
// of the input as over HTTP.

import { isJsonObject, parseJsonObject } from "../../analyzer/json.ts";
import { type Endpoint, isMedia } from "../../platform/contract/endpoint.ts";
import { Refusal } from "../../platform/errors.ts";
import { checkRole, isScoped } from "../../platform/http/callers/auth.ts";
import { labelOf, requireOwnLabel, requireTokenRight } from "../../platform/http/callers/token-rights.ts";
import { toRefusal } from "../../platform/http/exchange.ts";
import { type Call, checkNeeds, type Route, route } from "../../platform/http/route.ts";
import { validate } from "../../platform/http/validation.ts";
import type { Dependencies } from "../../server/dependencies.ts";
import { handleRecorded } from "../audit-log/audit-intents.ts";
import { followerOf, rightsOf } from "../people/work/callers.ts";
import { callMcp, type McpEvents, type McpHost } from "./contract.ts";

type McpCall = Call<typeof callMcp>;

/** `routes` is asked when first needed: this route is in the list. */
export function createMcpRoutes(routes: () => readonly Route[]): readonly Route[] {
  return [
    route(callMcp, async (call, dependencies) => {
      const { answerMcp, version, system, baseUrl } = dependencies;
      const host: McpHost = {
        version,
        now: system.now,
        random: system.random,
        call: async (endpoint, given) => {
          const found = routes().find((one) => one.endpoint === (endpoint as Endpoint));
          if (found === undefined) throw new Error(`${endpoint.path} has no route.`);
          return (await callRoute(found, given, call, dependencies)) as never;
        },
        toRefusal: (cause) => {
          const { method, path } = callMcp;
          return toRefusal(cause, { method, route: path }, dependencies).refusal;
        },
        listen: () => listen(call, dependencies),
      };
      const request = new Request(baseUrl() + callMcp.path, {
        method: callMcp.method,
        headers: toHeaders(call.headers),
      });
      const answer = await answerMcp(request, call.body, host);
      if (answer.status >= 400) throw await toHttpRefusal(answer);
      answer.headers.set("cache-control", "no-store");
      return answer;
    }),
  ];
}

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
  { endpoint, handler }: Route,
  { params, query, body }: Given,
  call: McpCall,
  dependencies: Dependencies,
): Promise<unknown> {
  const { access } = endpoint;
  const { caller, workspaceId } = await call.admitAgain();
  if (isScoped(access)) checkRole(caller?.memberships.get(workspaceId ?? ""), access);
  else if (access !== "public") throw new Error(`Tools can't call ${endpoint.path}.`);
  if (caller !== null) requireTokenRight(endpoint, caller);
  if (isMedia(endpoint.body)) throw new Error(`Tools can't send files to ${endpoint.path}.`);
  checkNeeds(endpoint, dependencies);
  const input = {
    params: endpoint.params.parse(params ?? {}),
    query: validate(endpoint.query, query ?? {}, "query"),
    headers: {},
    body: validate(endpoint.body, body ?? {}, "body"),
  };
  const label = labelOf(caller);
  await requireOwnLabel(endpoint, label, input.params, call.store);
  const labeled = { ...call, ...input, label } as unknown as Call;
  return await handleRecorded({ endpoint, handler }, labeled, dependencies);
}

/** Counts as an event stream, so the number of waiting agents is limited. */
function listen(call: McpCall, { events }: Dependencies): McpEvents {
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
