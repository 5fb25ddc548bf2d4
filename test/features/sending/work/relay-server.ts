// A relay on loopback that takes or refuses as a test tells it, with a certificate of its own authority.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";
import { ensureSelfSigned } from "../../../../src/platform/system/self-signed.ts";

export type Taken = {
  readonly from: string;
  readonly to: readonly string[];
  readonly bytes: Buffer;
  readonly secure: boolean;
};

export type RelayServer = {
  readonly port: number;
  readonly taken: readonly Taken[];
  /** How many connections it has had. */
  readonly connections: () => number;
  /** Its certificate is as good as any, until the test ends. */
  readonly trust: () => void;
};

function trust(pair: string): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, readFileSync(pair, "utf8")]);
  onTestFinished(() => setDefaultCACertificates(before));
}

/** Ends with the test that started it. */
export async function startRelay(options: SMTPServerOptions = {}, port = 0): Promise<RelayServer> {
  const folder = mkdtempSync(join(tmpdir(), "assay-relay-"));
  const pair = await ensureSelfSigned(folder, ["localhost"], Date.now());
  const taken: Taken[] = [];
  let connections = 0;
  const server = new SMTPServer({
    key: readFileSync(pair),
    cert: readFileSync(pair),
    authOptional: true,
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      connections++;
      done();
    },
    onData: (stream, { envelope: { mailFrom, rcptTo }, secure }, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const from = mailFrom === false ? "" : mailFrom.address;
        const to = rcptTo.map(({ address }) => address);
        taken.push({ from, to, bytes: Buffer.concat(chunks), secure });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  const listening = server.listen(port, "127.0.0.1");
  await new Promise((resolve) => listening.once("listening", resolve));
  onTestFinished(async () => {
    await new Promise<void>((resolve) => server.close(() => resolve()));
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    port: (listening.address() as AddressInfo).port,
    taken,
    connections: () => connections,
    trust: () => trust(pair),
  };
}
