// A server that failed three times in a row is skipped for 5 s. Failures are counted per server and not per name, so that one
// domain with dead name servers does not affect others. Any reply is a sign of life, including SERVFAIL and REFUSED, which a
// stranger's broken domain can cause at will.

import { randomInt } from "node:crypto";
import { isIP } from "node:net";
import { isPublicAddress } from "../../analyzer/addresses.ts";
import { type Fact, known, unknown } from "../../analyzer/checks/fact.ts";
import { toQuestionName } from "../../analyzer/dns/answer.ts";
import { readAuthority } from "./dns-packets.ts";
import { encodeQuestion } from "./dns-question.ts";
import { askByUdp, type DnsServer } from "./dns-udp.ts";

const failuresBeforeRest = 3;
const restMs = 5000;

export type ServerList = {
  /** The servers to ask, in order. If all should be skipped, all of them: a doubtful server is better than none. */
  readonly inOrder: () => readonly DnsServer[];
  readonly answered: (server: DnsServer) => void;
  readonly failed: (server: DnsServer) => void;
};

export function createServerList(servers: readonly DnsServer[], now: () => number): ServerList {
  const failures = new Map<DnsServer, { count: number; lastAt: number }>();
  const rests = (server: DnsServer) => {
    const { count, lastAt } = failures.get(server) ?? { count: 0, lastAt: 0 };
    return count >= failuresBeforeRest && Math.abs(now() - lastAt) < restMs;
  };
  return {
    inOrder: () => {
      const awake = servers.filter((server) => !rests(server));
      return awake.length > 0 ? awake : servers;
    },
    answered: (server) => failures.delete(server),
    failed: (server) => failures.set(server, { count: (failures.get(server)?.count ?? 0) + 1, lastAt: now() }),
  };
}

/** The forms that `dns.getServers()` returns: `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`. */
export function toDnsServers(listed: readonly string[]): DnsServer[] {
  return listed.flatMap((server) => {
    if (isIP(server)) return [{ host: server, port: 53 }];
    const [, host = "", port] = /^\[?(.*?)\]?:(\d+)$/.exec(server) ?? [];
    return isIP(host) ? [{ host, port: Number(port) }] : [];
  });
}

export function toServerText({ host, port }: DnsServer): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

// Asks a name server directly whether it serves the zone. One packet to a public address on port 53, for a monitored domain
// or one that a person asks about. Never because a message named it.

/** Unknown if it is silent, because a network may block the packet. */
export async function askAuthority(server: DnsServer, zone: string, timeoutMs: number): Promise<Fact<boolean>> {
  const name = toQuestionName(zone);
  if (name === null) return unknown("parser-failed");
  const question = { id: randomInt(0x10000), name, type: "SOA" } as const;
  const reply = await askByUdp<boolean | "unclear">({
    server,
    query: encodeQuestion(question, { edns: false, direct: true }),
    read: (bytes) => {
      const said = readAuthority(bytes, question);
      return said === "foreign" ? null : (said ?? "unclear");
    },
    timeoutMs,
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (typeof reply === "boolean") return known(reply);
  return unknown(reply === "unclear" ? "refused" : "timeout");
}

/** For addresses from untrusted sources. */
export function createServerAsker(timeoutMs: number) {
  return async (address: string, zone: string): Promise<Fact<boolean>> =>
    isPublicAddress(address) ? askAuthority({ host: address, port: 53 }, zone, timeoutMs) : unknown("not-public");
}
