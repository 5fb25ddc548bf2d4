// Sends messages to a syslog server. The target is the operator's, so private addresses are fine.

import { createSocket, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { createConnection } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { SyslogTarget } from "../settings/setting-kinds.ts";

/** Rejects if the server can't be reached. It never confirms what it got. */
export type SendSyslog = (messages: readonly Uint8Array[]) => Promise<void>;

/** For the whole batch. */
const timeoutMs = 10_000;
/** In which a host says that nothing listens (ICMP). */
const complaintMs = 50;
/** Without pauses the receiver's buffer would overflow. */
const datagramsInARow = 20;

export function createSyslogSender({ protocol, host, port }: SyslogTarget): SendSyslog {
  return protocol === "udp"
    ? (messages) => sendDatagrams(messages, host, port)
    : (messages) => sendStream(messages, host, port);
}

async function sendDatagrams(messages: readonly Uint8Array[], host: string, port: number): Promise<void> {
  const { address, family } = await lookup(host);
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  const { promise: failed, reject } = Promise.withResolvers<never>();
  socket.on("error", reject);
  // Also if no one waits for it any more.
  failed.catch(() => {});
  try {
    await Promise.race([failed, connect(socket, port, address)]);
    for (const [index, message] of messages.entries()) {
      await Promise.race([failed, send(socket, message)]);
      if (index % datagramsInARow === datagramsInARow - 1) await Promise.race([failed, pause(1)]);
    }
    await Promise.race([failed, pause(complaintMs)]);
  } finally {
    socket.close();
  }
}

function connect(socket: Socket, port: number, address: string): Promise<void> {
  return new Promise((resolve) => socket.connect(port, address, resolve));
}

function send(socket: Socket, message: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(message, (error) => (error ? reject(error) : resolve()));
  });
}

async function sendStream(messages: readonly Uint8Array[], host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = createConnection({ host, port, timeout: timeoutMs });
  const deadline = setTimeout(() => socket.destroy(new Error("The server took too long.")), timeoutMs);
  socket.on("timeout", () => socket.destroy(new Error("The server does not respond.")));
  socket.on("error", reject);
  // What it sends is of no interest, but unread it would keep the connection open.
  socket.resume();
  socket.on("connect", () => socket.end(Buffer.concat(messages)));
  socket.on("finish", () => {
    // A server that keeps its side open has still got everything that was written.
    resolve();
  });
  try {
    await promise;
  } finally {
    clearTimeout(deadline);
    socket.setTimeout(0);
    socket.destroySoon();
  }
}
