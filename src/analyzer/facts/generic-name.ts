// Whether a reverse DNS name was chosen for a mail server, or is a default name of a connection or rented server.

import { toReverseName } from "../addresses.ts";
import { accessLineWords, providerDefaults } from "./generic-name-table.ts";

type GenericName = {
  readonly kind: "dynamic" | "provider-default";
  /** The sign by which it was recognized. */
  readonly pattern: string;
};

const mailWord =
  /(?:^|[^a-z])(?:e?mail|smtp|(?:mx|mta|out|outbound|outgoing|outmail|relay|send|sender|bounces?|news|newsletter)(?:[^a-z]|$))/;
/** With the address in the name, these words distinguish a rented server from a dynamic connection. */
const staticWord =
  /(?:^|[^a-z])(?:static|fixed|fix|business|biz|dedicated|vps|server|srv|cloud|colo|rev|reverse)(?:[^a-z]|$)/;

/** Null for a name that is not generic. */
export function judgeName(name: string, address: string): GenericName | null {
  const whole = name.toLowerCase().replace(/\.$/, "");
  const local = whole.split(".").slice(0, -2).join(".");
  if (mailWord.test(local)) return null;
  const provider = providerDefaults.find(({ pattern }) => pattern.test(whole));
  if (provider) return { kind: provider.kind, pattern: provider.says };
  const line = accessLineWords.find(({ pattern }) => pattern.test(local));
  if (line) return { kind: line.kind, pattern: line.says };
  if (!holdsAddress(whole, address)) return null;
  const kind = staticWord.test(local) ? "provider-default" : "dynamic";
  return { kind, pattern: "the IP address is in the name" };
}

function holdsAddress(name: string, address: string): boolean {
  return address.includes(":") ? holdsIpv6(name, address) : holdsIpv4(name, address);
}

/** Any full address counts, even another one of the same pool. For the client's own, three numbers are enough. */
const fourNumbers = /(?:^|[^\d])(?:\d{1,3}[._-]){3}\d{1,3}(?:[^\d]|$)/;

function holdsIpv4(name: string, address: string): boolean {
  if (fourNumbers.test(name)) return true;
  const numbers = address.split(".").map(Number);
  const hex = numbers.map((number) => number.toString(16).padStart(2, "0"));
  const padded = numbers.map((number) => String(number).padStart(3, "0"));
  const together = [hex, hex.toReversed(), padded, padded.toReversed()].map((parts) => parts.join(""));
  if (together.some((written) => name.includes(written))) return true;
  const inName = `,${(name.match(/\d{1,12}/g) ?? []).map(Number).join(",")},`;
  const threes = [numbers.slice(0, 3), numbers.slice(1)];
  return threes.some((three) => [three, three.toReversed()].some((run) => inName.includes(`,${run.join(",")},`)));
}

function holdsIpv6(name: string, address: string): boolean {
  const reversed = toReverseName(address, "").replaceAll(".", "");
  const digits = [...reversed].reverse().join("");
  const inName = name.replace(/[.:_-]/g, "");
  if ([digits, reversed].some((written) => inName.includes(written))) return true;
  const groups = (digits.match(/.{4}/g) ?? []).map((group) => group.replace(/^0{1,3}/, ""));
  const spellings = [address.replaceAll(":", "-"), groups.join("-"), groups.join(".")];
  return spellings.some((written) => name.includes(written.toLowerCase()));
}
