// For commands that need a running server: the one of --url, or else the one on this machine.

import {
  type Arguments,
  CommandFailure,
  type ExitCode,
  exitCodes,
  type Terminal,
} from "../../../platform/cli/command.ts";
import { startCommand } from "../../../platform/cli/invocation.ts";
import { createServer, findServer, openServer, type Server } from "../../../platform/cli/server.ts";
import { storeOf } from "../../../platform/database/scope.ts";
import { toBaseUrl } from "../../../platform/http/client-address.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { toHostPort } from "../../../platform/settings/setting-kinds.ts";
import { findWorkspace } from "../../people/command/token.ts";
import { issueToken, revokeToken } from "../../people/work/tokens.ts";
import { toReachable } from "../doctor/ports.ts";
import { readOperator, withStore } from "./with-store.ts";

type ServerWork = (server: Server) => Promise<ExitCode>;

/** With the server of --url, or else with the one that runs on this machine's data directory. */
export async function withServer(args: Arguments, terminal: Terminal, work: ServerWork): Promise<ExitCode> {
  const address = findServer(args, terminal);
  return address === null ? await withOwnServer(args, terminal, work) : await work(await openServer(address));
}

const tokenLifeMs = 3_600_000;
const longestName = 100;

/** Uses a token that exists only meanwhile. */
async function withOwnServer(args: Arguments, terminal: Terminal, work: ServerWork): Promise<ExitCode> {
  return await withStore(args, terminal, async ({ config, store, system }) => {
    await requireServer(config);
    const { id: workspaceId } = await findWorkspace(store.read, args);
    const own = storeOf(store, workspaceId);
    const expiresAt = system.now() + tokenLifeMs;
    const rights = { createdBy: null, scope: "admin", label: null, expiresAt } as const;
    // The audit log names it where it says who did something.
    const wanted = { name: `command line (${readOperator()})`.slice(0, longestName), ...rights };
    const { row, token } = await issueToken(own, system, wanted);
    try {
      const base = toServerUrl(config);
      const shown = toBaseUrl(config, config.httpPort);
      return await work({ ...createServer({ base, token, workspaceId, ask: system.fetchOperator }), base: shown });
    } finally {
      await revokeToken(own, row.id);
    }
  });
}

/** Keeps the token from going to another program that uses the port. */
async function requireServer({ databaseUrl, dataDir }: Config): Promise<void> {
  const { isServed } = await import("../../../platform/database/open.ts");
  if (databaseUrl === null && !isServed(dataDir))
    throw new CommandFailure(
      exitCodes.serverFailed,
      `No server is running on ${dataDir}. Start it first (${startCommand}), set ASSAY_DATA_DIR to the server's data directory, or name another server with --url.`,
    );
}

/** A certificate names the public host, not the address that the server listens on. */
function toServerUrl(config: Config): string {
  const { httpHost, httpPort: port, httpTlsCert } = config;
  if (httpTlsCert !== null) return toBaseUrl(config, port);
  return `http://${toHostPort({ host: toReachable(httpHost), port })}`;
}
