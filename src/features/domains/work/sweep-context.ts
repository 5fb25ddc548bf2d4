// What checks of monitored domains may ask of the network: the same as other domain checks, plus two ways to query DNS
// without our cache. Built from plain values, so that a thread can build its own.

import { isPublicAddress } from "../../../analyzer/addresses.ts";
import { unknown } from "../../../analyzer/checks/fact.ts";
import type { Dns } from "../../../analyzer/dns/answer.ts";
import type { AskCertificate } from "../../../analyzer/facts/doors.ts";
import type { OpenZone } from "../../../analyzer/facts/zone.ts";
import type { DomainContext } from "../../../analyzer/world.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { createDns } from "../../../platform/system/dns-client.ts";
import { createFetchStranger } from "../../../platform/system/fetch-doors.ts";
import { createCertificateAsker } from "../../../platform/system/mail-certificate.ts";
import { type DnsSettings, toDnsOptions, withListKeys } from "../../../platform/system/real.ts";
import { createHostResolver, createTargetGuard } from "../../../platform/system/target-guard.ts";
import { createDomainContext } from "./domain-context.ts";

export type SweepContext = DomainContext & {
  /** The resolver without our cache. */
  readonly uncached: Dns;
  readonly openZone: OpenZone;
};

export type SweepOptions = DnsSettings &
  Pick<Config, "dnsbls" | "allowPrivateTargets"> & {
    /** Time for all lookups of one domain. */
    readonly budgetMs: number;
    /** Our name in HELO to mail servers. */
    readonly host: string;
  };

/** No user waits for a sweep, so slow servers get more time. */
const budgetMs = 15_000;
/** Processor time until the answer: two checks, and other work of the thread. */
export const domainDeadlineMs = 2 * budgetMs + 10_000;

export function toSweepOptions(config: Config, host: string): SweepOptions {
  const { dnsServers, dnsTimeoutMs, dnsTrusted, dnsbls, allowPrivateTargets } = config;
  return { dnsServers, dnsTimeoutMs, dnsTrusted, dnsbls, allowPrivateTargets, budgetMs, host };
}

/** Holds what ten thousand domains share: included services, hosts and servers. */
const maxCachedAnswers = 10_000;
/** Lasts for one sweep, but not until the next, which must see changes. */
const maxKeptMs = 300_000;
/** For a mail host; longer than a full sweep takes. */
const maxHostKeptMs = 3_600_000;
const maxHostsKept = 5_000;
/** Hosts in a row that timed out. */
const silentInARow = 50;

export function createSweepContext(options: SweepOptions, now: () => number): SweepContext {
  const { dnsbls, allowPrivateTargets: allow, dnsTimeoutMs, budgetMs, host: ownName } = options;
  const client = { ...toDnsOptions(options), now };
  const dns = withListKeys(createDns({ ...client, maxCachedAnswers, maxKeptMs }), dnsbls);
  const resolveHost = createHostResolver(dns);
  const fetchStranger = createFetchStranger({ allow, resolveHost });
  const guard = createTargetGuard({ allow, resolveHost });
  return {
    ...createDomainContext(options, { dns, now, fetchStranger }, budgetMs),
    askCertificate: rememberCertificates(createCertificateAsker({ guard, now, ownName }), now),
    uncached: withListKeys(createDns({ ...client, maxCachedAnswers: 0 }), dnsbls),
    openZone: (addresses) => {
      const servers = addresses.filter(isPublicAddress).map((host) => ({ host, port: 53 }));
      if (servers.length === 0) return null;
      return createDns({ servers, timeoutMs: dnsTimeoutMs, maxCachedAnswers: 0, direct: true, now });
    },
  };
}

/** Ten thousand domains use the hosts of a few providers, so each host is asked once. */
export function rememberCertificates(ask: AskCertificate, now: () => number): AskCertificate {
  const seen = new Map<string, { readonly at: number; readonly fact: ReturnType<AskCertificate> }>();
  let silent = 0;
  let pauseEndsAt = 0;
  const note = (outcome: Awaited<ReturnType<AskCertificate>>) => {
    silent = !outcome.known && outcome.why === "timeout" ? silent + 1 : 0;
    if (silent < silentInARow) return;
    silent = 0;
    pauseEndsAt = now() + maxHostKeptMs;
  };
  return (host) => {
    // This network blocks port 25, and a sweep should not wait for each of ten thousand hosts.
    if (now() < pauseEndsAt) return Promise.resolve(unknown("timeout"));
    const before = seen.get(host);
    if (before !== undefined && now() - before.at < maxHostKeptMs) return before.fact;
    const fact = ask(host).then((outcome) => {
      note(outcome);
      return outcome;
    });
    seen.delete(host);
    seen.set(host, { at: now(), fact });
    const [oldest = host] = seen.keys();
    if (seen.size > maxHostsKept) seen.delete(oldest);
    return fact;
  };
}
