// The endpoint for AI agents: the Model Context Protocol over HTTP. Its tools call other endpoints in the caller's name,
// so roles, isolation and limits are those of the API.

import { z } from "zod";
import { type AnswerOf, defineEndpoint, type Endpoint, type InputOf } from "../../platform/contract/endpoint.ts";
import type { Refusal } from "../../platform/errors.ts";

export const callMcp = defineEndpoint({
  method: "POST",
  path: "/mcp",
  access: "token",
  token: "read",
  labelToken: "handler",
  summary:
    "One JSON-RPC message of the Model Context Protocol (Streamable HTTP, stateless, with JSON responses). Use an MCP client. A message that expects no response returns 202.",
  headers: z.strictObject({
    "mcp-protocol-version": z.string().optional().describe("Version that the client and server agreed on."),
  }),
  body: z
    .strictObject({
      jsonrpc: z.literal("2.0"),
      id: z.union([z.string(), z.int()]).optional().describe("Without it, no response is expected."),
      method: z.string(),
      params: z.record(z.string(), z.unknown()).optional(),
    })
    .meta({ examples: [{ jsonrpc: "2.0", id: 1, method: "tools/list" }] }),
  answer: { mediaType: "application/json" },
  status: 200,
  emptyStatus: 202,
  errors: ["rate_limited"],
});

type Given<E extends Endpoint> = {
  readonly params?: Readonly<InputOf<E["params"]>>;
  readonly query?: InputOf<E["query"]>;
  readonly body?: InputOf<E["body"]>;
};

/** What the tools may use of the server. */
export type McpHost = {
  readonly version: string;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Calls an endpoint as the caller. */
  readonly call: <E extends Endpoint>(endpoint: E, given: Given<E>) => Promise<AnswerOf<E>>;
  /** What the caller may read of an error. An error that isn't a Refusal is logged. */
  readonly toRefusal: (cause: unknown) => Refusal;
  /** Listens for events in the workspace. */
  readonly listen: () => McpEvents;
};

export type McpEvents = {
  /** Resolves at the next event since the last call. False: the time is over, or the caller has left. */
  readonly next: (until: AbortSignal) => Promise<boolean>;
  readonly leave: () => void;
};

export type AnswerMcp = (request: Request, message: unknown, host: McpHost) => Promise<Response>;
