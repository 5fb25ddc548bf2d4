// The server that passes a workspace's mail on to the internet, according to an owner. Mail that came here without that
// server is judged as if it had come through it. Such results are assumed, never observed.

import { isSubmission, type SmtpSession } from "./session.ts";

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

/** Only for mail that an app handed us on its way to that server. What we sent to ourselves isn't on its way there. */
export function mayPassOn(session: SmtpSession): boolean {
  return session.source === "smtp" && session.looped !== true && isSubmission(session);
}

/** As receivers would see it. An outgoing server usually greets with its host name. */
export function toAssumedSession(session: SmtpSession, { host, address }: Assumed): SmtpSession {
  if (address === null) return session;
  const helo = host === address ? null : host;
  return { ...session, clientAddress: address, clientName: null, clientPort: null, via: null, helo };
}

/** A sentence without its period. */
export function toAssumedWords({ host, address, domain, selector }: Assumed): string {
  const parts = [
    ...(address === null ? [] : [`leaves from ${host === address ? address : `${host} (${address})`}`]),
    ...(domain === null ? [] : [`is signed by ${domain} with selector ${selector}`]),
  ];
  if (parts.length > 0) return `Assumed: your mail ${parts.join(" and ")}`;
  return `${host} has no public IP address in DNS, so nothing is assumed about your outgoing server`;
}
