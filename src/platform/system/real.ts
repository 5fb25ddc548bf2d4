// The real System: the clock, entropy, sockets and output of the process.

import { randomBytes, randomFillSync } from "node:crypto";
import { type Dns, type DnsRecord, toQuestionName } from "../../analyzer/dns/answer.ts";
import type { BlocklistZone } from "../../analyzer/dns/dnsbl.ts";
import type { Config } from "../settings/config.ts";
import { createDns, type DnsClient, type DnsOptions } from "./dns-client.ts";
import { createFetchOperator, createFetchStranger } from "./fetch-doors.ts";
import { createLog, type LogOptions } from "./log.ts";
import type { System } from "./system.ts";
import { createHostResolver } from "./target-guard.ts";

export type RealSystem = System & { readonly close: () => Promise<void> };

export function createSystem(config: Config, logOptions: Omit<LogOptions, "now">): RealSystem {
  const now = () => Date.now();
  const dns = createConfiguredDns(config, { now });
  return {
    now,
    random: createRandom(),
    dns,
    fetchStranger: createFetchStranger({ allow: config.allowPrivateTargets, resolveHost: createHostResolver(dns) }),
    fetchOperator: createFetchOperator(),
    log: createLog({ ...logOptions, now }),
    close: async () => dns.close(),
  };
}

/** From a pool, because asking the kernel costs more than the rest of an ID. Bytes that were handed out are wiped. */
function createRandom(): System["random"] {
  const pool = new Uint8Array(4_096);
  let used = pool.length;
  return (byteCount) => {
    if (byteCount > pool.length) return randomBytes(byteCount);
    if (used + byteCount > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = pool.slice(used, used + byteCount);
    pool.fill(0, used, used + byteCount);
    used += byteCount;
    return bytes;
  };
}

export type DnsSettings = Pick<Config, "dnsServers" | "dnsTimeoutMs" | "dnsTrusted">;

/** Follows the resolvers and blocklists in the config, which can change while the server runs. */
export function createConfiguredDns(
  config: DnsSettings & Pick<Config, "dnsbls">,
  options: Omit<DnsOptions, "servers" | "timeoutMs">,
): DnsClient {
  const create = () => {
    const client = createDns({ ...toDnsOptions(config), ...options });
    const { dnsServers: servers, dnsTrusted: trusted, dnsbls: lists } = config;
    return { client, dns: withListKeys(client, lists), servers, trusted, lists };
  };
  let current = create();
  return {
    query: (name, type) => {
      // Pending queries of the previous client still get their answers.
      const { servers, trusted, lists } = current;
      const isSame = servers === config.dnsServers && trusted === config.dnsTrusted;
      if (!isSame || lists !== config.dnsbls) current = create();
      return current.dns.query(name, type);
    },
    close: () => current.client.close(),
  };
}

/** Plain values, so that they can be passed to the analysis thread. */
export function toDnsOptions({ dnsServers, dnsTimeoutMs, dnsTrusted }: DnsSettings): Omit<DnsOptions, "now"> {
  return { servers: dnsServers ?? [], timeoutMs: dnsTimeoutMs, doubtsAbsence: true, trusted: dnsTrusted };
}

// Adds the keys to questions for keyed blocklists, below everything that records them. Callers use the name without the key
// and get it back in the answer. So a replay needs no key, and evidence cannot leak one.

export function withListKeys(dns: Dns, zones: readonly BlocklistZone[]): Dns {
  const keyed = zones.filter(({ zone, asked }) => zone !== asked);
  if (keyed.length === 0) return dns;
  return {
    query: async (rawName, type) => {
      const name = toQuestionName(rawName);
      const list = keyed.find(({ zone }) => name?.endsWith(`.${zone}`));
      if (name === null || list === undefined) return dns.query(rawName, type);
      const asked = `${name.slice(0, -list.zone.length)}${list.asked}`;
      // Aliases may also contain the key.
      const { aliases: _, ...answer } = await dns.query(asked, type);
      return { ...answer, name, records: answer.records.map((record) => hideKey(record, list)) };
    },
  };
}

/** A list may repeat the question in its text. */
function hideKey(record: DnsRecord, { asked }: BlocklistZone): DnsRecord {
  if (record.type !== "TXT") return record;
  const [key = ""] = asked.split(".", 1);
  return { type: "TXT", parts: record.parts.map((part) => part.replaceAll(key, "***")) };
}
