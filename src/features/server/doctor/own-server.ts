// What the running server says about itself, because the server check never touches the database.

import { toHostPort } from "../../../platform/settings/setting-kinds.ts";
import { toReachable } from "./ports.ts";
import type { Patient } from "./row.ts";

type OwnServer = Pick<Patient, "config" | "system" | "probes">;
type OwnAnswer = { readonly status: number; readonly text: string };

/** Undefined if the server doesn't respond. */
export async function askOwnServer(
  { config, system, probes }: OwnServer,
  path: "/metrics" | "/readyz",
): Promise<OwnAnswer | undefined> {
  const { httpPort: port, httpTlsCert, metricsToken } = config;
  const door = { host: toReachable(config.httpHost), port, tls: httpTlsCert !== null };
  const say = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  if (port === 0 || (await probes.knock({ ...door, say })).state !== "answered") return undefined;
  const outcome = await system.fetchOperator(`http${door.tls ? "s" : ""}://${toHostPort(door)}${path}`, {
    timeoutMs: 3_000,
    maxBytes: 4_000_000,
    ...(metricsToken !== null && { headers: { authorization: `Bearer ${metricsToken}` } }),
  });
  return outcome.ok ? { status: outcome.status, text: Buffer.from(outcome.body).toString("utf8") } : undefined;
}

/** Undefined if the server doesn't respond. */
export async function readMetrics(server: OwnServer): Promise<string | undefined> {
  const answer = await askOwnServer(server, "/metrics");
  return answer?.status === 200 ? answer.text : undefined;
}
