// Refusals for what never gets as far as the application, in the same form as its own.

import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { Refusal } from "../errors.ts";
import { type ErrorAnswer, toErrorAnswer } from "./errors.ts";
import { securityHeaders } from "./headers.ts";

export function refuse(response: ServerResponse, refusal: Refusal, requestId?: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const answer = toErrorAnswer(refusal, requestId);
  response.writeHead(answer.status, headersOf(answer)).end(answer.body);
}

/** Where there is no request, only bytes that are none. */
export function refuseOnSocket(socket: Duplex, message: string): void {
  socket.on("error", () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const answer = toErrorAnswer(new Refusal("invalid_request", message));
  const lines = Object.entries(headersOf(answer)).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join("")}\r\n`;
  socket.end(head + answer.body, () => socket.destroy());
}

/** The connection ends with it: what else it carries cannot be told apart from what was refused. */
function headersOf({ headers, body }: ErrorAnswer): Record<string, string> {
  return {
    ...headers,
    ...securityHeaders({ secure: false, path: "" }),
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
}
