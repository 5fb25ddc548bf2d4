// What one question to a server takes, however it travels; and how it travels where its answer does not fit a packet.

import { connect } from "node:net";

export type DnsServer = { readonly host: string; readonly port: number };

export type Attempt<T> = {
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
export function whenAborted(signal: AbortSignal, end: () => void): () => void {
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
