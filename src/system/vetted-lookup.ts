// Hands the addresses that a guard approved to the very connection, so that no second answer of DNS can send it elsewhere.

import { isIPv6, type LookupFunction } from "node:net";

export function lookupIn(addresses: readonly string[]): LookupFunction {
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    if (options.all) callback(null, checked);
    else callback(null, checked[0]?.address ?? "", checked[0]?.family);
  };
}
