// Finds the mail servers of a domain in DNS, and whether this machine is one of them.

import { toPlainAddress } from "../../../analyzer/addresses.ts";
import type { Dns, DnsAnswer, DnsStatus } from "../../../analyzer/dns/answer.ts";

/** RFC 2606 §2 and §3, and RFC 6761 §6: the internet cannot deliver mail to these. */
const reservedNames = /(^|\.)(localhost|test|invalid|example|local|internal|example\.(com|net|org))$/;

export function isReservedName(domain: string): boolean {
  return reservedNames.test(domain);
}

/** A domain with a longer list does not use this server, so the rest is not looked up. */
const mostExchangers = 5;

/** Null: only this machine knows its name, so it cannot be published. */
export function toPublicName(hostName: string): string | null {
  return hostName.includes(".") && !isReservedName(hostName) ? hostName : null;
}

type Exchanger = { readonly name: string } & Addresses;

export type Exchangers = {
  /** Status of the MX query. */
  readonly status: DnsStatus;
  /** The domain says that it accepts no mail (RFC 7505). */
  readonly isNullMx: boolean;
  /** Most preferred first. */
  readonly found: readonly Exchanger[];
};

export async function findExchangers(domain: string, dns: Dns): Promise<Exchangers> {
  const answer = await dns.query(domain, "MX");
  const records = answer.records
    .flatMap((record) => (record.type === "MX" ? [record] : []))
    .toSorted((a, b) => a.preference - b.preference);
  const names = records.map(({ exchange }) => exchange).filter((name) => name !== "." && name !== "");
  const found = names.slice(0, mostExchangers).map(async (name) => ({ name, ...(await findAddresses(name, dns)) }));
  return { status: answer.status, isNullMx: records.length > 0 && names.length === 0, found: await Promise.all(found) };
}

export type Addresses = {
  readonly addresses: readonly string[];
  /** Status of a failed query if no address was found. Null: all queries were answered. */
  readonly trouble: DnsStatus | null;
};

export async function findAddresses(name: string, dns: Dns): Promise<Addresses> {
  const answers = await Promise.all([dns.query(name, "A"), dns.query(name, "AAAA")]);
  const addresses = answers.flatMap(addressesIn);
  const troubled = answers.find((answer) => !isKnown(answer));
  return { addresses, trouble: addresses.length === 0 ? (troubled?.status ?? null) : null };
}

export function addressesIn(answer: DnsAnswer): string[] {
  return answer.records.flatMap((record) => ("address" in record ? [record.address] : []));
}

/** "No such record" is an answer, too. */
export function isKnown({ status }: Pick<DnsAnswer, "status">): boolean {
  return status === "answered" || status === "nodata" || status === "nxdomain";
}

export function includesAny(own: readonly string[], addresses: readonly string[]): boolean {
  const plain = own.map(toPlainAddress);
  return addresses.some((address) => plain.includes(toPlainAddress(address)));
}
