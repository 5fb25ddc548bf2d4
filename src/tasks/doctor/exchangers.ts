// Where the mail of a domain is handed in, by DNS alone, and whether that is this machine.

import { toPlainAddress } from "../../addresses.ts";
import type { Dns, DnsAnswer, DnsStatus } from "../../dns/answer.ts";

/** RFC 2606 §2 and RFC 6761 §6: no mail comes to these from outside. */
export const localOnly = /(^|\.)(localhost|test|invalid|example|local|internal)$/;

/** Whose list is longer is no mail server of ours; the rest of it is not asked for. */
const mostExchangers = 5;

type Exchanger = { readonly name: string } & Addresses;

export type Exchangers = {
  /** Of the question for MX. */
  readonly status: DnsStatus;
  /** The domain says that it takes no mail (RFC 7505). */
  readonly isNullMx: boolean;
  /** The preferred one first. */
  readonly found: readonly Exchanger[];
};

export async function findExchangers(domain: string, dns: Dns): Promise<Exchangers> {
  const answer = await dns.query(domain, "MX");
  const records = answer.records
    .flatMap((record) => (record.type === "MX" ? [record] : []))
    .toSorted((a, b) => a.preference - b.preference);
  const names = records.map(({ exchange }) => exchange).filter((name) => name !== "." && name !== "");
  const found = names
    .slice(0, mostExchangers)
    .map(async (name) => ({ name, ...(await findAddresses(name, dns)) }));
  return {
    status: answer.status,
    isNullMx: records.length > 0 && names.length === 0,
    found: await Promise.all(found),
  };
}

export type Addresses = {
  readonly addresses: readonly string[];
  /** Of a question that got no answer, where no address was found; null: all was told. */
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

/** A "no" is an answer too. */
export function isKnown({ status }: Pick<DnsAnswer, "status">): boolean {
  return status === "answered" || status === "nodata" || status === "nxdomain";
}

export function includesAny(own: readonly string[], addresses: readonly string[]): boolean {
  const plain = own.map(toPlainAddress);
  return addresses.some((address) => plain.includes(toPlainAddress(address)));
}
