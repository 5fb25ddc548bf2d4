// A TCP connection for a library that doesn't limit what a server says or how long it takes. The server may say only so much
// until we speak again. Not a `Socket`, because TLS would then read past it.

import { connect } from "node:net";
import { addAbortSignal, Duplex } from "node:stream";

type Terms = { readonly host: string; readonly port: number; readonly signal?: AbortSignal | undefined };

const connectMs = 8_000;
const socketOptions = {
  noDelay: true,
  // So that no router forgets a connection that is kept for the next message.
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
  // The runtime's 250 ms are too short for a server far away that has several addresses.
  autoSelectFamilyAttemptTimeout: 2_000,
};
/** A mail server's longest reply has some 10 KB with its certificate. */
const maxReplyBytes = 131_072;

/** The error's code if the server said too much. */
export const tooMuch = "ERR_TOO_MUCH";

/** Connects on the way. An abort closes it. */
export function openBoundedLine({ host, port, signal }: Terms): Duplex {
  const socket = connect({ host, port, ...socketOptions });
  let left = maxReplyBytes;
  const line = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, _encoding, done) => {
      left = maxReplyBytes;
      socket.write(chunk, done);
    },
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      clearTimeout(timer);
      socket.destroy();
      // After the error of the TLS above it, which says more.
      setImmediate(setImmediate, done, error);
    },
  });
  const timer = setTimeout(() => line.destroy(new Error("Connection timeout")), connectMs);
  socket.on("connect", () => clearTimeout(timer));
  socket.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) line.destroy(Object.assign(new Error("it says too much at once"), { code: tooMuch }));
    else if (!line.push(chunk)) socket.pause();
  });
  socket.on("end", () => line.push(null));
  socket.on("timeout", () => line.emit("timeout"));
  // An error about several addresses has no message.
  socket.on("error", (error: NodeJS.ErrnoException) => {
    line.destroy(Object.assign(error, { message: error.message || error.code }));
  });
  socket.on("close", () => line.destroy());
  if (signal) addAbortSignal(signal, line);
  return Object.assign(line, { setTimeout: (ms: number) => void socket.setTimeout(ms) });
}
