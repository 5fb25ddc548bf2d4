// The client's address: the peer of the connection, or the client named by a trusted proxy. X-Forwarded-For is read
// from its end, skipping trusted hops. Entries before the first untrusted one could be forged.

import ipaddr from "ipaddr.js";
import { isLoopback as isLoopbackName } from "../../analyzer/addresses.ts";
import type { Config } from "../settings/config.ts";
import { toHostPort } from "../settings/setting-kinds.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

export type Client = {
  readonly address: string;
  readonly secure: boolean;
  /** On this machine and not through a proxy. Even an untrusted forwarding header shows that there is a proxy. */
  readonly loopback: boolean;
  /** On this machine, with no sign of a proxy, under a name that no DNS server controls. */
  readonly local: boolean;
  /** The host name that the client used for us. */
  readonly host: string | null;
  /** The client's User-Agent. */
  readonly agent: string;
};

export type Peer = {
  readonly address: string | undefined;
  readonly encrypted: boolean;
  readonly forwardedFor: string | undefined;
  /** Any header that only proxies send. */
  readonly isForwarded: boolean;
  readonly forwardedProto: string | undefined;
  readonly forwardedHost: string | undefined;
  readonly host: string | undefined;
  readonly agent: string | undefined;
};

export function createClientReader(trustedProxies: readonly string[]): (peer: Peer) => Client {
  const trusted: Network[] = trustedProxies.map((network) => ipaddr.parseCIDR(network));
  const isTrusted = (address: Address) =>
    trusted.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
  return (peer) => {
    const said = { secure: peer.encrypted, host: peer.host ?? null, agent: peer.agent ?? "" };
    const direct = toAddress(peer.address ?? "");
    if (direct === null) return { ...said, address: "unknown", loopback: false, local: false };
    if (!isTrusted(direct)) {
      const proxied = peer.forwardedFor !== undefined;
      const loopback = isLoopback(direct) && !proxied;
      const local = loopback && !peer.isForwarded && isLoopbackHost(said.host);
      return { ...said, address: direct.toString(), loopback, local };
    }
    const client = firstStranger(direct, peer.forwardedFor, isTrusted);
    return {
      address: client.toString(),
      secure: peer.encrypted || lastEntry(peer.forwardedProto) === "https",
      loopback: isLoopback(client),
      // A stranger's request would look the same if the proxy forgot its headers.
      local: false,
      host: lastEntry(peer.forwardedHost) ?? said.host,
      agent: said.agent,
    };
  };
}

function firstStranger(
  peer: Address,
  forwardedFor: string | undefined,
  isTrusted: (address: Address) => boolean,
): Address {
  let client = peer;
  for (const entry of (forwardedFor ?? "").split(",").reverse()) {
    const address = toAddress(entry.trim());
    if (address === null) return client;
    client = address;
    if (!isTrusted(address)) return client;
  }
  return client;
}

function lastEntry(list: string | undefined): string | undefined {
  return list?.split(",").at(-1)?.trim().toLowerCase();
}

/** Some proxies add the port. An IPv4-mapped IPv6 address counts as IPv4. */
function toAddress(text: string): Address | null {
  const bare = text.replace(/^\[([^\]]*)\](:\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null;
  return ipaddr.process(bare);
}

function isLoopback(address: Address): boolean {
  return address.range() === "loopback";
}

/**
 * A page that rebinds its own DNS name to our address (DNS rebinding) sends that name as our host. The URL parser puts
 * all forms of an address into one.
 */
function isLoopbackHost(host: string | null): boolean {
  const named = host === null || /[/?#@\\\s]/.test(host) ? null : URL.parse(`http://${host}`);
  return named !== null && isLoopbackName(named.hostname.replace(/^\[(.*)\]$/, "$1"));
}

/** A server with a public name has a proxy, and some of them hide every sign of it. */
export function mayUseSetUpCode({ local }: Pick<Client, "local">, { baseUrl }: Pick<Config, "baseUrl">): boolean {
  return local && (baseUrl === null || isLoopbackHost(URL.parse(baseUrl)?.host ?? null));
}

/** Whether a browser on this machine can use the code. */
export function takesSetUpCode({ baseUrl, httpHost }: Pick<Config, "baseUrl" | "httpHost">): boolean {
  const isOpenHere = isLoopbackName(httpHost) || httpHost === "0.0.0.0" || httpHost === "::";
  return isOpenHere && mayUseSetUpCode({ local: true }, { baseUrl });
}

/** The base of links to this server, without a trailing slash. `port`: the port in use. */
export function toBaseUrl(
  { baseUrl, httpHost, httpTlsCert }: Pick<Config, "baseUrl" | "httpHost" | "httpTlsCert">,
  port: number,
): string {
  const scheme = httpTlsCert === null ? "http" : "https";
  return baseUrl ?? `${scheme}://${toHostPort({ host: httpHost, port })}`;
}
