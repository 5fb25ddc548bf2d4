// A bounded connection to a mailbox server, which belongs to a stranger. Only addresses approved by the guard, TLS with
// a valid certificate, and limits on time and bytes for each command.

import { ImapFlow } from "imapflow";
import { version } from "../../../analyzer/version.ts";
import { lookupIn } from "../../../platform/system/http-exchange.ts";
import type { GuardOutcome } from "../../../platform/system/target-guard.ts";
import type { MailboxLogin, MailboxServer } from "./messages.ts";
import { MailboxProblem } from "./problems.ts";

export type MailboxConnection = {
  /** Runs commands one after another. Exceeding a limit closes the connection and rejects. */
  readonly run: <T>(bounds: CommandBounds, work: (client: ImapFlow) => Promise<T>) => Promise<T>;
  /** Rejects with the reason when the connection is lost. */
  readonly lost: Promise<never>;
  /** A server capability, known after login. */
  readonly has: (capability: string) => boolean;
  readonly onMail: (listener: () => void) => void;
  readonly close: () => void;
};

type CommandBounds = { readonly timeoutMs: number; readonly bytes: number };

type ConnectionTerms = {
  readonly server: MailboxServer;
  readonly login: MailboxLogin;
  /** Returns approved addresses or a problem. Null: use the system resolver. */
  readonly findAddresses: ((host: string) => Promise<GuardOutcome>) | null;
  /** CA certificates that replace the default ones. */
  readonly ca: string | null;
  /** Upper limit for every command. */
  readonly patienceMs: number;
  /** The longest message that is read. */
  readonly maxMessageBytes?: number;
  /** Uses IDLE to wait for changes in the open folder. */
  readonly idles: boolean;
};

/** Per message, including its headers and excluding IMAP's own syntax. */
export const maxSourceBytes = 98_304;
const toLimits = (maxBytes: number) => ({
  maxLineLength: 65_536,
  maxLiteralSize: maxBytes + 16_384,
  maxResponseSize: Math.max(2 * maxSourceBytes, maxBytes + 65_536),
  maxResponseTokens: 20_000,
});
const connectMs = 15_000;
const loginMs = 45_000;
/** RFC 2177 requires a new IDLE at least every 29 minutes, but middleboxes drop quiet connections much earlier. */
const idleMs = 4 * 60_000;
const quietMs = 5 * 60_000;
/** For untagged responses between commands. */
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

function toOptions({ server, login, idles, maxMessageBytes = maxSourceBytes }: ConnectionTerms) {
  const { user } = login;
  const auth = "password" in login ? { user, pass: login.password } : { user, accessToken: login.accessToken };
  return {
    host: server.host,
    port: server.port,
    secure: server.tls === "implicit",
    ...(server.tls === "starttls" && { doSTARTTLS: true }),
    auth,
    logger: false as const,
    clientInfo: { name: "Assay", version, vendor: false as const, "support-url": false as const },
    // No decompression of untrusted data, and no extensions that plain IMAP does not need.
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
    ...toLimits(maxMessageBytes),
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
  /** Sets the number of bytes that may still arrive. */
  readonly allow: (bytes: number) => void;
  readonly stop: () => void;
};

/** The library limits each response, but not their number. */
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

/** Limits the total time. An idle timeout would never expire for a server that sends a byte now and then. */
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
