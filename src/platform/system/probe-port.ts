// Connects to a port of this machine to learn which program uses it. Only for the server check. The certificate is not
// verified, because no certificate contains the IP address that we connect to.

import { connect, createServer } from "node:net";
import { connect as connectTls } from "node:tls";

export type ProbedPort = {
  readonly host: string;
  readonly port: number;
  readonly tls?: boolean;
  /** What to send first. Not needed for a server that greets. */
  readonly say?: string;
};

export type ProbeOutcome =
  | { readonly state: "answered"; readonly firstLine: string }
  | { readonly state: "silent" }
  | { readonly state: "closed" };

const patienceMs = 2_000;
const maxLineLength = 512;

/** Never rejects. "silent": the connection was accepted, but nothing was sent. "closed": it was not accepted. */
export function probePort({ host, port, tls, say }: ProbedPort): Promise<ProbeOutcome> {
  const socket = tls ? connectTls({ host, port, rejectUnauthorized: false }) : connect({ host, port });
  return new Promise((resolve) => {
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

/** Whether we could listen there. Null: yes. Otherwise the system's error code. */
export function tryBind(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
