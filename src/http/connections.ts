// Which connections are open and which answers each is owed, so that stopping can tell the idle from the busy: Node's
// own closeIdleConnections leaves those alone that have sent nothing yet.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

export type Connections = {
  /** False: its connection was owed too many answers already, and is no more. */
  readonly noteRequest: (request: IncomingMessage, response: ServerResponse) => boolean;
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

/** `lingerMs`: how long the rest of a body that nobody wants is taken in, so that its sender can read why. */
export function followConnections(server: Server, lingerMs: number): Connections {
  const owedOn = new Map<Duplex, Set<ServerResponse>>();
  let ending = false;
  // Over TLS, requests come on another socket than the one that was accepted.
  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    owedOn.set(socket, new Set());
    socket.once("close", () => owedOn.delete(socket));
  });
  return {
    noteRequest: (request, response) => {
      const { socket } = request;
      const owed = owedOn.get(socket);
      if (socket.destroyed || (owed && owed.size >= mostOwed)) {
        socket.destroy();
        return false;
      }
      owed?.add(response);
      response.once("finish", () => lingerOver(request, lingerMs));
      response.once("close", () => {
        owed?.delete(response);
        if (ending && owed?.size === 0) socket.end();
      });
      return true;
    },
    hasBegunAnswer: (socket) => [...(owedOn.get(socket) ?? [])].some((response) => response.headersSent),
    wholeRequestsAnswered: (socket) => {
      const whole = [...(owedOn.get(socket) ?? [])].filter((response) => response.req.complete);
      return Promise.all(whole.map((response) => new Promise((resolve) => response.once("close", resolve))));
    },
    end: async (deadlineMs) => {
      ending = true;
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const deadline = setTimeout(() => {
        for (const socket of owedOn.keys()) socket.destroy();
        resolve();
      }, deadlineMs);
      server.close(() => resolve());
      for (const [socket, owed] of owedOn) if (owed.size === 0) socket.destroy();
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
