// What the running server says about itself, because the server check never touches the database.

import { toHostPort } from "../../../platform/settings/setting-kinds.ts";
import { toReachable } from "./ports.ts";
import type { Patient } from "./row.ts";

type OwnServer = Pick<Patient, "config" | "system" | "probes">;

/** Undefined if the server doesn't respond. */
export async function readMetrics({ config, system, probes }: OwnServer): Promise<string | undefined> {
  const { httpPort: port, httpTlsCert, metricsToken } = config;
  const door = { host: toReachable(config.httpHost), port, tls: httpTlsCert !== null };
  const say = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  if (port === 0 || (await probes.knock({ ...door, say })).state !== "answered") return undefined;
  const outcome = await system.fetchOperator(`http${door.tls ? "s" : ""}://${toHostPort(door)}/metrics`, {
    timeoutMs: 3_000,
    maxBytes: 4_000_000,
    ...(metricsToken !== null && { headers: { authorization: `Bearer ${metricsToken}` } }),
  });
  return outcome.ok && outcome.status === 200 ? Buffer.from(outcome.body).toString("utf8") : undefined;
}
