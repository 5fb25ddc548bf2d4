// The seed inbox's ear: SMTP sessions → messages handed to the task that keeps them. 250 is said when that resolves, never before.

import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import type { Config } from "../config.ts";
import { claimedSession, type SmtpSession } from "../mail/session.ts";
import type { ListenAddress } from "../setting-kinds.ts";
import { toListenRefusal } from "../system/listening.ts";
import type { Log } from "../system/log.ts";
import type { IntakeRoom } from "../tasks/intake-room.ts";
import type { HeardMessage } from "../tasks/receive-message.ts";
import type { Recipient, Routing } from "../tasks/route-recipient.ts";
import { readMessage } from "./read-message.ts";
import { refuse } from "./replies.ts";

export type SmtpDependencies = {
  readonly config: Config;
  readonly hostname: string;
  readonly log: Log;
  readonly now: () => number;
  readonly tls: { readonly cert: string; readonly key: string };
  readonly hasRoom: IntakeRoom;
  readonly route: (address: string) => Promise<Routing>;
  /** Resolves when the message is flushed to disk. */
  readonly receive: (message: HeardMessage) => Promise<void>;
};

export type SmtpListener = {
  readonly start: () => Promise<readonly ListenAddress[]>;
  readonly stop: () => Promise<void>;
  /** A changed certificate, for the connections to come. */
  readonly useTls: (tls: SmtpDependencies["tls"]) => void;
};

/** Clients that are idle when the listener stops are told 421 after this long; a message in flight ends within it. */
const closeTimeoutMs = 4_000;

export function createSmtpListener(dependencies: SmtpDependencies): SmtpListener {
  const servers = dependencies.config.smtpListen.map((address) => ({
    address,
    server: createServer(dependencies),
  }));
  return {
    start: () => Promise.all(servers.map(({ server, address }) => listen(server, address))),
    stop: async () => {
      await Promise.all(servers.map(({ server }) => new Promise<void>((resolve) => server.close(resolve))));
    },
    useTls: (tls) => {
      for (const { server } of servers) server.updateSecureContext(tls);
    },
  };
}

function createServer(dependencies: SmtpDependencies): SMTPServer {
  const { config, log } = dependencies;
  const recipientsOf = new WeakMap<SMTPServerSession, Recipient[]>();
  const server = new SMTPServer({
    name: dependencies.hostname,
    banner: "Assay",
    cert: dependencies.tls.cert,
    key: dependencies.tls.key,
    minVersion: "TLSv1.2",
    size: config.smtpMaxMessageBytes,
    maxClients: config.smtpMaxClients,
    socketTimeout: config.smtpIdleMs,
    closeTimeout: closeTimeoutMs,
    disabledCommands: ["AUTH"],
    // Not the library's enhanced codes: it knows one for each reply code, and 550 means more than one thing here.
    hideENHANCEDSTATUSCODES: true,
    disableReverseLookup: true,
    logger: false,
    onMailFrom: (_address, session, callback) => {
      recipientsOf.set(session, []);
      dependencies.hasRoom().then(
        (hasRoom) => callback(hasRoom ? null : refuse("noRoom")),
        () => callback(refuse("notNow")),
      );
    },
    onRcptTo: ({ address }, session, callback) => {
      const taken = recipientsOf.get(session) ?? [];
      takeRecipient(dependencies, address, taken).then(
        (error) => callback(error),
        () => callback(refuse("notNow")),
      );
    },
    onData: (stream, session, callback) => {
      const recipients = recipientsOf.get(session) ?? [];
      takeMessage(dependencies, stream, session, recipients).then(
        (error) => callback(error),
        (error: unknown) => {
          log.error("message not kept", { client: session.remoteAddress }, error);
          callback(refuse("notNow"));
        },
      );
    },
  });
  // A reset by the other side must not end the process.
  server.on("error", (error) => log.debug("SMTP connection error", { reason: error.message }));
  return server;
}

async function takeRecipient(
  { config, route }: SmtpDependencies,
  address: string,
  taken: Recipient[],
): Promise<Error | null> {
  if (taken.length >= config.smtpMaxRecipients) return refuse("tooManyRecipients");
  const routing = await route(address);
  if (routing.outcome === "foreign") return refuse("notOurs");
  if (routing.outcome === "unknown") return refuse("noSuchInbox");
  taken.push(routing.recipient);
  return null;
}

async function takeMessage(
  dependencies: SmtpDependencies,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  recipients: readonly Recipient[],
): Promise<Error | null> {
  // The library empties the session's envelope after the callback: everything is copied first.
  const heard = hearSession(session, dependencies.now());
  const raw = await readMessage(stream, dependencies.config.smtpMaxMessageBytes);
  if (raw === null) return refuse("tooBig");
  await dependencies.receive({ raw, session: { ...heard, dataEndedAt: dependencies.now() }, recipients });
  return null;
}

function hearSession(session: SMTPServerSession, dataStartedAt: number): Omit<SmtpSession, "dataEndedAt"> {
  const { envelope, tlsOptions } = session;
  return {
    ...claimedSession({ clientAddress: session.remoteAddress, helo: null, mailFrom: null, rcptTo: [] }),
    source: "smtp",
    clientPort: session.remotePort,
    helo: session.hostNameAppearsAs || null,
    protocol: session.transmissionType,
    tls: tlsOptions ? { version: tlsOptions.version, cipher: tlsOptions.name, serverName: null } : null,
    mailFrom: envelope.mailFrom ? envelope.mailFrom.address : "",
    rcptTo: envelope.rcptTo.map(({ address }) => address),
    dataStartedAt,
  };
}

function listen(server: SMTPServer, address: ListenAddress): Promise<ListenAddress> {
  const { host, port } = address;
  const settings = { hostSetting: "ASSAY_SMTP_LISTEN", portSetting: "ASSAY_SMTP_LISTEN" };
  return new Promise((resolve, reject) => {
    server.server.once("error", (cause) =>
      reject(toListenRefusal(cause, { what: "The SMTP address", address, ...settings })),
    );
    server.listen(port, host, () => {
      const bound = server.server.address();
      resolve({ host, port: typeof bound === "object" && bound ? bound.port : port });
    });
  });
}
