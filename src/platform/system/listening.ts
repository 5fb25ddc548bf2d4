// Explains why Assay cannot listen on an address, and how the operator can fix it.

import type { ListenAddress } from "../../analyzer/addresses.ts";
import { Refusal } from "../errors.ts";
import { toHostPort } from "../settings/setting-kinds.ts";

/** The settings that choose host and port. They may be the same setting. */
type Listening = {
  readonly what: string;
  readonly address: ListenAddress;
  readonly hostSetting: string;
  readonly portSetting: string;
};

/** At least one address is used by another program. */
export class AddressInUse extends Refusal {}

/** Other errors are returned unchanged. */
export function toListenRefusal(cause: unknown, { what, address, hostSetting, portSetting }: Listening): unknown {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `it is in use. Stop the other program, or set ${portSetting} to another port`,
    EACCES: `permission denied. Set ${portSetting} to a port above 1023, or grant CAP_NET_BIND_SERVICE`,
    EADDRNOTAVAIL: `this machine does not have that address. Set ${hostSetting} to one of its addresses`,
    ENOTFOUND: `the name has no IP address. Set ${hostSetting} to an address of this machine`,
  };
  const { code = "" } = cause as NodeJS.ErrnoException;
  const problem = problems[code];
  if (problem === undefined) return cause;
  const sentence = `Cannot listen on the ${what} address ${toHostPort(address)}: ${problem}.`;
  return code === "EADDRINUSE" ? new AddressInUse("conflict", sentence) : new Refusal("conflict", sentence);
}
