// A listener on loopback that records what it received, and a client that sends exactly the given bytes.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { type SmtpLimits, smtpLimits } from "../../../../src/features/intake/smtp/limits.ts";
import { createSmtpListener } from "../../../../src/features/intake/smtp/listener.ts";
import type { ReceivedMessage } from "../../../../src/features/intake/work/receive-message.ts";
import { createRouter } from "../../../../src/features/intake/work/route-recipient.ts";
import { createWorkspace } from "../../../../src/features/people/work/workspaces.ts";
import type { Rehearsals } from "../../../../src/features/rehearsal/work/rehearsals.ts";
import type { Deferrals } from "../../../../src/features/server/readiness/deferrals.ts";
import { openStore } from "../../../../src/platform/database/open.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { readConfig } from "../../../../src/platform/settings/config-reading.ts";
import { createSelfSigned } from "../../../../src/platform/system/self-signed.ts";
import { placeMigratedFile } from "../../../platform/database/migrated-file.ts";
import { testSystem } from "../../../test-system.ts";

export const seedDomain = "seed.example";

export type Ear = {
  readonly port: number;
  /** The only seed inbox. */
  readonly seed: string;
  readonly store: Store;
  /** Everything that 250 was said to, in its order. */
  readonly heard: ReceivedMessage[];
  /** As another client where the address is another of 127.0.0.0/8. */
  readonly open: (clientAddress?: string) => Promise<Dialogue>;
  readonly close: () => Promise<void>;
};

const hostname = "mx.seed.example";
let pair: { readonly cert: string; readonly key: string } | undefined;

/**
 * `environment`: settings as an operator writes them. `keep`: what a message waits for before its 250. Without
 * `openRehearsals`, every address is an ordinary one.
 */
export async function startEar(
  environment: Readonly<Record<string, string>> = {},
  keep: (message: ReceivedMessage) => Promise<void> = async () => {},
  openRehearsals: (store: Store) => Rehearsals | null = () => null,
  now: () => number = Date.now,
  more: {
    readonly noteDeferred?: Deferrals["note"];
    readonly isCrowded?: () => boolean;
    readonly limits?: Partial<SmtpLimits>;
  } = {},
): Promise<Ear> {
  const own = { ASSAY_SMTP_LISTEN: "127.0.0.1:0", ASSAY_SEED_DOMAINS: seedDomain };
  const reading = readConfig({ ...own, ...environment });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { config } = reading;
  const folder = mkdtempSync(join(tmpdir(), "assay-smtp-"));
  const system = { now: Date.now, random: randomBytes, log: testSystem().log };
  const store = await openStore({ databaseFile: await placeMigratedFile(join(folder, "assay.db")) }, system);
  const workspace = await createWorkspace(store, system, { name: "Ours", seedDomain });
  const table = { db: store.read, config, catchAll: null, now: Date.now };
  const heard: ReceivedMessage[] = [];
  pair ??= createSelfSigned([hostname], Date.now());
  const listener = createSmtpListener({
    config,
    hostname,
    log: system.log,
    now,
    tls: pair,
    hasRoom: async () => true,
    limits: { ...smtpLimits, ...more.limits },
    ...(more.noteDeferred && { noteDeferred: more.noteDeferred }),
    route: createRouter({ ...table, ...(more.isCrowded && { isCrowded: more.isCrowded }) }),
    rehearsals: openRehearsals(store),
    receive: async (message) => {
      await keep(message);
      // The listener may reuse its memory.
      heard.push({ ...message, raw: Buffer.from(message.raw) });
    },
  });
  const [bound] = await listener.listenOn(config.smtpListen);
  const port = bound?.port ?? 0;
  const opened: Dialogue[] = [];
  return {
    port,
    store,
    seed: workspace.seed_address ?? "",
    heard,
    open: async (clientAddress = "127.0.0.1") => {
      const dialogue = await openDialogue(port, clientAddress);
      opened.push(dialogue);
      return dialogue;
    },
    close: async () => {
      for (const dialogue of opened) dialogue.destroy();
      await listener.stop();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type Dialogue = {
  /** Text stands for bytes, one for each character. */
  readonly write: (bytes: Buffer | string) => void;
  /** Each piece reaches the listener separately. */
  readonly writePieces: (pieces: readonly (Buffer | string)[]) => Promise<void>;
  /** The next complete reply, without its last line end. Throws if the connection ends first. */
  readonly reply: () => Promise<string>;
  readonly say: (line: string) => Promise<string>;
  /** Reads the greeting, then sends EHLO. */
  readonly greet: () => Promise<void>;
  /** After a 220 to STARTTLS. Returns the name in the certificate. */
  readonly startTls: () => Promise<string | undefined>;
  /** Closes the sending half. */
  readonly end: () => void;
  readonly reset: () => void;
  readonly destroy: () => void;
  /** Replies that arrived and were not read yet, then those up to the end of the connection. */
  readonly untilClosed: () => Promise<readonly string[]>;
};

/** `place`: a port on loopback, or the path of a socket. */
export async function openDialogue(place: number | string, localAddress = "127.0.0.1"): Promise<Dialogue> {
  let socket: Socket =
    typeof place === "string"
      ? connect({ path: place })
      : connect({ port: place, host: "127.0.0.1", localAddress, noDelay: true });
  const replies = collectReplies();
  replies.listenTo(socket);
  await once(socket, "connect");
  const write = (bytes: Buffer | string) => void socket.write(toBytes(bytes));
  const say = (line: string) => {
    write(`${line}\r\n`);
    return replies.next();
  };
  return {
    write,
    say,
    writePieces: async (pieces) => {
      for (const piece of pieces) {
        write(piece);
        // The listener runs in this process and has read the piece after its turn.
        await nextTurn();
        await nextTurn();
      }
    },
    reply: replies.next,
    greet: async () => {
      await replies.next();
      await say("EHLO client.example");
    },
    startTls: async () => {
      socket.removeAllListeners("data");
      const secured = connectTls({ socket, rejectUnauthorized: false });
      replies.listenTo(secured);
      await once(secured, "secureConnect");
      socket = secured;
      const { CN: name } = secured.getPeerCertificate().subject;
      return typeof name === "string" ? name : name?.[0];
    },
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    destroy: () => void socket.destroy(),
    untilClosed: replies.untilClosed,
  };
}

function toBytes(bytes: Buffer | string): Buffer {
  return typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
}

function collectReplies() {
  const ready: string[] = [];
  let partial = "";
  let isClosed = false;
  let wake = () => {};
  const read = (chunk: Buffer) => {
    partial += chunk.toString("latin1");
    // The last line of a reply has a space after its code (RFC 5321 §4.2).
    for (let match = wholeReply.exec(partial); match; match = wholeReply.exec(partial)) {
      ready.push(match[0].trimEnd());
      partial = partial.slice(match[0].length);
    }
    wake();
  };
  const close = () => {
    isClosed = true;
    wake();
  };
  const news = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  return {
    listenTo: (socket: Socket) => void socket.on("data", read).on("error", close).on("close", close),
    next: async (): Promise<string> => {
      while (ready.length === 0 && !isClosed) await news();
      const reply = ready.shift();
      if (reply === undefined) throw new Error(`The connection ended after ${JSON.stringify(partial)}.`);
      return reply;
    },
    untilClosed: async (): Promise<readonly string[]> => {
      while (!isClosed) await news();
      return ready.splice(0);
    },
  };
}

const wholeReply = /^(?:\d{3}-[^\n]*\r\n)*\d{3} [^\n]*\r\n/;
