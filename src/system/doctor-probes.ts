// The doctor's way to the real machine. Each resolver gets a client of its own, so that one that is dead is not
// hidden by the next one's answer.

import { getServers } from "node:dns";
import type { Config } from "../config.ts";
import { createDns } from "./dns-client.ts";
import { toDnsServers } from "./dns-servers.ts";
import { knock, tryBind } from "./knock.ts";
import { isClockSynchronised, monotonicMs, readHostName, readOwnAddresses } from "./machine.ts";

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
    knock,
    tryBind,
    monotonicMs,
    isClockSynchronised,
    close: () => {
      for (const { dns } of clients) dns.close();
    },
  };
}
