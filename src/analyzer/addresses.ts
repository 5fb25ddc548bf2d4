// Decides which IP addresses are public. Every address from a stranger is checked here before we connect. IPv6 is
// refused outside IANA's global unicast range (2000::/3), because a blocklist would miss future assignments; the table
// gives the reason. IPv4 has no such range, so the table alone decides. IPv4-mapped addresses and NAT64's well-known
// prefix, which IPv6-only machines need, are judged by the IPv4 address inside. Other transition formats are refused.

import ipaddr from "ipaddr.js";

export type ListenAddress = { readonly host: string; readonly port: number };
/** A server of the operator: over TCP, or on a Unix socket. */
export type SocketAddress = ListenAddress | { readonly path: string };

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

type SpecialNetwork = { readonly network: string; readonly what: string; readonly reference: string };

/** The first matching row counts. */
export const specialNetworks: readonly SpecialNetwork[] = [
  { network: "0.0.0.0/8", what: "this machine", reference: "RFC 1122 §3.2.1.3" },
  { network: "10.0.0.0/8", what: "private", reference: "RFC 1918 §3" },
  { network: "100.64.0.0/10", what: "carrier-grade NAT", reference: "RFC 6598 §7" },
  { network: "127.0.0.0/8", what: "loopback", reference: "RFC 1122 §3.2.1.3" },
  { network: "168.63.129.16/32", what: "cloud metadata", reference: "Azure's platform address" },
  { network: "169.254.0.0/16", what: "link-local or cloud metadata", reference: "RFC 3927 §2.1" },
  { network: "172.16.0.0/12", what: "private", reference: "RFC 1918 §3" },
  { network: "192.0.0.0/24", what: "protocol assignment", reference: "RFC 6890 §2.2.2" },
  { network: "192.0.2.0/24", what: "documentation", reference: "RFC 5737 §3" },
  { network: "192.88.99.0/24", what: "6to4 relay", reference: "RFC 7526 §4" },
  { network: "192.168.0.0/16", what: "private", reference: "RFC 1918 §3" },
  { network: "198.18.0.0/15", what: "benchmarking", reference: "RFC 2544 appendix C.2.2" },
  { network: "198.51.100.0/24", what: "documentation", reference: "RFC 5737 §3" },
  { network: "203.0.113.0/24", what: "documentation", reference: "RFC 5737 §3" },
  { network: "224.0.0.0/4", what: "multicast", reference: "RFC 5771 §3" },
  { network: "255.255.255.255/32", what: "broadcast", reference: "RFC 919 §7" },
  { network: "240.0.0.0/4", what: "reserved", reference: "RFC 1112 §4" },
  { network: "::/128", what: "unspecified", reference: "RFC 4291 §2.5.2" },
  { network: "::1/128", what: "loopback", reference: "RFC 4291 §2.5.3" },
  { network: "::/96", what: "IPv4-compatible", reference: "RFC 4291 §2.5.5.1" },
  { network: "::ffff:0:0:0/96", what: "IPv4-translated", reference: "RFC 2765 §2.1" },
  { network: "64:ff9b:1::/48", what: "local NAT64", reference: "RFC 8215 §4" },
  { network: "100::/64", what: "discard", reference: "RFC 6666 §4" },
  { network: "2001::/32", what: "Teredo", reference: "RFC 4380 §2.6" },
  { network: "2001:2::/48", what: "benchmarking", reference: "RFC 5180 §8" },
  { network: "2001::/23", what: "protocol assignment", reference: "RFC 2928 §2" },
  { network: "2001:db8::/32", what: "documentation", reference: "RFC 3849 §2" },
  { network: "2002::/16", what: "6to4", reference: "RFC 3056 §2" },
  { network: "3fff::/20", what: "documentation", reference: "RFC 9637 §3" },
  { network: "fc00::/7", what: "private (unique local)", reference: "RFC 4193 §3.1" },
  { network: "fe80::/10", what: "link-local", reference: "RFC 4291 §2.5.6" },
  { network: "fec0::/10", what: "site-local", reference: "RFC 3879 §4" },
  { network: "ff00::/8", what: "multicast", reference: "RFC 4291 §2.7" },
];

/** The library's parser is slow, because it tries each format three times. */
const fourDecimals = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

const specials = specialNetworks.map((row) => ({ row, parsed: parseNetwork(row.network) }));
const globalUnicast = parseNetwork("2000::/3");
const nat64 = parseNetwork("64:ff9b::/96");

export function isPublicAddress(address: string): boolean {
  return whyNotPublic(address) === null;
}

