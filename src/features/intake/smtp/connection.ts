// One SMTP session. The library handles the greeting, TLS, HELO, AUTH, timeouts and one command at a time. The envelope and
// DATA are handled here in its subclass. Its callbacks would not do: it decodes A-labels, rejects addresses that real senders
// use, removes dots after a bare LF, and does not report what was said and when. Its version is pinned.

import type { Socket } from "node:net";
import { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
import { toPlainAddress } from "../../../analyzer/addresses.ts";
import type { RehearsalAnswer, Reply } from "../rules/answers.ts";
import { type Admission, type ClientSlot, createPlace } from "./clients.ts";
import { CommandStream } from "./command-stream.ts";
import type { Pace } from "./crowd.ts";
import type { Arrival } from "./front.ts";
import { hideCredentials, isLoginOffered, toLoginOffer } from "./login.ts";
import { type ReplyName, withEnhancedStatus } from "./replies.ts";
import { createReplyWriter, handOn, type ReplyWriter, writeLines } from "./reply-writer.ts";
import { enterPrepared, leavePrepared, type SmtpRoom } from "./room.ts";
import { takeXclientHelo, toClient, toHelloName, toSession } from "./session-evidence.ts";
import { createTimeouts } from "./timeouts.ts";
import {
  addRecipient,
  beginData,
  beginTransaction,
  dropTransaction,
  keepMessage,
  type Transaction,
  whyNoData,
} from "./transaction.ts";
import { createTranscript, type Transcript, toLineLog } from "./transcript.ts";

type Done = () => void;

export class Connection extends SMTPConnection {
  /** Resolves when the connection has ended. */
  readonly gone: Promise<void>;
  #room: SmtpRoom;
  readonly #arrival: Arrival;
  readonly #transcript: Transcript;
  readonly #voice: ReplyWriter;
  readonly #loginOffer: ReturnType<typeof toLoginOffer>;
  readonly #deadline: NodeJS.Timeout;
  readonly #place: ClientSlot;
  #heloAsSent = "";
  #transaction: Transaction | null = null;
  #silentSince: number;
  /** When the message began, without the time that we took, and how many bytes had arrived then. */
  #begun = { at: 0, bytes: 0 };
  /** The same of messages that were given up, so that beginning again and again is no progress. */
  #spent = { ms: 0, bytes: 0 };
  readonly #impatience = createTimeouts();
  #commands = 0;
  readonly #settleGone: () => void;
  /**
   * Replies that end the connection after the current message. In place of its 250 they would make the client send it again.
   */
  #lastWords: ReplyName | null = null;
  #keeping = false;

  constructor(room: SmtpRoom, socket: Socket, arrival: Arrival, entry: Admission) {
    super(room.server, socket, { remoteAddress: arrival.address, remotePort: arrival.port });
    this.#room = room;
    this.#arrival = arrival;
    this.#silentSince = room.now();
    this.#loginOffer = toLoginOffer(arrival);
    this.#place = createPlace(room.enter, this.remoteAddress, entry);
    // The connection's own listeners, because STARTTLS replaces the socket and its listeners.
    ({ promise: this.gone, resolve: this.#settleGone } = Promise.withResolvers<void>());
    this.#transcript = createTranscript(room.now, toLineLog(room.log, arrival));
    this.#voice = createReplyWriter({
      transcript: this.#transcript,
      maxErrors: room.limits.errors,
      atRoundEnd: room.atRoundEnd,
      writeLines: (lines) => writeLines(this, lines),
      send: (code, lines) => super.send(code, lines, false),
    });
    this.#deadline = setTimeout(() => this.#endWith("overdue", this.#keeping), room.limits.sessionMs);
    this.#deadline.unref();
  }

  /** Ends an idle connection at once, and a busy one after its message. */
  stop(): void {
    this.#endWith("stopping", this.#transaction !== null);
  }

  pace(): Pace | null {
    if (this._handlerPending) return null;
    if (this.#transaction === null) return { since: this.#silentSince, bytes: null };
    return { since: this.#begun.at, bytes: this._socket.bytesRead - this.#begun.bytes };
  }

  presence(): number {
    return this.#place.presence();
  }

  /** Ends an idle or slow connection, whose place another client gets at once. */
  giveWay(): void {
    if (this.#transaction !== null) this.#room.noteDeferred("client_rate");
    this.#voice.reply(this.#transaction === null ? "crowded" : "tooSlow");
    this.#place.leave();
  }

  /** Ends it in any state. */
  abort(): void {
    this.#voice.finish();
    this._socket.destroy();
  }

  /** Called by the library's constructor, before our own fields exist. */
  override _createParser(): CommandStream {
    const refuse = () => {
      this.#voice.reply("lineTooLong");
      this.close();
    };
    const hear = (command: Buffer, resume?: Done) => this._onCommand(command, resume);
    return CommandStream.create(this._server.options.maxCommandLength, hear, refuse);
  }

  override _onCommand(command: Buffer, resume?: Done): void {
    if (this._upgrading || this._closing) super._onCommand(command, resume);
    else if (!this._ready) this.#impatience.hold(() => this._onCommand(command, resume));
    else this.#hearCommand(command, resume);
  }

  #hearCommand(command: Buffer, resume?: Done): void {
    this.#impatience.passCommand(this._parser);
    const line = command.toString();
    this.#transcript.hear("client", hideCredentials(line, this._nextHandler !== false));
    if (++this.#commands > this.#room.limits.commands) this.#voice.reply("tooManyCommands");
    else if (!this.hostNameAppearsAs || this._nextHandler !== false) super._onCommand(command, resume);
    else if (line.startsWith("MAIL ")) this.handler_MAIL(command, handOn(this, resume));
    else if (line.startsWith("RCPT ")) this.handler_RCPT(command, handOn(this, resume));
    else if (line === "DATA") this.handler_DATA(command, handOn(this, resume));
    else super._onCommand(command, resume);
  }

  /**
   * Every reply passes here, including the library's. The greeting and the reply to EHLO have no enhanced status (RFC 2034
   * §3).
   */
  override send(code: number, words?: string | string[] | null, context?: string | false): void {
    const lines = Array.isArray(words) ? words : [words ?? ""];
    this.#voice.say(code, context === false && code < 400 ? lines : withEnhancedStatus(code, lines));
  }

  override _sendGreeting(): void {
    // Counts the real client, which XCLIENT may have changed.
    this.remoteAddress = toPlainAddress(this.remoteAddress) ?? this.remoteAddress;
    const refusal = this.#place.moveTo(this.remoteAddress);
    if (refusal === null) super._sendGreeting();
    else this.#voice.reply(refusal);
    if (refusal === null) this.#impatience.release();
  }

  override _proxyCommandAllowed(command: string): boolean {
    if (command !== "XCLIENT" || this._xClient.has("ADDR")) return false;
    return this.#room.mayUseXclient(this._originalRemoteAddress);
  }

  override _isSupported(name: string): boolean {
    return (name !== "AUTH" || isLoginOffered(this.#loginOffer, this.secure)) && super._isSupported(name);
  }

  override _resetSession(): void {
    super._resetSession();
    this.#endTransaction();
  }

  override _onClose(): void {
    super._onClose();
    clearTimeout(this.#deadline);
    this.#place.leave();
    this.#settleGone();
    void leavePrepared(this.#room, this.#arrival.address, this, this.#heloAsSent);
    if (!this.#keeping) this.#endTransaction(); // otherwise the code that stores the message closes it
  }

  override handler_EHLO(command: Buffer, done: Done): void {
    if (this.#heloAsSent === "") this.#enterPrepared(toHelloName(command));
    super.handler_EHLO(command, done);
    this.#noteHelo(command);
  }

  override handler_HELO(command: Buffer, done: Done): void {
    super.handler_HELO(command, done);
    this.#noteHelo(command);
  }

  override handler_XCLIENT(command: Buffer, done: Done): void {
    super.handler_XCLIENT(command, () => {
      this.#heloAsSent = takeXclientHelo(this) ?? this.#heloAsSent;
      done();
    });
  }

  override handler_STARTTLS(command: Buffer, done: Done): void {
    if (!this.secure) this.#impatience.noteBehind("STARTTLS", this._parser);
    super.handler_STARTTLS(command, done);
  }

  override handler_MAIL(command: Buffer, done: Done): void {
    void this.#mail(command).then((reply) => this.#answer(reply, done));
  }

  override handler_RCPT(command: Buffer, done: Done): void {
    void this.#rcpt(command).then((reply) => this.#answer(reply, done));
  }

  override handler_DATA(command: Buffer, done: Done): void {
    const transaction = this.#transaction;
    const refusal = whyNoData(command, transaction);
    if (refusal !== null) this.#voice.reply(refusal);
    else if (transaction !== null && this._parser instanceof CommandStream) this.#hearData(transaction, this._parser);
    done();
  }

  readonly handler_EXPN = (_: Buffer, done: Done) => this.#answer("notImplemented", done);
  readonly handler_BDAT = this.handler_EXPN;
  readonly handler_ETRN = this.handler_EXPN;
  async #mail(command: Buffer): Promise<ReplyName> {
    if (this.#transaction !== null) return "mailTwice";
    if (this.#lastWords !== null) return this.#lastWords;
    if (!this.#room.mayDeliver(this.#place.address())) return "tooFast";
    const begun = await beginTransaction(command, this.#room, () => this.#voice.reply("overdue"));
    if ("refusal" in begun) return begun.refusal;
    this.#transaction = begun.transaction;
    this.#begun = { at: this.#room.now() - this.#spent.ms, bytes: this._socket.bytesRead - this.#spent.bytes };
    if (this._closed) this.#endTransaction();
    // The library checks this before it allows XCLIENT.
    this.session.envelope.mailFrom = { address: begun.transaction.mail.path, args: false };
    return "senderNoted";
  }

  async #rcpt(command: Buffer): Promise<ReplyName | Reply> {
    if (this.#transaction === null) return "needsMail";
    const startedAt = this.#room.now();
    const reply = await addRecipient(this.#transaction, command, this.#room, toClient(this, this.#arrival));
    this.#begun.at += this.#room.now() - startedAt;
    // Only commands that lead to no message count, no matter how many recipients the operator allows.
    if (reply === "recipientNoted") this.#commands -= 1;
    return reply;
  }

  #hearData(transaction: Transaction, parser: CommandStream): void {
    this.#impatience.noteBehind("DATA", parser);
    const reader = beginData(transaction, this.#room);
    const dataStartedAt = this.#room.now();
    parser.readData(reader, (resume) => {
      this.#keeping = true;
      this._handlerPending = true; // the client waits for us now, so no idle timeout
      clearTimeout(transaction.deadline);
      const session = toSession(this, {
        arrival: this.#arrival,
        helo: this.#heloAsSent,
        mail: transaction.mail,
        rcpts: transaction.rcpts,
        impatience: this.#impatience.noted(),
        connectedAt: this.#transcript.beganAt,
        dataStartedAt,
        dataEndedAt: this.#room.now(),
        transcript: this.#transcript.steps(),
      });
      const keeping = { arrival: toClient(this, this.#arrival), gone: this.gone };
      const kept = keepMessage(reader, transaction, session, this.#room, keeping);
      void kept.then((answer) => this.#endData(answer)).then(resume);
    });
    this.#voice.assent("354 End data with <CR><LF>.<CR><LF>");
  }

  #endData(answer: ReplyName | RehearsalAnswer): void {
    this._handlerPending = false;
    this.#keeping = false;
    if (answer === "kept" || typeof answer === "object") {
      this.#voice.forgiveErrors();
      this.#commands = 0;
      this._unrecognizedCommands = 0;
    }
    this._resetSession();
    this.#spent = { ms: 0, bytes: 0 };
    this.#silentSince = this.#room.now();
    if (answer === "hang-up") this.abort();
    else if (typeof answer === "object") this.#voice.say(answer.code, answer.lines);
    else this.#voice.reply(answer);
    this.#transcript.endMessage();
    if (this.#lastWords !== null) this.#voice.reply(this.#lastWords);
  }

  #endWith(words: ReplyName, isBusy: boolean): void {
    if (isBusy) this.#lastWords = words;
    else this.#voice.reply(words);
  }

  #enterPrepared(helo: string): void {
    const prepared = enterPrepared(this.#room, { address: this.#arrival.address, helo });
    if (prepared === null) return;
    this.#room = prepared;
    this._server = prepared.server;
  }

  #noteHelo(command: Buffer): void {
    if (this.hostNameAppearsAs !== toHelloName(command).toLowerCase()) return;
    this.#heloAsSent = toHelloName(command);
    this.#transcript.endOpening();
  }

  #endTransaction(): void {
    if (this.#transaction === null) return;
    dropTransaction(this.#transaction, this.#room.rehearsals);
    this.#spent = { ms: this.#room.now() - this.#begun.at, bytes: this._socket.bytesRead - this.#begun.bytes };
    this.#transaction = null;
    this.#transcript.endMessage();
  }

  #answer(reply: ReplyName | Reply, done: Done): void {
    if (typeof reply === "object") {
      // The address asked for it, so it's no mistake of the client.
      this.#voice.forgiveErrors();
      this.#voice.say(reply.code, reply.lines);
    } else this.#voice.reply(reply);
    done();
  }
}
