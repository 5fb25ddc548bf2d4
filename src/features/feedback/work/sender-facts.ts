// What names an address: its confirmed reverse DNS, and the network that it is in.

import { toPlainAddress } from "../../../analyzer/addresses.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { listHosts } from "../rows/reverse-names.ts";
import type { Networks } from "./networks.ts";

type SenderFacts = { readonly host: string | null; readonly network: string | null; readonly country: string | null };

export type FindSenderFacts = (addresses: readonly string[]) => Promise<ReadonlyMap<string, SenderFacts>>;

const atOnce = 500;

export function createSenderFacts(
  { readInWorker }: Pick<Store, "readInWorker">,
  config: Pick<Config, "reverseDns">,
  findNetwork: Networks,
): FindSenderFacts {
  return async (addresses) => {
    const plain = new Map(addresses.map((address) => [address, toPlainAddress(address) ?? address]));
    const asked = config.reverseDns === "off" ? [] : [...new Set(plain.values())];
    const hosts = new Map<string, string>();
    for (let begin = 0; begin < asked.length; begin += atOnce)
      for (const { address, host } of await listHosts(readInWorker, asked.slice(begin, begin + atOnce)))
        hosts.set(address, host);
    return new Map(
      [...plain].map(([address, name]) => [address, { host: hosts.get(name) ?? null, ...findNetwork(name) }]),
    );
  };
}
