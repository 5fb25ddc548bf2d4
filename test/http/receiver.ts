// Something on loopback that webhooks are sent to, which keeps what it got.

import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Receiver = {
  readonly port: number;
  readonly url: string;
  readonly received: readonly Received[];
  /** How often somebody connected, whatever came of it. */
  readonly connections: () => number;
};

export type ReceiverAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Ends with the test that started it. `answer` never resolves: it hangs. */
export async function startReceiver(
  answer: (received: Received) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({ status: 200 }),
  { host = "127.0.0.1", port: wanted = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join("");
    const headers = request.headers as Record<string, string>;
    const one = { method: request.method ?? "", path: request.url ?? "", headers, body };
    received.push(one);
    const { status, headers: answered = {}, body: text = "" } = await answer(one);
    response.writeHead(status, answered).end(text);
  });
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(wanted, host, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}/hook`;
  return { port, url, received, connections: () => connections };
}
