// The sender that is rehearsed: Postfix with a short queue.

import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { startPostfix } from "../../../scripts/real-clients/postfix.ts";
import { makeFolder, type RehearsalWorld } from "./world.ts";

export type Mail = { readonly from: string; readonly to: string; readonly bytes: Buffer };

export type Sender = {
  /** Hands it over once. A failure is the sender's own affair. */
  readonly send: (mail: Mail) => Promise<void>;
  readonly logFile: string;
  readonly end: () => Promise<void>;
};

export type Home = {
  readonly port: number;
  /** What came home, newest last. */
  readonly bounces: readonly string[];
  readonly close: () => Promise<void>;
};

/** Takes the bounces. */
export async function startHome(): Promise<Home> {
  const bounces: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        bounces.push(Buffer.concat(chunks).toString("latin1"));
        done();
      });
    },
  });
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  return { port, bounces, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Retries after a second or two, where Postfix usually waits five minutes. */
const hastyQueue = {
  minimal_backoff_time: "1s",
  maximal_backoff_time: "2s",
  queue_run_delay: "1s",
  default_destination_concurrency_failed_cohort_limit: "100",
  smtp_helo_name: "mail.a.example",
};

type PostfixTerms = { readonly name: string; readonly clientAddress: string; readonly home: Home | null };

export async function startQueue(world: RehearsalWorld, { name, clientAddress, home }: PostfixTerms): Promise<Sender> {
  const folder = makeFolder(world, name);
  const port = await world.openAs(clientAddress);
  // Beside its folder, which must be empty.
  const transports = `${folder}.transports`;
  const toReceiver = `/@seed\\.example$/ smtp:[${port.host}]:${port.port}`;
  writeFileSync(transports, `${toReceiver}\n/@/ smtp:[127.0.0.1]:${home?.port ?? port.port}\n`);
  const client = await startPostfix(name, folder, port, {
    ...hastyQueue,
    ...(home !== null && { transport_maps: `regexp:${transports}` }),
  });
  return {
    send: ({ bytes, ...envelope }) => client.send({ name, bytes }, envelope),
    logFile: join(folder, "log"),
    end: async () => await client.end?.(),
  };
}
