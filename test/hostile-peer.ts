// A server on loopback that misbehaves in one way. What its protocol begins with (a greeting, a status line) is the peer's
// `opening`, so that it can also misbehave in the middle of an answer.

import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export type Behavior = (socket: Socket, opening: string) => void;

export type HostilePeer = {
  readonly port: number;
  /** What the other side took before it hung up. The kernel's buffers add some megabytes. */
  readonly taken: () => number;
  readonly connections: () => number;
  readonly close: () => void;
};

export async function startHostilePeer(behave: Behavior, opening = ""): Promise<HostilePeer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let taken = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      taken += socket.bytesWritten - socket.writableLength;
      sockets.delete(socket);
    });
    behave(socket, opening);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    taken: () =>
      [...sockets].reduce((sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength, taken),
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A client that never gives up would otherwise take gigabytes from this process. */
const mostPoured = 400_000_000;

/** As much as the other side takes. */
export function pour(socket: Socket, text: string): void {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)), "latin1");
  const more = () => {
    while (socket.bytesWritten < mostPoured && socket.writable) if (!socket.write(chunk)) return;
  };
  socket.on("drain", more);
  more();
}

export function drip(socket: Socket, text: string, everyMs = 20): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ""), everyMs);
  socket.on("close", () => clearInterval(timer));
}

const escapes = "\u001b[2J\u001b]0;owned\u0007\r\n2026-11-29 level=error forged\u0000\u202e\r\n";

/** Each as what a peer does after it accepted a connection. */
export const behaviors = {
  "never answers": (socket) => void socket.resume(),
  "never reads": (socket) => void socket.pause(),
  "sends a byte now and then": (socket) => {
    socket.resume();
    drip(socket, "a");
  },
  "sends a byte now and then in mid-answer": (socket, opening) => {
    socket.resume().write(opening);
    drip(socket, "2");
  },
  "sends a line without end": (socket) => {
    socket.resume();
    pour(socket, "x");
  },
  "sends a line without end in mid-answer": (socket, opening) => {
    socket.resume().write(opening);
    pour(socket, "x");
  },
  "sends blank lines without end": (socket, opening) => {
    socket.resume().write(opening);
    pour(socket, "\r\n");
  },
  "sends lines without end": (socket, opening) => {
    socket.resume().write(opening);
    pour(socket, "250-more: lines\r\n");
  },
  "sends garbage": (socket) => {
    socket.resume();
    socket.end(Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 7919) % 256)));
  },
  "closes at once": (socket) => void socket.resume().end(),
  "resets in mid-answer": (socket, opening) => {
    socket.resume().write(opening, () => socket.resetAndDestroy());
  },
  "closes in mid-answer": (socket, opening) => void socket.resume().end(opening),
  "answers with escape sequences": (socket, opening) => {
    socket.resume().end(`${opening}554 ${escapes}`);
  },
} as const satisfies Readonly<Record<string, Behavior>>;

/** What only an HTTP server can do. `elsewhere`: where a redirect would lead. */
export function httpBehaviors(elsewhere: string): Readonly<Record<string, Behavior>> {
  const answer = (text: string) => (socket: Socket) => void socket.once("data", () => socket.resume().write(text));
  const redirect = (to: string) =>
    answer(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  return {
    "redirects to a metadata service": redirect("http://169.254.169.254/latest/meta-data/"),
    "redirects to another port": redirect(elsewhere),
    "has a wrong status": answer("HTTP/1.1 418 Teapot\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"),
    "announces more than it sends": answer("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nhalf"),
    "sends headers without end": (socket) => {
      socket.resume().write("HTTP/1.1 200 OK\r\n");
      pour(socket, "X-A: 0123456789\r\n");
    },
    "answers with escape sequences in its body": answer(
      `HTTP/1.1 500 Oops\r\nContent-Length: ${Buffer.byteLength(escapes)}\r\nConnection: close\r\n\r\n${escapes}`,
    ),
  };
}
