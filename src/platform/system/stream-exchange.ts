// Sends bytes in pieces to a server from the configuration and reads one response, with limits. The response may come
// before everything is sent, because a server that refuses the rest says why. Never used for addresses from untrusted
// sources.

import { connect } from "node:net";
import type { StreamDoor, StreamOutcome } from "../../analyzer/facts/doors.ts";

export const streamToOperator: StreamDoor = (address, request) => {
  const { pieces, timeoutMs, maxBytes, endsWith, pauseMs } = request;
  const { promise, resolve } = Promise.withResolvers<StreamOutcome>();
  // Half open: a server that refuses the rest closes its side, and what it said is still read.
  const socket = connect({ ...address, allowHalfOpen: true });
  let answer = Buffer.alloc(0);
  let isOver = false;
  let isSending = false;
  const end = (outcome: StreamOutcome) => {
    isOver = true;
    clearTimeout(timer);
    socket.destroy();
    resolve(outcome);
  };
  const endWithAnswer = () =>
    end(answer.length > 0 ? { ok: true, bytes: answer } : { ok: false, failure: isSending ? "cut" : "unreachable" });
  // Limits the whole exchange and not the silence in it. Otherwise a byte at a time could go on forever.
  const timer = setTimeout(() => end({ ok: false, failure: "timeout" }), timeoutMs);
  const left = pieces[Symbol.iterator]();
  const send = () => {
    if (isOver) return;
    const next = left.next();
    isSending = !next.done;
    // The next turn of the event loop reads first, so an early response is usually seen before another piece fails.
    if (!next.done) socket.write(next.value, () => (pauseMs ? setTimeout(send, pauseMs) : setImmediate(send)));
  };
  socket.on("connect", send);
  socket.on("data", (chunk: Buffer) => {
    if (answer.length + chunk.length > maxBytes) return end({ ok: false, failure: "too_large" });
    answer = Buffer.concat([answer, chunk]);
    const at = answer.indexOf(endsWith);
    if (at < 0) return;
    answer = answer.subarray(0, at);
    endWithAnswer();
  });
  socket.on("end", endWithAnswer);
  socket.on("error", endWithAnswer);
  return promise;
};
