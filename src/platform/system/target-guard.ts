// Decides whether we may connect to a URL from an untrusted source. Every address of the host is checked, and the caller
// connects only to the addresses returned. One bad address rejects the host: a name that is public and internal at once is an
// attack or a mistake. Names are resolved by our own client, so that ASSAY_DNS_SERVERS applies and the machine's hosts file,
// with its internal names, does not.

import {
  isInNetworks,
  isPublicAddress,
  parseNetworks,
  toPlainAddress,
  whyNotPublic,
} from "../../analyzer/addresses.ts";
import type { Dns, DnsAnswer } from "../../analyzer/dns/answer.ts";
import type { FetchFailure } from "../../analyzer/facts/fetch.ts";
import { Refusal } from "../errors.ts";
import type { PrivateTargets } from "../settings/setting-kinds.ts";

export type GuardOutcome =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly failure: FetchFailure; readonly problem: string };

export type ResolveHost = (host: string) => Promise<GuardOutcome>;
export type TargetGuard = (host: string) => Promise<GuardOutcome>;

type UrlReading = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly problem: string };

/** The URL parser converts decimal, octal, hexadecimal and short IPv4 forms to the usual one, so that one check is enough. */
export function parseHttpUrl(text: string): UrlReading {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    return { ok: false, problem: "The URL must begin with http:// or https:// and contain a host name." };
  if (url.username !== "" || url.password !== "")
    return { ok: false, problem: "The URL must not contain a user name or password." };
  return { ok: true, url };
}

/** The host without brackets and trailing dot, as the resolver and certificates have it. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

export function createHostResolver(dns: Dns): ResolveHost {
  return async (host) => {
    const answers = await Promise.all([dns.query(host, "A"), dns.query(host, "AAAA")]);
    const addresses = answers.flatMap(addressesIn);
    if (addresses.length > 0) return { ok: true, addresses };
    const trouble = answers.find(({ status }) => !["answered", "nodata", "nxdomain"].includes(status));
    const problem = trouble
      ? `The DNS lookup for ${host} failed (${trouble.status}).`
      : `${host} has no IP address in DNS.`;
    return { ok: false, failure: "unresolved", problem };
  };
}

export function createTargetGuard(options: {
  readonly allow: PrivateTargets;
  readonly resolveHost: ResolveHost;
}): TargetGuard {
  const networks = parseNetworks(options.allow.networks);
  const isAllowed = (address: string) =>
    options.allow.all || isPublicAddress(address) || isInNetworks(address, networks);
  return async (host) => {
    const resolution = await addressesOf(host, isAllowed, options.resolveHost);
    const bad = resolution.ok && resolution.addresses.find((address) => !isAllowed(address));
    return bad ? refusal(host, bad) : resolution;
  };
}

/** When a URL is saved, a host that does not resolve yet is accepted. The guard checks each connection again. */
export async function validateTargetUrl(text: string, allow: PrivateTargets, dns: Dns): Promise<string> {
  const reading = parseHttpUrl(text);
  if (!reading.ok) throw new Refusal("invalid_url", reading.problem, { field: "url" });
  const guard = createTargetGuard({ allow, resolveHost: createHostResolver(dns) });
  const outcome = await guard(hostOf(reading.url));
  if (!outcome.ok && outcome.failure === "refused_address")
    throw new Refusal("invalid_url", outcome.problem, { field: "url" });
  return reading.url.href;
}

async function addressesOf(
  host: string,
  isAllowed: (address: string) => boolean,
  resolveHost: ResolveHost,
): Promise<GuardOutcome> {
  const literal = toPlainAddress(host);
  if (literal !== undefined) return { ok: true, addresses: [literal] };
  if (!/(^|\.)localhost$/i.test(host)) return resolveHost(host);
  // RFC 6761 §6.3: these names are loopback, whatever DNS says.
  const open = ["127.0.0.1", "::1"].filter(isAllowed);
  return { ok: true, addresses: open.length > 0 ? open : ["127.0.0.1"] };
}

/** Names the kind of address but not the address, so that internal addresses are not revealed. */
function refusal(host: string, address: string): GuardOutcome {
  const kind = whyNotPublic(address) ?? "special";
  const link = toPlainAddress(host) === undefined ? "resolves to" : "is";
  return {
    ok: false,
    failure: "refused_address",
    problem: `${host} ${link} an address that is not public (${kind}). This server only connects to public addresses.`,
  };
}

function addressesIn(answer: DnsAnswer): string[] {
  return answer.records.flatMap((record) => ("address" in record ? [record.address] : []));
}
