// Connects an AI agent that starts a program to the MCP server of a running Assay: forwards messages between standard
// input and output and <url>/mcp.

import { type Readable, Writable } from "node:stream";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { type Arguments, type Command, type ExitCode, exitCodes, type Terminal } from "../../platform/cli/command.ts";
import { findServer, serverOptions } from "../../platform/cli/server.ts";
import { messageOf, Refusal } from "../../platform/errors.ts";
import { callMcp } from "./contract.ts";

export const mcp: Command = {
  group: "use",
  name: "mcp",
  summary: "Connect an AI agent to a running server (MCP over stdio).",
  usage: "mcp --url <url> --token <token>",
  example: "assay mcp --url https://assay.example.com --token asy_…",
  options: serverOptions,
  details: () =>
    "An agent starts this command and talks to it. Agents that support HTTP can connect to <url>/mcp directly. See /docs/mcp.",
  run: bridge,
};

async function bridge(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const server = findServer(args, terminal);
  if (server === null) throw new Refusal("invalid_request", "Missing server. Pass --url https://…, or set ASSAY_URL.");
  const { token } = server;
  const url = new URL(server.url);
  url.pathname = `${url.pathname.replace(/\/$/, "")}${callMcp.path}`;
  // Loaded here, because every command loads this file.
  const [stdio, http] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/stdio.js"),
    import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
  ]);
  const input = terminal.openInput();
  const agent = new stdio.StdioServerTransport(input, toWritable(terminal));
  const transport = new http.StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await connect(agent, transport, input);
  return exitCodes.fine;
}

/** Until the agent closes our input. Its last requests are still answered. */
async function connect(
  agent: StdioServerTransport,
  server: StreamableHTTPClientTransport,
  input: Readable,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  agent.onmessage = (message) => {
    const sent = server.send(message).catch((cause: unknown) => answerFailure(agent, message, cause));
    underWay.add(sent);
    void sent.finally(() => underWay.delete(sent));
  };
  server.onmessage = (message) => {
    if ("result" in message && typeof message.result.protocolVersion === "string")
      server.setProtocolVersion(message.result.protocolVersion);
    void agent.send(message);
  };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  input.once("end", end).once("close", end);
  await server.start();
  await agent.start();
  await ended;
  while (underWay.size > 0) await Promise.all(underWay);
  await server.close();
}

/** JSON-RPC 2.0 §5.1. */
const internalError = -32603;

/** A notification gets no answer, not even this one. */
async function answerFailure(agent: StdioServerTransport, message: JSONRPCMessage, cause: unknown): Promise<void> {
  if (!("method" in message && "id" in message)) return;
  const error = { code: internalError, message: `Assay did not respond. ${messageOf(cause)}` };
  await agent.send({ jsonrpc: "2.0", id: message.id, error });
}

function toWritable({ out }: Terminal): Writable {
  return new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      out(text);
      done();
    },
  });
}
