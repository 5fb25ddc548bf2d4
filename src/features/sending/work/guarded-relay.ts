// Delivers through a relay that a member named. One connection for each message, only to addresses that the guard for
// strangers' hosts approved.

import { createTransport } from "nodemailer";
import type { GuardOutcome } from "../../../platform/system/target-guard.ts";
import { type Relay, readRelay } from "./relay-url.ts";
import { type SmtpError, toReply } from "./smtp-words.ts";
import {
  logInto,
  type Outgoing,
  TransportFailure,
  toRelayFailure,
  toRelayOptions,
  toTrialWords,
} from "./transports.ts";

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
  try {
    const { response } = await overFirst(relay, findAddresses, (address) =>
      createTransport(toRelayOptions(relay, name, { address })).sendMail(message),
    );
    return toReply(response, relay);
  } catch (error) {
    throw error instanceof TransportFailure ? error : toRelayFailure(error, relay, signal);
  }
}

/** Null if it is reachable, offers the required TLS and accepts the login. Otherwise the reason. */
export async function whyNoMemberRelay(
  { url, name, findAddresses }: MemberRelay,
  signal: AbortSignal,
): Promise<string | null> {
  const relay = readRelay(url);
  try {
    await overFirst(relay, findAddresses, (address) => logInto(relay, name, signal, address));
    return null;
  } catch (error) {
    return error instanceof TransportFailure ? error.message : toTrialWords(error, relay, signal);
  }
}

/** Tries the next address only if nothing could be sent to the one before. */
async function overFirst<T>(
  { host }: Relay,
  findAddresses: FindAddresses,
  work: (address: string) => Promise<T>,
): Promise<T> {
  const outcome = await findAddresses(host);
  if (!outcome.ok) throw new TransportFailure(outcome.problem);
  const addresses = outcome.addresses.slice(0, mostAddresses);
  for (const [index, address] of addresses.entries())
    try {
      return await work(address);
    } catch (error) {
      const { originalCode, code } = error as Partial<SmtpError>;
      const isUnreachable = noRoute.test(String(originalCode)) || noRoute.test(String(code));
      if (!isUnreachable || index === addresses.length - 1) throw error;
    }
  throw new TransportFailure(`${host} has no IP address in DNS.`);
}
