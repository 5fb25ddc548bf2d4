// What all connections share, and what is different for one that a sender probe prepared.

import { TLSSocket } from "node:tls";
import type { SMTPServer } from "smtp-server";
import type { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
import type { RehearsalTag } from "../../../analyzer/mail/headers/rehearsal-address.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { Log, LogFields } from "../../../platform/system/log.ts";
import type { DeferralReason, Deferrals } from "../../server/readiness/deferrals.ts";
import type { Preparation, PreparedClient, RehearsalAnswer, Reply, SeenConnection, Special } from "../rules/answers.ts";
import type { ReceivedMessage } from "../work/receive-message.ts";
import type { Recipient, Routing } from "../work/route-recipient.ts";
import type { Clients } from "./clients.ts";
import type { SlowConnection } from "./crowd.ts";
import type { SmtpLimits } from "./limits.ts";
import type { MessageMemory } from "./message-memory.ts";
import type { ReplyWriterOptions } from "./reply-writer.ts";

/** Shared by all messages. */
export type MailRoom = {
  readonly config: Config;
  readonly limits: SmtpLimits;
  readonly log: Log;
  readonly logRejection: (fields: LogFields) => void;
  /** Something was asked to come again later, not because of itself. */
  readonly noteDeferred: Deferrals["note"];
  readonly now: () => number;
  readonly memory: MessageMemory;
  readonly hasRoom: () => Promise<boolean>;
  readonly whyNoRoom: () => Promise<DeferralReason>;
  readonly route: (address: string, client: string) => Promise<Routing>;
  /** Resolves when the message is flushed to disk. */
  readonly receive: (message: ReceivedMessage) => Promise<void>;
  /** Null: every address is an ordinary one. */
  readonly rehearsals: Rehearsals | null;
  /** Null unless a sender probe prepared the connection. */
  readonly visit: Visit | null;
};

/** Shared by all connections. */
export type SmtpRoom = MailRoom & {
  readonly server: SMTPServer;
  /** The library's settings for a special connection. */
  readonly createServer: (special: Special) => SMTPServer;
  readonly enter: Clients["enter"];
  readonly mayDeliver: Clients["mayDeliver"];
  readonly mayUseXclient: (address: string) => boolean;
  /** Called for each new connection. */
  readonly losePatience: (connections: Set<SlowConnection>) => void;
  /** Called for each new client. True: every one was refused for a minute. */
  readonly isShut: (isRefused: boolean) => boolean;
  readonly atRoundEnd: ReplyWriterOptions["atRoundEnd"];
};

/** A message with a single recipient, whose address asks for a rehearsal. */
type RehearsedMessage = ReceivedMessage & {
  readonly tag: RehearsalTag;
  readonly recipient: Recipient;
  /** What this connection was offered. */
  readonly preparation: Preparation | null;
  readonly isLocal: boolean;
  /** The message is on disk, so its memory can be used for others. */
  readonly release: () => void;
  /** Resolves when the client has closed the connection. */
  readonly gone: Promise<void>;
};

/** Answers at addresses that answer for themselves. Without it, they are ordinary ones. */
export type Rehearsals = {
  /** The reply to RCPT. Null: the recipient is accepted. `isFirst`: the message has no other recipient yet. */
  readonly refuse: (recipient: Recipient, tag: RehearsalTag, isFirst: boolean) => Reply | null;
  /** No message to an accepted recipient came. */
  readonly giveBack: (recipient: Recipient) => void;
  readonly answer: (message: RehearsedMessage) => Promise<RehearsalAnswer>;
  /** For a connection of this client that has said EHLO. */
  readonly takePreparation: (client: PreparedClient) => Preparation | null;
  /** The connection was for other mail, which was deferred or not. */
  readonly putBackPreparation: (client: PreparedClient, preparation: Preparation, wasDeferred: boolean) => void;
  readonly endPreparation: (preparation: Preparation, seen: SeenConnection) => Promise<void>;
  /** Replies to all who wait. */
  readonly close: () => void;
};

/** What a prepared connection did so far. */
type Visit = {
  readonly client: PreparedClient;
  readonly preparation: Preparation;
  reached: "ehlo" | "mail" | "envelope" | "data";
  /** It brought the message, which records the attempt. */
  hasMessage: boolean;
  /** Other mail came first, so the next connection is prepared instead. */
  isOver: boolean;
};

/**
 * Called at the first EHLO, because a connection that ends before tells nothing, such as a port check. Null: an ordinary
 * connection.
 */
export function enterPrepared(room: SmtpRoom, client: PreparedClient): SmtpRoom | null {
  const preparation = room.rehearsals?.takePreparation(client);
  if (!preparation) return null;
  const { special } = preparation;
  const visit: Visit = { client, preparation, reached: "ehlo", hasMessage: false, isOver: false };
  const server = room.createServer(special);
  const config = special.kind === "size" ? { ...room.config, smtpMaxMessageBytes: special.maxBytes } : room.config;
  return { ...room, config, server, visit };
}

type Library = Pick<SMTPConnection, "secure" | "_upgrading" | "_socket">;

/** Called when the connection has ended. */
export async function leavePrepared(
  { visit, rehearsals, log }: SmtpRoom,
  client: string,
  { secure, _upgrading, _socket }: Library,
  helo: string,
): Promise<void> {
  if (rehearsals === null || visit === null || visit.hasMessage || visit.isOver) return;
  const { preparation, reached } = visit;
  const atHello: SeenConnection["reached"] = _upgrading ? "handshake-failed" : secure ? "handshake" : "ehlo";
  const tls = secure && _socket instanceof TLSSocket ? _socket.getProtocol() : null;
  const seen = {
    client: { address: client, helo: helo || null, tls },
    reached: reached === "ehlo" ? atHello : reached,
  };
  await rehearsals
    .endPreparation(preparation, seen)
    .catch((error: unknown) => log.error("sender probe not recorded", { client }, error));
}
