// One question and its answer over TCP, within bounds, to a server that stands in the configuration. It may be private;
// nothing that a stranger says ever comes here.

import { connect } from "node:net";
import type { ListenAddress } from "../setting-kinds.ts";

export type TcpRequest = {
  /** Sent whole; then our side is closed, and the answer is what comes until the other side closes. */
  readonly bytes: Uint8Array;
  readonly timeoutMs: number;
  readonly maxBytes: number;
};

export type TcpOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly failure: "unreachable" | "timeout" | "too_large" };

/** Never rejects. */
export type TcpDoor = (address: ListenAddress, request: TcpRequest) => Promise<TcpOutcome>;

export const exchangeOperatorTcp: TcpDoor = (address, { bytes, timeoutMs, maxBytes }) => {
  const { promise, resolve } = Promise.withResolvers<TcpOutcome>();
  // Half open: we have said all and still listen.
  const socket = connect({ ...address, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let length = 0;
  const end = (outcome: TcpOutcome) => {
    clearTimeout(timer);
    socket.destroy();
    resolve(outcome);
  };
  // The whole exchange, not its silences: a byte at a time would else last for ever.
  const timer = setTimeout(() => end({ ok: false, failure: "timeout" }), timeoutMs);
  socket.on("data", (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length > maxBytes) end({ ok: false, failure: "too_large" });
  });
  socket.on("end", () => end({ ok: true, bytes: Buffer.concat(chunks) }));
  socket.on("error", () => end({ ok: false, failure: "unreachable" }));
  socket.end(bytes);
  return promise;
};
