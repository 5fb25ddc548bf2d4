// SMTP AUTH for apps that can't send without it. Any credentials are accepted, and never kept.

import { isLoopback, isPrivate, type ListenAddress } from "../../../analyzer/addresses.ts";
import type { Arrival } from "./front.ts";

type LoginOffer = "never" | "encrypted" | "always";

/**
 * Decided once for a connection, because the library asks for each command. On a public listener nothing is offered,
 * because scanners take an accepted login for an open relay. A proxy's client is not on our network, whatever its address.
 */
export function toLoginOffer({ address, via, listeningOn }: Arrival): LoginOffer {
  const ends = via === null ? [address, listeningOn] : [];
  if (ends.length > 0 && ends.every(isLoopback)) return "always";
  return ends.length > 0 && ends.every(isPrivate) ? "encrypted" : "never";
}

export function isLoginOffered(offer: LoginOffer, isEncrypted: boolean): boolean {
  return offer === "always" || (offer === "encrypted" && isEncrypted);
}

/** The transcript is shown in reports, so it never contains credentials. `isContinued`: a line after AUTH. */
export function hideCredentials(line: string, isContinued: boolean): string {
  if (isContinued) return hidden;
  const [, command] = /^(AUTH\s+\S+)\s+\S/i.exec(line) ?? [];
  return command === undefined ? line : `${command} ${hidden}`;
}

const hidden = "[hidden]";

// Who can connect to each listener, and whether it accepts a login.

export type ListenerReach = ListenAddress & {
  readonly reach: "machine" | "network" | "all";
  readonly login: "any" | "encrypted" | "none";
};

/** A proxy's client may be anyone. */
export function toClientReach({ via, listeningOn }: Pick<Arrival, "via" | "listeningOn">): ListenerReach["reach"] {
  return via === null ? reachOf(listeningOn) : "all";
}

/** It can open links to this machine. */
export function isLocalClient({ via, address }: Pick<Arrival, "via" | "address">): boolean {
  return via === null && isLoopback(address);
}

function reachOf(host: string): ListenerReach["reach"] {
  return isLoopback(host) ? "machine" : isPrivate(host) ? "network" : "all";
}

/** For a client that has the listener's own address, as one on this machine has. */
export function toReach(listen: ListenAddress): ListenerReach {
  const { host, port } = listen;
  const offer = toLoginOffer({ address: host, port, via: null, listeningOn: host });
  const login = isLoginOffered(offer, false) ? "any" : isLoginOffered(offer, true) ? "encrypted" : "none";
  return { host, port, reach: reachOf(host), login };
}
