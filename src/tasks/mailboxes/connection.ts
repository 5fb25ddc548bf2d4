// One connection to a mailbox's server, within bounds: to addresses that the guard approved, over TLS whose certificate is
// for that host, with a limit to the time and the bytes of each command. The server is a stranger's.

import { ImapFlow } from "imapflow";
import { lookupIn } from "../../system/http-exchange.ts";
import type { GuardOutcome } from "../../system/target-guard.ts";
import { version } from "../../version.ts";
import type { MailboxLogin, MailboxServer } from "./messages.ts";
import { MailboxProblem } from "./problems.ts";

export type MailboxConnection = {
  /** One after the other. Past a bound the connection is closed, and the work fails. */
  readonly run: <T>(bounds: CommandBounds, work: (client: ImapFlow) => Promise<T>) => Promise<T>;
  /** Rejects with why, once it is closed and not by us. */
  readonly lost: Promise<never>;
  /** A capability, once it is logged in. */
  readonly has: (capability: string) => boolean;
  readonly onMail: (listener: () => void) => void;
  readonly close: () => void;
};

type CommandBounds = { readonly timeoutMs: number; readonly bytes: number };

type ConnectionTerms = {
  readonly server: MailboxServer;
  readonly login: MailboxLogin;
  /** Where to, or why not; null leaves it to the machine's resolver. */
  readonly findAddresses: ((host: string) => Promise<GuardOutcome>) | null;
  /** Authorities to trust in place of the usual ones. */
  readonly ca: string | null;
  /** The longest that anything may take. */
  readonly patienceMs: number;
  /** It waits for news of the folder that is open. */
  readonly idles: boolean;
};

/** Of one message, with its header section; IMAP's own words around it come on top. */
export const maxSourceBytes = 98_304;
const limits = {
  maxLineLength: 65_536,
  maxLiteralSize: maxSourceBytes + 16_384,
  maxResponseSize: 2 * maxSourceBytes,
  maxResponseTokens: 20_000,
};
const connectMs = 15_000;
const loginMs = 45_000;
/** RFC 2177 wants a new IDLE at least each 29 minutes; what stands between forgets quiet connections much earlier. */
const idleMs = 4 * 60_000;
const quietMs = 5 * 60_000;
/** What a server says by itself, between two commands of ours. */
const unaskedBytes = 1_048_576;
const loginBytes = 262_144;
const meterMs = 250;

export async function connectMailbox(terms: ConnectionTerms): Promise<MailboxConnection> {
  const addresses = terms.findAddresses && (await findAddresses(terms.server.host, terms.findAddresses));
  const client = new ImapFlow({ ...toOptions(terms), tls: toTlsOptions(terms.ca, addresses) });
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  const meter = createMeter(client, lost.reject);
  client.on("error", (error) => lost.reject(error));
  client.on("close", () => {
    meter.stop();
    lost.reject(new Error("closed"));
  });
  const connection: MailboxConnection = {
    run: ({ timeoutMs, bytes }, work) => {
      const bounds = { timeoutMs: Math.min(timeoutMs, terms.patienceMs), bytes };
      return runWithin(client, { meter, fail: lost.reject }, bounds, work);
    },
    lost: lost.promise,
    has: (capability) => client.capabilities.has(capability),
    onMail: (listener) => void client.on("exists", listener),
    close: () => client.close(),
  };
  try {
    await connection.run({ timeoutMs: loginMs, bytes: loginBytes }, () => client.connect());
  } catch (error) {
    meter.stop();
    client.close();
    throw error;
  }
  return connection;
}

async function findAddresses(
  host: string,
  guard: NonNullable<ConnectionTerms["findAddresses"]>,
): Promise<readonly string[]> {
  const outcome = await guard(host);
  if (!outcome.ok) throw new MailboxProblem(outcome.problem);
  return outcome.addresses;
}

function toOptions({ server, login, idles }: ConnectionTerms) {
  const { user } = login;
  const auth =
    "password" in login ? { user, pass: login.password } : { user, accessToken: login.accessToken };
  return {
    host: server.host,
    port: server.port,
    secure: server.tls === "implicit",
    ...(server.tls === "starttls" && { doSTARTTLS: true }),
    auth,
    logger: false as const,
    clientInfo: { name: "Assay", version, vendor: false as const, "support-url": false as const },
    // Nothing that a stranger packed is unpacked, and nothing is used that plain IMAP can do.
    disableCompression: true,
    disableBinary: true,
    disableAutoEnable: true,
    disableIMAP4rev2: true,
    disableAutoIdle: !idles,
    autoIdleDelay: 50,
    maxIdleTime: idleMs,
    socketTimeout: quietMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    ...limits,
  };
}

function toTlsOptions(ca: string | null, addresses: readonly string[] | null) {
  return {
    rejectUnauthorized: true,
    minVersion: "TLSv1.2" as const,
    ...(ca !== null && { ca }),
    ...(addresses && { lookup: lookupIn(addresses) }),
  };
}

type Meter = {
  /** From now on so many bytes may come. */
  readonly allow: (bytes: number) => void;
  readonly stop: () => void;
};

/** The library bounds each answer; it does not bound how many come. */
function createMeter(client: ImapFlow, fail: (why: unknown) => void): Meter {
  let end = unaskedBytes;
  const timer = setInterval(() => {
    if (client.stats().received <= end) return;
    fail(toError("ResponseTooLarge"));
    client.close();
  }, meterMs);
  return {
    allow: (bytes) => {
      end = client.stats().received + bytes;
    },
    stop: () => clearInterval(timer),
  };
}

type Guards = { readonly meter: Meter; readonly fail: (why: unknown) => void };

/** The time of the whole, not of its silences: a byte now and then would else last for ever. */
async function runWithin<T>(
  client: ImapFlow,
  { meter, fail }: Guards,
  { timeoutMs, bytes }: CommandBounds,
  work: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const why = toError("ETIMEOUT");
    late.reject(why);
    fail(why);
    client.close();
  }, timeoutMs);
  meter.allow(bytes);
  try {
    return await Promise.race([work(client), late.promise]);
  } finally {
    clearTimeout(timer);
    meter.allow(unaskedBytes);
  }
}

function toError(code: "ETIMEOUT" | "ResponseTooLarge"): Error {
  return Object.assign(new Error(code), { code });
}
