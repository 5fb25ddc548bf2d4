// Knocks at a port of this machine to learn who is behind it. Only for the doctor: the certificate is not judged,
// because the name by which we knock (an address) is in none.

import { connect, createServer, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export type ProbedPort = {
  readonly host: string;
  readonly port: number;
  readonly tls?: boolean;
  /** What to say first; a server that greets needs nothing. */
  readonly say?: string;
};

export type ProbeOutcome =
  | { readonly state: "answered"; readonly firstLine: string }
  | { readonly state: "silent" }
  | { readonly state: "closed" };

const patienceMs = 2_000;
const maxLineLength = 512;

/** Never rejects. "silent": somebody took the connection and said nothing; "closed": nobody took it. */
export function probePort({ host, port, tls, say }: ProbedPort): Promise<ProbeOutcome> {
  return new Promise((resolve) => {
    const socket: Socket = tls
      ? connectTls({ host, port, rejectUnauthorized: false })
      : connect({ host, port });
    let taken = false;
    let heard = "";
    const end = (outcome: ProbeOutcome) => {
      socket.destroy();
      resolve(outcome);
    };
    const giveUp = () => end({ state: taken ? "silent" : "closed" });
    const timer = setTimeout(giveUp, patienceMs);
    socket.on("connect", () => {
      taken = true;
    });
    socket.on(tls ? "secureConnect" : "connect", () => say && socket.write(say));
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1");
      const [firstLine = "", rest] = heard.split(/\r?\n/, 2);
      if (rest !== undefined || heard.length > maxLineLength)
        end({ state: "answered", firstLine: firstLine.slice(0, maxLineLength) });
    });
    socket.on("error", giveUp);
    socket.on("close", () => {
      clearTimeout(timer);
      giveUp();
    });
  });
}

/** Could we listen there? Null when we could, else the system's error code. */
export function tryBind(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
