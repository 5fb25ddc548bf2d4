// Delivers through a relay that a member named. One connection for each message, only to addresses that the guard for
// strangers' hosts approved.

import { createTransport } from "nodemailer";
import type { GuardOutcome } from "../../../platform/system/target-guard.ts";
import { type Relay, readRelay } from "../../sending/work/relay-url.ts";
import { type SmtpError, toReply } from "../../sending/work/smtp-words.ts";
import { type Outgoing, TransportFailure, toRelayFailure, toRelayOptions } from "../../sending/work/transports.ts";

/** Where it may be reached, or why it may not. */
type FindAddresses = (host: string) => Promise<GuardOutcome>;
/** A second address is for hosts with an IPv6 address on servers without IPv6. */
const mostAddresses = 3;
const noRoute = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;

export type MemberRelay = { readonly url: string; readonly name: string; readonly findAddresses: FindAddresses };

export async function deliverThrough(
  { url, name, findAddresses }: MemberRelay,
  { mailFrom, rcptTo, raw }: Pick<Outgoing, "mailFrom" | "rcptTo" | "raw">,
  signal: AbortSignal,
): Promise<string> {
  const relay = readRelay(url);
  const message = { envelope: { from: mailFrom, to: [rcptTo] }, raw: Buffer.from(raw), signal };
  return await overFirst(relay, findAddresses, signal, async (address) => {
    const transport = createTransport(toRelayOptions(relay, name, address));
    try {
      return toReply((await transport.sendMail(message)).response, relay);
    } finally {
      transport.close();
    }
  });
}

/** Null if it is reachable, offers the required TLS and accepts the login. Otherwise the reason. */
export async function whyNoMemberRelay(
  { url, name, findAddresses }: MemberRelay,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await overFirst(readRelay(url), findAddresses, signal, async (address, relay) => {
      const transport = createTransport(toRelayOptions(relay, name, address));
      const close = () => transport.close();
      signal.addEventListener("abort", close, { once: true });
      try {
        await transport.verify();
      } finally {
        signal.removeEventListener("abort", close);
        close();
      }
    });
    return null;
  } catch (error) {
    if (error instanceof TransportFailure) return error.message;
    throw error;
  }
}

/** Tries the next address only if nothing could be sent to the one before. */
async function overFirst<T>(
  relay: Relay,
  findAddresses: FindAddresses,
  signal: AbortSignal,
  work: (address: string, relay: Relay) => Promise<T>,
): Promise<T> {
  const outcome = await findAddresses(relay.host);
  if (!outcome.ok) throw new TransportFailure(outcome.problem);
  const addresses = outcome.addresses.slice(0, mostAddresses);
  for (const [index, address] of addresses.entries())
    try {
      return await work(address, relay);
    } catch (error) {
      const { originalCode, code } = error as Partial<SmtpError>;
      const isUnreachable = noRoute.test(String(originalCode)) || noRoute.test(String(code));
      if (!isUnreachable || index === addresses.length - 1) throw toRelayFailure(error, relay, signal);
    }
  throw new TransportFailure(`${relay.host} has no IP address in DNS.`);
}
