// What stands in the way of listening, told as the operator can mend it.

import { Refusal } from "../errors.ts";
import { type ListenAddress, toHostPort } from "../setting-kinds.ts";

/** Names the settings that choose the address; where one chooses both, it stands twice. */
type Listening = {
  readonly what: string;
  readonly address: ListenAddress;
  readonly hostSetting: string;
  readonly portSetting: string;
};

/** Anything else that went wrong comes back as it is. */
export function toListenRefusal(
  cause: unknown,
  { what, address, hostSetting, portSetting }: Listening,
): unknown {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `another program listens there; stop it, or set ${portSetting} to another port`,
    EACCES: `this user may not; set ${portSetting} to a port above 1023, or grant the right`,
    EADDRNOTAVAIL: `this machine does not have that address; set ${hostSetting} to one that it has`,
    ENOTFOUND: `that name has no address; set ${hostSetting} to an address of this machine`,
  };
  const problem = problems[(cause as NodeJS.ErrnoException).code ?? ""];
  return problem === undefined
    ? cause
    : new Refusal("conflict", `${what} ${toHostPort(address)} cannot be used: ${problem}.`);
}
