// What a domain check may ask of the network. It may do more than a message's analysis: HTTP requests to strangers, and
// queries to their name servers.

import { unknown } from "../../../analyzer/checks/fact.ts";
import { createListTests } from "../../../analyzer/facts/list-tests.ts";
import type { DomainContext } from "../../../analyzer/world.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { createDns } from "../../../platform/system/dns-client.ts";
import { createServerAsker } from "../../../platform/system/dns-servers.ts";
import { createFetchStranger } from "../../../platform/system/fetch-doors.ts";
import { type DnsSettings, toDnsOptions, withListKeys } from "../../../platform/system/real.ts";
import type { System } from "../../../platform/system/system.ts";
import { createHostResolver } from "../../../platform/system/target-guard.ts";

/** One per process, because it remembers which lists are reliable. */
export function createDomainContext(
  config: DnsSettings & Pick<Config, "dnsbls">,
  { dns, now, fetchStranger }: Pick<System, "dns" | "now" | "fetchStranger">,
  budgetMs: number,
): DomainContext {
  const unchecked = createDns({ ...toDnsOptions(config), now, unchecked: true, maxCachedAnswers: 0 });
  const askServer = createServerAsker(config.dnsTimeoutMs);
  return { dns, now, fetchStranger, unchecked, askServer, lists: createListTests(config.dnsbls, dns, now), budgetMs };
}

/** With DNS from a zone file. The MTA-STS policy is fetched from wherever that points. */
export function createZoneContext(
  config: Config,
  { dns: zone, now }: Pick<System, "dns" | "now">,
  budgetMs: number,
): DomainContext {
  const dns = withListKeys(zone, config.dnsbls);
  const fetchStranger = createFetchStranger({
    allow: config.allowPrivateTargets,
    resolveHost: createHostResolver(dns),
  });
  const askServer = async () => unknown("off");
  return {
    dns,
    now,
    fetchStranger,
    unchecked: null,
    askServer,
    lists: createListTests(config.dnsbls, dns, now),
    budgetMs,
  };
}
