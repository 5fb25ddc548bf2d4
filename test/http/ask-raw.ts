// Bytes over a plain socket, for what no client library would send.

import { connect, type Socket } from "node:net";

/** What a plain socket gets for these bytes, until the other side closes or nothing comes for a while. */
export function askRaw(port: number, bytes: string | Buffer, quietMs = 1_000): Promise<string> {
  return hear(port, quietMs, (socket) => socket.write(bytes));
}

/** The same with our half closed after the bytes, so that nobody waits for more. */
export function askRawAndEnd(port: number, bytes: string | Buffer): Promise<string> {
  return hear(port, 10_000, (socket) => socket.end(bytes));
}

function hear(port: number, quietMs: number, send: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => send(socket));
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(heard));
  });
}
