// Which connections are open and which answers each is owed, so that stopping can tell the idle from the busy: Node's
// own closeIdleConnections leaves those alone that have sent nothing yet.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

export type Connections = {
  /**
   * Resolves when all that was asked before on its connection is answered: answers go out in that order, so that they would
   * only be kept. False: the connection is no more, perhaps because it was owed too many.
   */
  readonly awaitTurn: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  readonly hasBegunAnswer: (socket: Duplex) => boolean;
  /** Resolves when what was asked whole is answered: said before that, an answer would be taken for another's. */
  readonly wholeRequestsAnswered: (socket: Duplex) => Promise<unknown>;
  /** Closes the server: idle connections at once, busy ones when they are answered, all of them at the deadline. */
  readonly end: (deadlineMs: number) => Promise<void>;
};

/**
 * On one connection, whose client sends requests without waiting for answers. Node reads on meanwhile, and keeps each that
 * is not answered, so that nothing but the connection's end bounds what a stranger makes it keep.
 */
const mostOwed = 32;

type Connection = {
  readonly owed: Set<ServerResponse>;
  /** In the order in which they came. */
  readonly waiting: (() => void)[];
};

/** `lingerMs`: how long the rest of a body that nobody wants is taken in, so that its sender can read why. */
export function followConnections(server: Server, lingerMs: number): Connections {
  const open = new Map<Duplex, Connection>();
  const owedOn = (socket: Duplex) => [...(open.get(socket)?.owed ?? [])];
  let ending = false;
  // Over TLS, requests come on another socket than the one that was accepted.
  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    const connection: Connection = { owed: new Set(), waiting: [] };
    open.set(socket, connection);
    socket.once("close", () => {
      open.delete(socket);
      for (const begin of connection.waiting) begin();
    });
  });
  return {
    awaitTurn: async (request, response) => {
      const { socket } = request;
      const connection = open.get(socket);
      if (connection === undefined || connection.owed.size >= mostOwed) {
        socket.destroy();
        return false;
      }
      const { owed, waiting } = connection;
      response.once("finish", () => lingerOver(request, lingerMs));
      response.once("close", () => {
        owed.delete(response);
        waiting.shift()?.();
        if (ending && owed.size === 0) socket.end();
      });
      owed.add(response);
      if (owed.size > 1) await new Promise<void>((begin) => waiting.push(begin));
      return !socket.destroyed;
    },
    hasBegunAnswer: (socket) => owedOn(socket).some((response) => response.headersSent),
    wholeRequestsAnswered: (socket) => {
      const whole = owedOn(socket).filter((response) => response.req.complete);
      return Promise.all(whole.map((response) => new Promise((resolve) => response.once("close", resolve))));
    },
    end: async (deadlineMs) => {
      ending = true;
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const deadline = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy();
        resolve();
      }, deadlineMs);
      server.close(() => resolve());
      for (const [socket, { owed }] of open) if (owed.size === 0) socket.destroy();
      await over;
      clearTimeout(deadline);
    },
  };
}

function lingerOver(request: IncomingMessage, lingerMs: number): void {
  if (request.complete) return;
  request.resume();
  const timer = setTimeout(() => request.complete || request.socket.destroy(), lingerMs);
  request.once("close", () => clearTimeout(timer));
}
