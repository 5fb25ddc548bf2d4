// Questions over UDP, one at a time per socket. The kernel picks a random port. With the random ID, a forger has to guess 32
// bits (RFC 5452 §4.5). A connected socket receives packets only from its server, and fails at once if the port is closed.
// Opening a socket costs as much as asking. So a few dozen questions to an operator's resolver share one, and it is replaced
// within a second, before its port could be found out.

import { createSocket, type Socket } from "node:dgram";
import { connect, isIPv6 } from "node:net";

export type AskByUdp = <T>(attempt: Attempt<T>) => Promise<T | NoReply>;

/** Limits for one socket. */
const mostQuestions = 64;
const longestUseMs = 1_000;
/** Number of idle sockets per server. Sockets beyond it are closed. */
const mostWaiting = 512;

type Line = {
  readonly socket: Socket;
  readonly leaveAt: number;
  questionsLeft: number;
  isOpen: boolean;
  hear: (bytes: Buffer) => void;
  /** The port is closed at the other end, or the socket was closed. */
  fail: () => void;
};

/** One socket per question. */
export const askByUdp: AskByUdp = (attempt) => askOn(null, attempt, hangUp);

/** Dozens of questions per socket. Idle sockets are closed with `closing`, and do not keep the process alive. */
export function createUdpAsker(closing: AbortSignal): AskByUdp {
  const waiting = new Map<string, Line[]>();
  let isTidying = false;

  /** The one used last, so that the others grow old. */
  function take(lines: Line[]): Line | null {
    const line = lines.pop();
    if (line === undefined || isGood(line)) return line ?? null;
    hangUp(line);
    return take(lines);
  }

  function keep(line: Line, lines: Line[]): void {
    if (!isGood(line) || lines.length >= mostWaiting || closing.aborted) {
      hangUp(line);
      return;
    }
    line.socket.unref();
    line.fail = () => hangUp(line);
    lines.push(line);
    tidyLater();
  }

  function tidyLater(): void {
    if (!isTidying) setTimeout(tidy, longestUseMs).unref();
    isTidying = true;
  }

  function tidy(): void {
    isTidying = false;
    for (const lines of waiting.values()) {
      for (const line of lines.splice(0)) {
        if (isGood(line)) lines.push(line);
        else hangUp(line);
      }
      if (lines.length > 0) tidyLater();
    }
  }

  const hangUpAll = () => {
    for (const lines of waiting.values()) for (const line of lines.splice(0)) hangUp(line);
  };
  closing.addEventListener("abort", hangUpAll, { once: true });

  return (attempt) => {
    const server = `${attempt.server.host} ${attempt.server.port}`;
    const lines = waiting.get(server) ?? [];
    waiting.set(server, lines);
    return askOn(take(lines), attempt, (line) => keep(line, lines));
  };
}

function isGood({ isOpen, questionsLeft, leaveAt }: Line): boolean {
  return isOpen && questionsLeft > 0 && performance.now() < leaveAt;
}

/** `release` gets the socket after its answer. Without an answer it is closed. */
function askOn<T>(
  used: Line | null,
  { server, query, read, timeoutMs, signal }: Attempt<T>,
  release: (line: Line) => void,
): Promise<T | NoReply> {
  const line = used ?? openLine(server);
  return new Promise((resolve) => {
    const end = (outcome: T | NoReply, leave: (line: Line) => void) => {
      clearTimeout(timer);
      forget();
      line.hear = line.fail = nothing;
      resolve(outcome);
      leave(line);
    };
    const timer = setTimeout(() => end("timeout", hangUp), timeoutMs);
    const forget = whenAborted(signal, () => end("unreachable", hangUp));
    line.fail = () => end("unreachable", hangUp);
    line.hear = (bytes) => {
      const reply = read(bytes);
      if (reply !== null) end(reply, release);
    };
    line.questionsLeft--;
    if (used) used.socket.ref().send(query);
    else line.socket.on("connect", () => line.socket.send(query)).connect(server.port, server.host);
  });
}

function openLine({ host }: DnsServer): Line {
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  const leaveAt = performance.now() + longestUseMs;
  const line: Line = { socket, leaveAt, questionsLeft: mostQuestions, isOpen: true, hear: nothing, fail: nothing };
  socket.on("message", (bytes) => line.hear(bytes));
  socket.on("error", () => line.fail());
  socket.on("close", () => {
    line.isOpen = false;
    line.fail();
  });
  return line;
}

function hangUp(line: Line): void {
  line.fail = nothing;
  // Closing twice throws.
  if (line.isOpen) line.socket.close();
  line.isOpen = false;
}

function nothing(): void {}

// The parameters of one question for any transport, and the transport to use if its answer does not fit into a packet.

export type DnsServer = { readonly host: string; readonly port: number };

type Attempt<T> = {
  readonly server: DnsServer;
  readonly query: Uint8Array;
  /** The parsed reply. Null: not the answer to our question. */
  readonly read: (bytes: Buffer) => T | null;
  readonly timeoutMs: number;
  /** Ends the attempt as "unreachable". */
  readonly signal: AbortSignal;
};

export type NoReply = "timeout" | "unreachable";

const endings = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * One listener for all pending questions, because a signal searches its listeners for each one added or removed, and there
 * are thousands.
 */
function whenAborted(signal: AbortSignal, end: () => void): () => void {
  const waiting = endings.get(signal) ?? new Set();
  if (!endings.has(signal)) {
    endings.set(signal, waiting);
    const endAll = () => {
      for (const endOne of waiting) endOne();
    };
    signal.addEventListener("abort", endAll, { once: true });
  }
  waiting.add(end);
  return () => waiting.delete(end);
}

/** RFC 7766: two bytes of length before each message. */
export function askByTcp<T>(attempt: Attempt<T>): Promise<T | NoReply | "malformed"> {
  const { server, query, read, timeoutMs, signal } = attempt;
  return new Promise((resolve) => {
    const socket = connect({ host: server.host, port: server.port, signal });
    const end = (outcome: T | NoReply | "malformed") => {
      clearTimeout(timer);
      resolve(outcome);
      socket.destroy();
    };
    const timer = setTimeout(end, timeoutMs, "timeout");
    const received = Buffer.allocUnsafe(2 + 0xffff);
    let filled = 0;
    socket.on("connect", () => socket.write(Buffer.from([query.length >> 8, query.length & 0xff, ...query])));
    socket.on("data", (chunk: Buffer) => {
      filled += chunk.copy(received, filled);
      const messageEnd = filled < 2 ? Number.POSITIVE_INFINITY : 2 + received.readUInt16BE(0);
      // Only the server writes to this connection, so anything but our answer is an error.
      if (filled >= messageEnd) end(read(received.subarray(2, messageEnd)) ?? "malformed");
    });
    socket.on("end", () => end("malformed"));
    socket.on("error", () => end("unreachable"));
    socket.on("close", () => end("unreachable"));
  });
}
