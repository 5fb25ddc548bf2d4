// The server that passes a workspace's mail on to the internet, according to an owner. Mail that came here without that
// server is judged as if it had come through it. Such results are assumed, never observed.

import { hasOwnSession } from "./doors.ts";
import { isFromPrivate, type SmtpSession } from "./session.ts";

export type Outgoing = {
  /** IP address or host name. */
  readonly host: string | null;
  /** d= and s= of its signatures. Both or neither. */
  readonly domain: string | null;
  readonly selector: string | null;
};

/** What was assumed of one message. */
export type Assumed = Outgoing & {
  /** Null: the host name has no public address, or only the signature is assumed. */
  readonly address: string | null;
};

/**
 * Only for mail that an app on a private network handed us on its way to that server. A login proves nothing, because any
 * password is accepted, and a proxy's client may be anyone. What we sent to ourselves isn't on its way there.
 */
export function mayPassOn(session: SmtpSession): boolean {
  const { looped, via } = session;
  return hasOwnSession(session) && looped !== true && via === null && isFromPrivate(session);
}

/** As receivers would see it, but for what the outgoing server would say itself. */
export function toAssumedSession(session: SmtpSession, { address }: Assumed): SmtpSession {
  if (address === null) return session;
  return { ...session, clientAddress: address, clientName: null, clientPort: null, helo: null };
}

/** A sentence without its period. */
export function toAssumedWords({ host, address, domain, selector }: Assumed): string {
  const parts = [
    ...(address === null ? [] : [`leaves from ${host === address ? address : `${host} (${address})`}`]),
    ...(domain === null ? [] : [`is signed by ${domain} with selector ${selector}`]),
  ];
  if (parts.length === 0)
    return `No public IP address was found for ${host} in DNS, so nothing is assumed about your outgoing server`;
  const isLost = host !== null && address === null;
  const lost = isLost ? `, but no public IP address was found for ${host} in DNS` : "";
  return `Assumed: your mail ${parts.join(" and ")}${lost}`;
}
