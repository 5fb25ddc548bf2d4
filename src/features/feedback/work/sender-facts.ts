// What names an address: its confirmed reverse DNS, and the network that it is in.

import { toPlainAddress } from "../../../analyzer/addresses.ts";
import type { Store } from "../../../platform/database/store.ts";
import { listHosts } from "../rows/reverse-names.ts";

export type SenderFacts = {
  readonly host: string | null;
  readonly network: string | null;
  readonly country: string | null;
};

const atOnce = 500;

export function createSenderFacts({ readInWorker }: Pick<Store, "readInWorker">, _config: object) {
  return async (addresses: readonly string[]): Promise<ReadonlyMap<string, SenderFacts>> => {
    const plain = new Map(addresses.map((address) => [address, toPlainAddress(address) ?? address]));
    const asked = [...new Set(plain.values())];
    const hosts = new Map<string, string>();
    for (let begin = 0; begin < asked.length; begin += atOnce)
      for (const { address, host } of await listHosts(readInWorker, asked.slice(begin, begin + atOnce)))
        hosts.set(address, host);
    return new Map(
      [...plain].map(([address, name]) => [address, { host: hosts.get(name) ?? null, network: null, country: null }]),
    );
  };
}
