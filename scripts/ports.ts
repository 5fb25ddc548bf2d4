// Ports of the programs that the proofs and benchmarks start on loopback.

import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/** Free when this resolves. All different. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}

export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}

export function isOpen(port: number): Promise<boolean> {
  return tryPort(port, "connect");
}

/** A mail server says something first. */
export function greets(port: number): Promise<boolean> {
  return tryPort(port, "data");
}

function tryPort(port: number, sign: "connect" | "data"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on(sign, () => answer(true)).on("error", () => answer(false));
  });
}
