// Sends the sample message of the gallery through a running server, and waits for its report. Only the server can send it,
// because the sample is checked against the gallery's own DNS zone. So this is a client of the server's API.

import type { Config } from "../config.ts";
import { Refusal } from "../errors.ts";
import { toBaseUrl } from "../http/client-address.ts";
import { parseJsonObject } from "../json.ts";
import { labelPrefix } from "../laboratory/letter.ts";
import { toHostPort } from "../setting-kinds.ts";
import { storeOf } from "../store/scope.ts";
import type { Store } from "../store/store.ts";
import type { System } from "../system/system.ts";
import { issueToken, revokeToken } from "../tasks/accounts/tokens.ts";
import { toReachable } from "../tasks/doctor/ports.ts";
import { type Arguments, answer, type Command, type ExitCode, exitCodes, type Terminal } from "./command.ts";
import { startCommand } from "./invocation.ts";
import { findWorkspace, workspaceOption } from "./token.ts";
import { findFinished } from "./wait.ts";
import { withStore } from "./with-store.ts";

export const sendSample: Command = {
  name: "send-sample",
  summary: "Send a sample message through the running server.",
  usage: "send-sample [--workspace <wsp_…>] [--json]",
  example: "assay send-sample",
  positionals: { min: 0, max: 0 },
  options: { workspace: workspaceOption },
  details: () =>
    "The sample is a newsletter with three mistakes. Prints its score and the link to its report.",
  run: sendAndWait,
};

const id = "sample";
const sendWithinMs = 40_000;
const analyzeWithinMs = 30_000;
const tokenLifeMs = 60_000;

function sendAndWait(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  return withStore(args, terminal, async ({ config, store, system }) => {
    await requireServer(config);
    const { id: workspaceId } = await findWorkspace(store.read, args);
    const since = system.now();
    await send(workspaceId, { config, store, system });
    const wanted = { workspaceId, label: `${labelPrefix}${id}`, since, until: since + analyzeWithinMs };
    const test = await findFinished(store.read, wanted, system);
    if (typeof test === "string") {
      terminal.err(`${test}\n`);
      return exitCodes.nothingCame;
    }
    const report = `${toBaseUrl(config, config.httpPort)}/tests/${test.id}`;
    const score = test.composite === null ? "" : ` Its score is ${test.composite}.`;
    const text = `Sample sent and analyzed.${score}\nReport: ${report}`;
    return answer(args, terminal, { id: test.id, score: test.composite, report }, () => text);
  });
}

/** Keeps the token from going to another program that uses the port. */
async function requireServer({ databaseUrl, dataDir }: Config): Promise<void> {
  const { isServed } = await import("../store/open.ts");
  if (databaseUrl === null && !isServed(dataDir))
    throw new Refusal(
      "conflict",
      `No server is running on ${dataDir}. Start it first (${startCommand}), or set ASSAY_DATA_DIR to the server's data directory.`,
    );
}

type Client = { readonly config: Config; readonly store: Store; readonly system: System };

/** Uses a token that exists only for this request. */
async function send(workspaceId: string, { config, store, system }: Client): Promise<void> {
  const own = storeOf(store, workspaceId);
  const wanted = { name: "send-sample", createdBy: null, expiresAt: system.now() + tokenLifeMs };
  const { row, token } = await issueToken(own, system, wanted);
  try {
    const outcome = await system.fetchOperator(`${toServerUrl(config)}/api/laboratory`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "x-workspace-id": workspaceId,
        "content-type": "application/json",
      },
      body: JSON.stringify({ ids: [id] }),
      timeoutMs: sendWithinMs,
      maxBytes: 100_000,
    });
    if (!outcome.ok)
      throw new Refusal("send_failed", `Cannot reach Assay at ${toServerUrl(config)}. Is it running there?`);
    if (outcome.status !== 202) throw new Refusal("send_failed", toProblem(outcome.status, outcome.body));
  } finally {
    await revokeToken(own, row.id);
  }
}

/** A certificate names the public host, not the address that the server listens on. */
function toServerUrl(config: Config): string {
  const { httpHost, httpPort: port, httpTlsCert } = config;
  if (httpTlsCert !== null) return toBaseUrl(config, port);
  return `http://${toHostPort({ host: toReachable(httpHost), port })}`;
}

function toProblem(status: number, body: Uint8Array): string {
  const message = parseJsonObject(Buffer.from(body).toString("utf8"))?.message;
  return typeof message === "string"
    ? message
    : `The server responded with ${status}. Is another program using its port?`;
}
