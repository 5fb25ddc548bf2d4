// Questions by UDP, one at a time from a socket. Its port is the kernel's, picked at random: with the random id that makes
// 32 bits for a forger to guess (RFC 5452 §4.5). A connected socket takes packets from the server alone, and hears at once
// when nobody listens there. To open one costs as much as to ask: so some dozens of questions to an operator's own resolver
// share it, one after the other, and it is left within a second, before a stranger could find out its port.

import { createSocket, type Socket } from "node:dgram";
import { connect, isIPv6 } from "node:net";

export type AskByUdp = <T>(attempt: Attempt<T>) => Promise<T | NoReply>;

/** Of one socket. */
const mostQuestions = 64;
const longestUseMs = 1_000;
/** Of those that wait for a question to one server; what a burst needed besides is closed. */
const mostWaiting = 512;

type Line = {
  readonly socket: Socket;
  readonly leaveAt: number;
  questionsLeft: number;
  isOpen: boolean;
  hear: (bytes: Buffer) => void;
  /** Nobody listens at the other end, or it was closed. */
  fail: () => void;
};

/** A socket a question. */
export const askByUdp: AskByUdp = (attempt) => askOn(null, attempt, hangUp);

/** Dozens of questions a socket. Those that wait are closed with `closing`, and keep no process alive. */
export function createUdpAsker(closing: AbortSignal): AskByUdp {
  const waiting = new Map<string, Line[]>();
  let isTidying = false;

  /** The last that was used, so that the others grow old. */
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

/** `release` gets the socket once it has brought the answer; one that has not is closed. */
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
  const line: Line = {
    ...{ socket, leaveAt, questionsLeft: mostQuestions, isOpen: true },
    ...{ hear: nothing, fail: nothing },
  };
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

// What one question to a server takes, however it travels; and how it travels where its answer does not fit a packet.

export type DnsServer = { readonly host: string; readonly port: number };

type Attempt<T> = {
  readonly server: DnsServer;
  readonly query: Uint8Array;
  /** What the bytes say, or null for a packet that is not the answer to our question. */
  readonly read: (bytes: Buffer) => T | null;
  readonly timeoutMs: number;
  /** Ends the attempt as "unreachable". */
  readonly signal: AbortSignal;
};

export type NoReply = "timeout" | "unreachable";

const endings = new WeakMap<AbortSignal, Set<() => void>>();

/** One listener for all that wait: a signal looks through its listeners for each that comes or goes, and here are thousands. */
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

/** RFC 7766: two bytes of length stand before each message. */
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
      // Nobody else writes into this connection: what is not our answer is a broken one.
      if (filled >= messageEnd) end(read(received.subarray(2, messageEnd)) ?? "malformed");
    });
    socket.on("end", () => end("malformed"));
    socket.on("error", () => end("unreachable"));
    socket.on("close", () => end("unreachable"));
  });
}
