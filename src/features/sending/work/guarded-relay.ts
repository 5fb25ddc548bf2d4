// Delivers through a relay that was named in the app: a member's, or the server's own. One connection for each message, only
// to addresses that the guard for strangers' hosts approved.

import { createTransport } from "nodemailer";
import { isLoopback, type ListenAddress } from "../../../analyzer/addresses.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { PrivateTargets } from "../../../platform/settings/setting-kinds.ts";
import type { GuardOutcome } from "../../../platform/system/target-guard.ts";
import { type Relay, readRelay } from "./relay-url.ts";
import { type SmtpError, toReply } from "./smtp-words.ts";
import {
  logInto,
  type MailTransport,
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

/** For the server check. */
const trialMs = 20_000;

type TriedRelay = Omit<MemberRelay, "findAddresses"> & {
  /** Null: the operator's, which may be at any address. */
  readonly findAddresses: FindAddresses | null;
};

/** Null if it is reachable, offers the required TLS and accepts the login. Otherwise the reason. */
export async function whyNoRelay(
  { url, name, findAddresses }: TriedRelay,
  signal = AbortSignal.timeout(trialMs),
): Promise<string | null> {
  const relay = readRelay(url);
  try {
    if (findAddresses === null) await logInto(relay, name, signal);
    else await overFirst(relay, findAddresses, (address) => logInto(relay, name, signal, address));
    return null;
  } catch (error) {
    return error instanceof TransportFailure ? error.message : toTrialWords(error, relay, signal);
  }
}

/** The server's own relay, if `readUrl` knows one, which may change at any time. Otherwise `loopback`. */
export function createChangeableTransport(
  readUrl: () => string | null,
  relay: Omit<MemberRelay, "url">,
  loopback: MailTransport,
): MailTransport {
  return {
    get transport() {
      return readUrl() === null ? loopback.transport : "relay";
    },
    deliver: (outgoing, signal) => {
      const url = readUrl();
      return url === null ? loopback.deliver(outgoing, signal) : deliverThrough({ ...relay, url }, outgoing, signal);
    },
    close: loopback.close,
  };
}

const longestUrl = 2_048;
/** RFC 5321, RFC 6409, RFC 8314, and ports that relays offer where 25 is blocked. */
const relayPorts = [25, 465, 587, 2465, 2525, 2587];

type RelayRules = Pick<Config, "allowPrivateTargets" | "smtpListen">;

/** `field`: of the request. */
export async function validateRelayUrl(
  text: string,
  { allowPrivateTargets, smtpListen }: RelayRules,
  findAddresses: FindAddresses,
  field = "url",
): Promise<string> {
  const { url, problem } = readRelayUrl(text, allowPrivateTargets);
  const refuse = (why: string) => new Refusal("invalid_url", why, { field });
  if (problem !== null) throw refuse(problem);
  const { host, port } = readRelay(url);
  const outcome = await findAddresses(host);
  if (outcome.ok && outcome.addresses.some((address) => isOwnListener(address, port, smtpListen)))
    throw refuse("This is Assay’s own listener. Mail through it never leaves this machine. Enter your mail server.");
  // A host that doesn't resolve yet is accepted. The guard checks each connection again.
  if (!outcome.ok && outcome.failure === "refused_address") throw refuse(outcome.problem);
  return url;
}

function readRelayUrl(text: string, allow: PrivateTargets): { readonly url: string; readonly problem: string | null } {
  const url = text.length > longestUrl ? null : URL.parse(text);
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "")
    return { url: text, problem: "The URL must be like smtp://user:password@relay.example:587 or smtps://…." };
  const allowsAny = allow.all || allow.networks.length > 0;
  const isBare = ["", "/"].includes(url.pathname) && url.search === "" && url.hash === "";
  const isHalf = (url.username === "") !== (url.password === "");
  const problem = !isBare
    ? "The URL must end after the host and port."
    : isHalf
      ? "The URL must contain both a user name and a password, or neither."
      : !allowsAny && !relayPorts.includes(readRelay(url.href).port)
        ? `Use one of the ports ${relayPorts.join(", ")}.`
        : null;
  return { url: url.href, problem };
}

/** As far as the settings tell: a public address of this machine may be anything's. */
function isOwnListener(address: string, port: number, listens: readonly ListenAddress[]): boolean {
  const isEvery = (host: string) => host === "0.0.0.0" || host === "::";
  return listens.some(
    (own) => own.port === port && (own.host === address || (isEvery(own.host) && isLoopback(address))),
  );
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
