// SMTP AUTH for apps that can't send without it. Any credentials are accepted, and never kept.

import { isLoopback, isPrivateAddress } from "../addresses.ts";
import type { Config } from "../config.ts";
import type { Arrival } from "./front.ts";

/**
 * On a public listener nothing is offered unless set, because scanners take an accepted login for an open relay. A
 * proxy's client is not on our network, whatever its address.
 */
export function mayAuthenticate(
  { smtpAuth }: Pick<Config, "smtpAuth">,
  { address, via, listeningOn }: Arrival,
  isEncrypted: boolean,
): boolean {
  if (smtpAuth === "off") return false;
  const isLocal = via === null && isLoopback(address) && isLoopback(toAddress(listeningOn));
  const isPrivate = via === null && isPrivateAddress(address) && isPrivateAddress(toAddress(listeningOn));
  return (smtpAuth === "on" || isPrivate) && (isEncrypted || isLocal);
}

function toAddress(host: string): string {
  return host === "localhost" ? "127.0.0.1" : host;
}

/** The transcript is shown in reports, so it never contains credentials. `isContinued`: a line after AUTH. */
export function hideCredentials(line: string, isContinued: boolean): string {
  if (isContinued) return hidden;
  const [, command] = /^(AUTH\s+\S+)\s+\S/i.exec(line) ?? [];
  return command === undefined ? line : `${command} ${hidden}`;
}

const hidden = "[hidden]";
