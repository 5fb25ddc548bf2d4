// Who can connect to each listener, and whether it accepts a login.

import { isLoopback, isPrivate } from "../addresses.ts";
import type { Config } from "../config.ts";
import type { ListenAddress } from "../setting-kinds.ts";
import { isLoginOffered, toLoginOffer } from "./login.ts";

export type ListenerReach = ListenAddress & {
  readonly reach: "machine" | "network" | "all";
  readonly login: "any" | "encrypted" | "none";
};

/** For a client that has the listener's own address, as one on this machine has. */
export function toReach(config: Pick<Config, "smtpAuth">, listen: ListenAddress): ListenerReach {
  const { host, port } = listen;
  const offer = toLoginOffer(config, { address: host, port, via: null, listeningOn: host });
  const reach = isLoopback(host) ? "machine" : isPrivate(host) ? "network" : "all";
  const login = isLoginOffered(offer, false) ? "any" : isLoginOffered(offer, true) ? "encrypted" : "none";
  return { host, port, reach, login };
}
