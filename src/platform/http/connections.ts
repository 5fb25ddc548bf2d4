// Tracks open connections and the answers each is owed, so that stopping can tell idle ones from busy ones. Node's own
// closeIdleConnections skips connections that haven't sent anything yet.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

export type Connections = {
  /**
   * Resolves when all earlier requests on the same connection are answered, because answers must be sent in order.
   * False: the connection is closed, perhaps because it was owed too many answers.
   */
  readonly awaitTurn: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  readonly hasBegunAnswer: (socket: Duplex) => boolean;
  /** Resolves when all complete requests are answered. An earlier answer would be taken for that of another request. */
  readonly wholeRequestsAnswered: (socket: Duplex) => Promise<unknown>;
  /** Closes the server: idle connections at once, busy ones when they are answered, all at the deadline. */
  readonly end: (deadlineMs: number) => Promise<void>;
};

/**
 * Per connection whose client pipelines requests. Node keeps reading and stores each unanswered request, so only
 * closing the connection limits its memory.
 */
const mostOwed = 32;

type Connection = {
  readonly owed: Set<ServerResponse>;
  /** In order of arrival. */
  readonly waiting: (() => void)[];
};

/** `lingerMs`: how long to keep reading an unwanted body, so that its sender can read the error. */
export function followConnections(server: Server, lingerMs: number): Connections {
  const open = new Map<Duplex, Connection>();
  const owedOn = (socket: Duplex) => [...(open.get(socket)?.owed ?? [])];
  let ending = false;
  // With TLS, requests arrive on a different socket than the accepted one.
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
