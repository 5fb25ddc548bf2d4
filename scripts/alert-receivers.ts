// Webhook receivers that misbehave in different ways, with a record of what each got and when.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export type Got = { readonly id: string; readonly original: string; readonly at: number };

export type Receiver = {
  readonly url: string;
  readonly got: readonly Got[];
  /** The most requests that were open at one time. */
  readonly mostAtOnce: () => number;
  /** Requests that are open. */
  readonly open: () => number;
  readonly close: () => void;
};

type Behave = (response: ServerResponse, request: IncomingMessage) => void;

/**
 * `elsewhere` is where the redirect leads. The receiver that is gone answers so only once all events are raised: that
 * turns it off, and it gets no later events.
 */
export function behaviours(elsewhere: string, allRaised: Promise<void>): Readonly<Record<string, Behave>> {
  return {
    hangs: () => {},
    "answers 500": (response) => response.writeHead(500).end(),
    resets: (response) => response.socket?.resetAndDestroy(),
    "streams forever": streamForEver,
    "drips headers": (response) => {
      const { socket } = response;
      socket?.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket?.write("X-A: b\r\n"), 200);
      socket?.on("close", () => clearInterval(timer));
    },
    "answers 410": (response) => void allRaised.then(() => response.writeHead(410).end()),
    redirects: (response) => response.writeHead(307, { location: elsewhere }).end(),
    works: (response) => response.writeHead(200).end("thanks"),
  };
}

function streamForEver(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write("x".repeat(1_000)), 20);
  response.on("close", () => clearInterval(timer));
}

export async function startReceiver(behave: Behave): Promise<Receiver> {
  const got: Got[] = [];
  const sockets = new Set<Socket>();
  let open = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    const at = Date.now();
    open += 1;
    most = Math.max(most, open);
    response.on("close", () => {
      open -= 1;
    });
    const text = (await request.toArray()).join("");
    const original = readOriginal(text);
    got.push({ id: String(request.headers["webhook-id"]), original, at });
    behave(response, request);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    got,
    mostAtOnce: () => most,
    open: () => open,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function readOriginal(text: string): string {
  const { data } = JSON.parse(text) as { data?: { bounce?: { originalMessageId?: string } } };
  return data?.bounce?.originalMessageId ?? "";
}
