// What an analysis may ask of the network, and who we are. Built from plain values, so that a thread can build its own
// and its lookups need no hop to the main thread.

import { createListTests } from "../../../analyzer/facts/list-tests.ts";
import { createMalwareScanner } from "../../../analyzer/facts/malware.ts";
import { createScanners } from "../../../analyzer/facts/scanners.ts";
import type { AnalysisContext } from "../../../analyzer/world.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { createDns, type DnsOptions } from "../../../platform/system/dns-client.ts";
import { createFetchOperator } from "../../../platform/system/fetch-doors.ts";
import { toDnsOptions, withListKeys } from "../../../platform/system/real.ts";
import { streamToOperator } from "../../../platform/system/stream-exchange.ts";
import type { System } from "../../../platform/system/system.ts";

export type AnalysisContextOptions = Pick<AnalysisContext, "receiver" | "budgetMs"> &
  Pick<Config, "dnsbls" | "rspamdUrl" | "spamdAddress"> &
  Partial<Pick<Config, "clamdAddress">> & { readonly dnsClient: Omit<DnsOptions, "now"> };

export function toAnalysisContextOptions(config: Config, receiver: string): AnalysisContextOptions {
  const { analysisBudgetMs, dnsbls, rspamdUrl, spamdAddress, clamdAddress } = config;
  const dnsClient = toDnsOptions(config);
  return { dnsClient, receiver, budgetMs: analysisBudgetMs, dnsbls, rspamdUrl, spamdAddress, clamdAddress };
}

/** `dns` replaces the network's resolver. */
export function createAnalysisContext(
  options: AnalysisContextOptions,
  now: () => number,
  dns?: System["dns"],
): AnalysisContext {
  const { receiver, budgetMs, dnsbls, dnsClient } = options;
  const asked = withListKeys(dns ?? createDns({ ...dnsClient, now }), dnsbls);
  return {
    dns: asked,
    now,
    receiver,
    budgetMs,
    enter: () => {},
    lists: createListTests(dnsbls, asked, now),
    scanners: createScanners(options, { fetchOperator: createFetchOperator(), streamToOperator }),
    malware: createMalwareScanner(options, streamToOperator, now),
  };
}