/** The kind of address ("loopback", "private" …); null for public ones. */
export function whyNotPublic(address: string): string | null {
  const parsed = parseAddress(address);
  if (!parsed) return "not an address";
  const reason = reasonOf(parsed);
  if (reason !== null || parsed.kind() === "ipv4") return reason;
  const embedded = isatapAddress(parsed as ipaddr.IPv6);
  return embedded && reasonOf(embedded);
}

/** `host`: an address, or localhost. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || whyNotPublic(host) === "loopback";
}

/** On this machine or a private network. */
export function isPrivate(host: string): boolean {
  return isLoopback(host) || whyNotPublic(host)?.startsWith("private") === true;
}

/**
 * Whether DNS and blocklists can say anything about a client at this address. Documentation addresses count as public,
 * because examples and tests use them and no real client has one.
 */
export function isSendingAddress(address: string): boolean {
  const why = whyNotPublic(address);
  return why === null || why === "documentation";
}

export function parseNetworks(networks: readonly string[]): readonly Network[] {
  return networks.map(parseNetwork);
}

export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && networks.some((network) => isIn(parsed, network));
}

/** Normalized: IPv4-mapped addresses as IPv4, IPv6 as in RFC 5952. Undefined for anything else. */
export function toPlainAddress(address: string): string | undefined {
  const parsed = parseAddress(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.toRFC5952String() : parsed?.toString();
}

/** 4 or 16 bytes as written, so a mapped address stays IPv6. Undefined if invalid. */
export function toAddressBytes(address: string): readonly number[] | undefined {
  if (!address.includes(":")) return parseAddress(address)?.toByteArray();
  const hex = toHexGroups(address);
  return hex === undefined ? undefined : ipaddr.IPv6.parse(hex).toByteArray();
}

/** The unit for counting clients: the IPv4 address or the IPv6 /64. Other text is returned unchanged. */
export function toClientNetwork(address: string): string {
  const parsed = parseAddress(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed?.toString() ?? address;
  const network = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network.toRFC5952String()}/64`;
}

/** The name for reverse DNS (RFC 1035 §3.5, RFC 3596 §2.5), or in a blocklist's zone (RFC 5782 §2.1). */
export function toReverseName(address: string, zone?: string): string {
  const parsed = parseAddress(address);
  if (!parsed) throw new TypeError(`${address} is not an IP address`);
  const bytes = parsed.toByteArray();
  if (parsed.kind() === "ipv4") return `${bytes.reverse().join(".")}.${zone ?? "in-addr.arpa"}`;
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${[...digits].reverse().join(".")}.${zone ?? "ip6.arpa"}`;
}

function reasonOf(address: Address): string | null {
  if (isIn(address, nat64)) return reasonOf(lastFourBytes(address));
  const special = specials.find(({ parsed }) => isIn(address, parsed));
  if (special) return special.row.what;
  return address.kind() === "ipv4" || isIn(address, globalUnicast) ? null : "reserved";
}

/** RFC 5214 §6.1: an interface ID of 0:5efe or 200:5efe before an IPv4 address is a tunnel to it. */
function isatapAddress(address: ipaddr.IPv6): Address | null {
  const [, , , , high = 0, low] = address.parts;
  return (high & ~0x0200) === 0 && low === 0x5efe ? lastFourBytes(address) : null;
}

function lastFourBytes(address: Address): Address {
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}

function isIn(address: Address, [base, length]: Network): boolean {
  return address.kind() === base.kind() && address.match(base, length);
}

function parseNetwork(network: string): Network {
  const [address = "", prefix] = network.split("/");
  const base = parseAddress(address);
  if (!base) throw new TypeError(`${network} is not a network`);
  const fullLength = base.kind() === "ipv4" ? 32 : 128;
  const mappedBits = base.kind() === "ipv4" && address.includes(":") ? 96 : 0;
  return [base, prefix === undefined ? fullLength : Math.max(0, Number(prefix) - mappedBits)];
}

/** Strict: four decimal parts or IPv6. Short, octal and hexadecimal IPv4 forms are rejected. */
function parseAddress(address: string): Address | undefined {
  // Checked first, because the library detects IPv6 by catching exceptions, which is ten times slower.
  if (!address.includes(":"))
    return fourDecimals.test(address) ? new ipaddr.IPv4(address.split(".").map(Number)) : undefined;
  const hex = toHexGroups(address);
  return hex ? ipaddr.process(hex) : undefined;
}

/** The URL parser normalizes IPv6 first, because ipaddr.js reads `::1.2.3.4` as `::ffff:1.2.3.4`. */
function toHexGroups(address: string): string | undefined {
  const [bare = "", ...zone] = address.split("%");
  const isPlausible = /^[0-9a-f:.]{2,45}$/i.test(bare) && zone.length < 2;
  return isPlausible ? URL.parse(`http://[${bare}]/`)?.hostname.slice(1, -1) : undefined;
}
