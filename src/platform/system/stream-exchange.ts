// Sends bytes in pieces to a server from the configuration and reads one response, with limits. The response may come
// before everything is sent, because a server that refuses the rest says why. Never used for addresses from untrusted
// sources.

import { connect } from "node:net";
import type { StreamDoor, StreamOutcome } from "../../analyzer/facts/doors.ts";
import { createBoundedBytes } from "./bounded-bytes.ts";

export const streamToOperator: StreamDoor = (address, request) => {
  const { pieces, timeoutMs, maxBytes, endsWith, pauseMs } = request;
  const { promise, resolve } = Promise.withResolvers<StreamOutcome>();
  // Half open: a server that refuses the rest closes its side, and what it said is still read.
  const socket = connect({ ...address, allowHalfOpen: true });
  const answer = createBoundedBytes(maxBytes);
  let isOver = false;
  let isSending = false;
  const end = (outcome: StreamOutcome) => {
    isOver = true;
    clearTimeout(timer);
    socket.destroy();
    resolve(outcome);
  };
  const endWithAnswer = (bytes = answer.read()) =>
    end(bytes.length > 0 ? { ok: true, bytes } : { ok: false, failure: isSending ? "cut" : "unreachable" });
  // Limits the whole exchange and not the silence in it. Otherwise a byte at a time could go on forever.
  const timer = setTimeout(() => end({ ok: false, failure: "timeout" }), timeoutMs);
  const left = pieces[Symbol.iterator]();
  const send = () => {
    if (isOver) return;
    const next = left.next();
    isSending = !next.done;
    // The next turn of the event loop reads first, so an early response is usually seen before another piece fails.
    if (next.done && endsWith === undefined) socket.end();
    if (!next.done) socket.write(next.value, () => (pauseMs ? setTimeout(send, pauseMs) : setImmediate(send)));
  };
  socket.on("connect", send);
  socket.on("data", (chunk: Buffer) => {
    if (!answer.add(chunk)) return end({ ok: false, failure: "too_large" });
    const at = endsWith === undefined ? -1 : answer.read().indexOf(endsWith);
    if (at >= 0) endWithAnswer(answer.read().subarray(0, at));
  });
  socket.on("end", () => endWithAnswer());
  // Half a response without a mark at its end would look whole.
  socket.on("error", () => (endsWith === undefined ? end({ ok: false, failure: "unreachable" }) : endWithAnswer()));
  return promise;
};
