// How the server check reaches the real machine. Each resolver gets its own client, so that the answer of one does not hide
// that another is dead.

import { getServers } from "node:dns";
import { access } from "node:fs/promises";
import { hostname, networkInterfaces } from "node:os";
import type { Config } from "../settings/config.ts";
import { createDns } from "./dns-client.ts";
import { toDnsServers } from "./dns-servers.ts";
import { probePort, tryBind } from "./probe-port.ts";

export function createProbes(config: Pick<Config, "dnsServers" | "dnsTimeoutMs">, now: () => number) {
  const servers = config.dnsServers ?? toDnsServers(getServers());
  const clients = servers.map((server) => ({
    address: server.port === 53 ? server.host : `${server.host} port ${server.port}`,
    dns: createDns({ servers: [server], timeoutMs: config.dnsTimeoutMs, now }),
  }));
  return {
    hostName: readHostName(),
    ownAddresses: readOwnAddresses(),
    dnsServers: clients,
    knock: probePort,
    tryBind,
    monotonicMs,
    isClockSynchronised,
    close: () => {
      for (const { dns } of clients) dns.close();
    },
  };
}

// What only the operating system knows about this machine.

function readHostName(): string {
  return hostname();
}

/** Addresses of all interfaces that are up, without loopback. */
function readOwnAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal }) => !internal).map(({ address }) => address);
}

/** Not affected by changes of the wall clock. */
function monotonicMs(): number {
  return performance.now();
}

/** Null: unknown. Only systemd's time service leaves a sign that every user can read. */
async function isClockSynchronised(): Promise<true | null> {
  const sign = access("/run/systemd/timesync/synchronized");
  return sign.then(
    () => true,
    () => null,
  );
}
