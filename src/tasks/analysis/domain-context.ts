// Who checks domains: what may be asked of the world for a person who named one, or monitors it. More than for a
// message: the door to strangers' servers, and name servers themselves.

import { unknown } from "../../checks/fact.ts";
import type { Config } from "../../config.ts";
import type { Dns } from "../../dns/answer.ts";
import { createListTests, type ListTests } from "../../facts/list-tests.ts";
import type { AskServer } from "../../facts/zone.ts";
import { createDns } from "../../system/dns-client.ts";
import { createServerAsker } from "../../system/dns-servers.ts";
import { createFetchStranger } from "../../system/fetch-doors.ts";
import type { AskCertificate } from "../../system/mail-certificate.ts";
import { toDnsOptions, withListKeys } from "../../system/real.ts";
import type { System } from "../../system/system.ts";
import { createHostResolver } from "../../system/target-guard.ts";

export type DomainContext = Pick<System, "dns" | "now" | "fetchStranger"> & {
  /** The same resolver, asked not to check signatures; null where there is none. */
  readonly unchecked: Dns | null;
  readonly askServer: AskServer;
  /** Of mail servers: for the monitor alone. */
  readonly askCertificate?: AskCertificate;
  readonly lists: ListTests;
  /** Of the time in which the world must answer. */
  readonly budgetMs: number;
};

/** One a process, because it remembers what lists are worth. */
export function createDomainContext(
  config: Pick<Config, "dnsServers" | "dnsTimeoutMs" | "dnsbls">,
  { dns, now, fetchStranger }: Pick<System, "dns" | "now" | "fetchStranger">,
  budgetMs: number,
): DomainContext {
  const unchecked = createDns({ ...toDnsOptions(config), now, unchecked: true, maxCachedAnswers: 0 });
  const askServer = createServerAsker(config.dnsTimeoutMs);
  return {
    dns,
    now,
    fetchStranger,
    unchecked,
    askServer,
    lists: createListTests(config.dnsbls, dns, now),
    budgetMs,
  };
}

/** In a world that stands in a zone file; the policy is fetched from where that leads. */
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
