// The SMTP listener. It admits clients one by one, speaks SMTP with them, and passes their messages on.

import type { Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { isInNetworks, isPrivate, type ListenAddress, parseNetworks } from "../../../analyzer/addresses.ts";
import { maxPendingBytes } from "../../../platform/settings/config.ts";
import { createSelfSigned } from "../../../platform/system/self-signed.ts";
import { waitWithTimeout } from "../../../platform/work/timeout.ts";
import type { Special } from "../rules/answers.ts";
import { createClients } from "./clients.ts";
import { Connection } from "./connection.ts";
import { createImpatience, createRefusals, makeWay, turnAwayWithinMs } from "./crowd.ts";
import { type Arrival, createFront } from "./front.ts";
import { type SmtpLimits, smtpLimits } from "./limits.ts";
import { createMessageMemory } from "./message-memory.ts";
import { type ReplyName, replies } from "./replies.ts";
import { createRoundEnd } from "./reply-writer.ts";
import type { SmtpRoom } from "./room.ts";
import { createSparseLog } from "./sparse-log.ts";

type SmtpDependencies = Pick<SmtpRoom, "config" | "log" | "now" | "hasRoom" | "route" | "receive" | "rehearsals"> & {
  readonly hostname: string;
  readonly tls: { readonly cert: string; readonly key: string };
  readonly whyNoRoom?: SmtpRoom["whyNoRoom"];
  readonly noteDeferred?: SmtpRoom["noteDeferred"];
  /** Smaller ones for tests. */
  readonly limits?: SmtpLimits;
};

export type SmtpListener = {
  /** Returns the addresses with their real ports. If one can't be used, it listens where it did before. */
  readonly listenOn: (addresses: readonly ListenAddress[]) => Promise<readonly ListenAddress[]>;
  readonly stop: () => Promise<void>;
  /** Uses a changed certificate for new connections. */
  readonly useTls: (tls: SmtpDependencies["tls"]) => void;
};

/** When the listener stops, a message in flight must end within this time. */
const stopWithinMs = 4_000;
/**
 * From one public IPv4 address or IPv6 /64. A newsletter with hundreds of seed addresses is well below this. A client that
 * sends more gets 450 and comes again, so nothing is lost.
 */
const messagesPerMinute = 1_200;
const proxyHeaderWithinMs = 5_000;

export function createSmtpListener(dependencies: SmtpDependencies): SmtpListener {
  const { config, log, now, noteDeferred = () => {}, limits = smtpLimits } = dependencies;
  const xclientFrom = parseNetworks(config.smtpXclientFrom);
  const proxies = [...parseNetworks(config.smtpProxyFrom), ...xclientFrom];
  const clients = createClients({
    maxClients: config.smtpMaxClients,
    maxClientsPerAddress: config.smtpMaxClientsPerAddress,
    maxClientsPerNetwork: Math.max(config.smtpMaxClientsPerAddress, Math.ceil(config.smtpMaxClients / 2)),
    maxMessagesPerMinute: messagesPerMinute,
    mayHurry: isPrivate,
    isExempt: (address) => isInNetworks(address, proxies),
    now,
  });
  const server = createLibraryServer(dependencies);
  let { tls: tlsNow } = dependencies;
  const room: SmtpRoom = {
    ...dependencies,
    limits,
    whyNoRoom: dependencies.whyNoRoom ?? (async () => "backlog_full"),
    noteDeferred,
    // Scanners try thousands of addresses.
    logRejection: createSparseLog(log, { message: "recipient rejected", most: 60, withinMs: 60_000 }),
    server,
    createServer: (special) => createLibraryServer({ ...dependencies, tls: tlsNow }, special),
    visit: null,
    memory: createMessageMemory(maxPendingBytes),
    enter: clients.enter,
    mayDeliver: (address) => {
      const isAllowed = clients.mayDeliver(address);
      if (!isAllowed) noteDeferred("client_rate");
      return isAllowed;
    },
    mayUseXclient: (address) => isInNetworks(address, xclientFrom),
    atRoundEnd: createRoundEnd(),
    losePatience: createImpatience(config.smtpMaxClients, now, limits.lookEveryMs),
    isShut: createRefusals(now),
  };
  const connections = new Set<Connection>();
  const front = createFront({
    proxyFrom: config.smtpProxyFrom,
    headerTimeoutMs: proxyHeaderWithinMs,
    maxWaiting: config.smtpMaxClients,
    log,
    onClient: (socket, arrival) => letIn(socket, arrival, room, connections),
  });
  return {
    listenOn: front.listenOn,
    stop: async () => {
      dependencies.rehearsals?.close();
      await front.close();
      const all = [...connections];
      for (const connection of all) connection.stop();
      await waitWithTimeout(stopWithinMs, Promise.all(all.map((connection) => connection.gone)));
      for (const connection of all) connection.abort();
    },
    useTls: (tls) => {
      tlsNow = tls;
      server.updateSecureContext(tls);
    },
  };
}

function letIn(socket: Socket, arrival: Arrival, room: SmtpRoom, connections: Set<Connection>): void {
  const first = room.enter(arrival.address);
  const isCrowded = !first.ok && first.why === "tooMany";
  const hasWay = isCrowded && makeWay(connections, first.presence(), room.now());
  const entry = hasWay ? room.enter(arrival.address) : first;
  const isShut = room.isShut(isCrowded && !entry.ok);
  if (isCrowded) room.noteDeferred(isShut ? "connections_refused" : "connections_full");
  if (!entry.ok) {
    if (entry.why === "tooManyFromYou") room.noteDeferred("client_connections");
    turnAway(socket, entry.why);
    return;
  }
  const connection = new Connection(room, socket, arrival, entry);
  connections.add(connection);
  room.losePatience(connections);
  void connection.gone.then(() => connections.delete(connection));
  connection.on("error", (error: Error) =>
    room.log.debug("SMTP connection error", { client: arrival.address, reason: error.message }),
  );
  connection.init();
}

/** The reply may not arrive. The connection ends soon either way, and is not counted. */
function turnAway(socket: Socket, why: ReplyName): void {
  const [code, enhanced, sentence] = replies[why];
  socket.on("error", () => {});
  const deadline = setTimeout(() => socket.destroy(), turnAwayWithinMs);
  socket.once("close", () => clearTimeout(deadline));
  socket.end(`${code} ${enhanced} ${sentence}\r\n`);
  socket.resume();
}

/** This server does not listen. It holds the certificate and the texts for its connections. */
function createLibraryServer(
  { config, hostname, tls, limits = smtpLimits }: SmtpDependencies,
  special: Special | null = null,
): SMTPServer {
  const isPlain = special?.kind === "no-tls";
  const { cert, key } = special?.kind === "bad-cert" ? createOtherCertificate() : tls;
  return new SMTPServer({
    name: hostname,
    banner: "Assay",
    heloResponse: "%s",
    cert,
    key,
    minVersion: "TLSv1.2",
    size: special?.kind === "size" ? special.maxBytes : config.smtpMaxMessageBytes,
    hideSTARTTLS: isPlain,
    maxCommandLength: limits.commandBytes,
    socketTimeout: config.smtpIdleMs,
    // Each connection decides whether it offers AUTH (login.ts). Any credentials are accepted.
    authMethods: ["PLAIN", "LOGIN"],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ method }, _, callback) => callback(null, method === "XCLIENT" ? undefined : { user: true }),
    disabledCommands: ["LHLO", "XFORWARD", "WIZ", "SHELL", "KILL", ...(isPlain ? ["STARTTLS"] : [])],
    hideENHANCEDSTATUSCODES: false,
    hideDSN: false,
    disableReverseLookup: true,
    logger: false,
  });
}

/** RFC 2606 §2: no server has this name. */
const otherName = "certificate-for-another-name.invalid";
let otherCertificate: SmtpDependencies["tls"] | undefined;

function createOtherCertificate(): SmtpDependencies["tls"] {
  otherCertificate ??= createSelfSigned([otherName], Date.now());
  return otherCertificate;
}
