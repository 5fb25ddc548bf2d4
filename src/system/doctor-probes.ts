// The doctor's way to the real machine. Each resolver gets a client of its own, so that one that is dead is not
// hidden by the next one's answer.

import { getServers } from "node:dns";
import { access } from "node:fs/promises";
import { hostname, networkInterfaces } from "node:os";
import type { Config } from "../config.ts";
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

// What only the operating system knows of the machine we run on.

function readHostName(): string {
  return hostname();
}

/** Of all interfaces that are up, loopback left out. */
function readOwnAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal }) => !internal).map(({ address }) => address);
}

/** Moves evenly whatever is done to the wall clock. */
function monotonicMs(): number {
  return performance.now();
}

/** Null where the system leaves no sign: only systemd's own time service writes one that needs no privilege to read. */
async function isClockSynchronised(): Promise<true | null> {
  const sign = access("/run/systemd/timesync/synchronized");
  return sign.then(
    () => true,
    () => null,
  );
}
