// What an SPF check knows about the client and sender, and looks up in DNS (RFC 7208 §5, §5.5, §7.2).

import { toAddressBytes, toReverseName } from "../addresses.ts";
import { type Dns, type DnsAnswer, isWithin, toQuestionName } from "../dns/answer.ts";
import type { ParsedTerm } from "../dns/spf.ts";
import { expandToName, type MacroLetter, type MacroString, type MacroValue, usesLetter } from "../dns/spf-macro.ts";

/** One check with all records that it leads to. The limits apply to all of them together (§4.6.4). */
export type SpfCheck = {
  readonly dns: Dns;
  /** In the usual notation, not IPv4-mapped (§5). */
  readonly address: string;
  readonly addressBytes: readonly number[];
  readonly sender: { readonly localPart: string; readonly domain: string };
  readonly helo: string;
  readonly receiver: string;
  readonly now: number;
  lookups: number;
  voids: number;
};

/** §4.6.4: per term. More PTR names are ignored, but more MX hosts are an error. */
export const maxNames = 10;

/** The record type for the client's address family (§5). */
export function addressType({ addressBytes }: SpfCheck): "A" | "AAAA" {
  return addressBytes.length === 4 ? "A" : "AAAA";
}

/** Null for a target that cannot match, such as one with a non-ASCII local part (RFC 8616 §4). */
export async function toTargetName(
  { target }: Pick<ParsedTerm, "target">,
  domain: string,
  check: SpfCheck,
): Promise<string | null> {
  if (target === null) return domain;
  const valueFor = await toMacroValues(target, domain, check);
  return valueFor && expandToName(target, valueFor);
}

/** Null if the macro needs a local part that cannot be in a DNS name. */
export async function toMacroValues(macro: MacroString, domain: string, check: SpfCheck): Promise<MacroValue | null> {
  const { sender, address, helo, receiver } = check;
  if (usesLetter(macro, "l", "s") && !isAscii(sender.localPart)) return null;
  const clientName = usesLetter(macro, "p") ? await findClientName(domain, check) : "unknown";
  const values: Readonly<Record<MacroLetter, string>> = {
    s: `${sender.localPart}@${sender.domain}`,
    l: sender.localPart,
    o: sender.domain,
    d: domain,
    i: toDottedAddress(check),
    p: clientName,
    v: check.addressBytes.length === 4 ? "in-addr" : "ip6",
    h: helo,
    c: address,
    r: receiver,
    t: String(Math.floor(check.now / 1000)),
  };
  return (letter) => values[letter];
}

/** A name that is never looked up counts as nonexistent (§4.3, §4.8). */
export function isAskable(name: string): boolean {
  return name !== "." && toQuestionName(name) !== null;
}

/** §4.3: several labels, none empty or too long. What looks like an address is not a domain (§7.1). */
export function isDomain(name: string): boolean {
  return name.includes(".") && /^[!-Z^-~]+$/.test(name) && !/(?:^|\.)\d+$/.test(name) && isAskable(name);
}

export function isAscii(text: string): boolean {
  return !/[^ -~]/.test(text);
}

/** Whether an address in the answer is in the client's network of that prefix length. */
export function holdsClient(answer: DnsAnswer, prefix: number | null, check: SpfCheck): boolean {
  return answer.records.some((record) => {
    if (record.type !== "A" && record.type !== "AAAA") return false;
    const bytes = toAddressBytes(record.address);
    return bytes !== undefined && isInNetwork(check.addressBytes, bytes, prefix);
  });
}

/** Addresses of different families are never in the same network. */
export function isInNetwork(address: readonly number[], network: readonly number[], prefix: number | null): boolean {
  if (address.length !== network.length) return false;
  const bits = prefix ?? network.length * 8;
  return network.every((byte, index) => {
    const shift = 8 - Math.min(8, Math.max(0, bits - index * 8));
    return byte >> shift === (address[index] ?? 0) >> shift;
  });
}

export function askClientNames({ address, dns }: SpfCheck): Promise<DnsAnswer> {
  return dns.query(toReverseName(address), "PTR");
}

/** §5.5: names of the client that resolve back to it. Names without a DNS answer are skipped. */
export async function findValidated(names: readonly string[], check: SpfCheck): Promise<readonly string[]> {
  const type = addressType(check);
  const answers = await Promise.all(names.filter(isAskable).map((name) => check.dns.query(name, type)));
  return answers.filter((answer) => holdsClient(answer, null, check)).map(({ name }) => name);
}

export function readClientNames({ records }: DnsAnswer): readonly string[] {
  return records.flatMap((record) => (record.type === "PTR" ? [record.target] : [])).slice(0, maxNames);
}

export function isAtOrBelow(name: string, domain: string): boolean {
  return isWithin(name.toLowerCase(), domain.toLowerCase());
}

/** §7.3: the domain itself first, then its subdomains, then any other name. */
async function findClientName(domain: string, check: SpfCheck): Promise<string> {
  const names = readClientNames(await askClientNames(check));
  const near = names.filter((name) => isAtOrBelow(name, domain)).sort((one, other) => one.length - other.length);
  const far = names.filter((name) => !near.includes(name));
  for (const group of [near, far]) {
    const [validated] = await findValidated(group, check);
    if (validated !== undefined) return validated;
  }
  return "unknown";
}

/** §7.3: for IPv6, every digit is a part. In upper case like in the RFC's test suite; DNS names ignore case. */
function toDottedAddress({ address, addressBytes }: SpfCheck): string {
  if (addressBytes.length === 4) return address;
  const digits = addressBytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [...digits.toUpperCase()].join(".");
}
