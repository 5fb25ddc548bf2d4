// Assay with a DNS zone of its own, reached as from public addresses: a small proxy names the client's address, so that SPF,
// reverse DNS, and alignment are judged as in production.

import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type AssayProcess, startAssay } from "../../../scripts/assay-process.ts";
import { makeToken } from "../../../scripts/first-message.ts";
import type { Port } from "../../../scripts/real-clients/swaks.ts";
import type { Zone } from "../../../src/analyzer/dns/zone.ts";
import type { Rehearsal } from "../../../src/features/rehearsal/contract.ts";
import { startDnsServer } from "../../dns-server.ts";
import { lists } from "../../fixtures/messages/sender.ts";

export type RehearsalWorld = {
  readonly folder: string;
  readonly server: AssayProcess;
  readonly setZone: (zone: Zone) => void;
  /** An address of the workspace, with this after the plus sign. */
  readonly toAddress: (label: string) => string;
  /** A port that reaches Assay as this client. */
  readonly openAs: (clientAddress: string) => Promise<Port>;
  readonly get: (path: string) => Promise<Json>;
  readonly patchWorkspace: (body: object) => Promise<void>;
  /** The rehearsal of the newest test at an address. */
  readonly read: (address: string) => Promise<Rehearsal | null>;
  /** Waits until that holds. Throws with the last state if it doesn't within that time. */
  readonly until: (address: string, holds: (rehearsal: Rehearsal) => boolean, withinMs?: number) => Promise<Rehearsal>;
  readonly close: () => Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: answers of the API, checked by what reads them.
type Json = any;

const receiverName = "mx.seed.example";

export async function openRehearsalWorld(command: readonly string[]): Promise<RehearsalWorld> {
  const folder = mkdtempSync(join(tmpdir(), "assay-rehearsal-"));
  // Postfix's user must be able to enter it.
  chmodSync(folder, 0o755);
  // Each message has its own zone, so nothing may be kept from the last one.
  const dns = await startDnsServer({ zone: {}, behave: () => ({ ttlSeconds: 0 }) });
  const dataDir = join(folder, "data");
  const environment = {
    ...dns.settings,
    ASSAY_SMTP_PROXY_FROM: "127.0.0.0/8",
    ASSAY_SMTP_HOSTNAME: receiverName,
    ASSAY_SEED_DOMAINS: "seed.example",
    ASSAY_DNSBLS: lists.join(","),
    ASSAY_MIN_FREE_BYTES: "0",
  };
  const program = { dataDir, environment, command };
  const server = await startAssay(program);
  const { token, workspaceId } = makeToken(program);
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId };
  const get = async (path: string): Promise<Json> => (await fetch(server.http + path, { headers })).json();
  const read = async (address: string): Promise<Rehearsal | null> => {
    const label = address.slice(address.indexOf("+") + 1, address.indexOf("@"));
    const { items } = await get(`/api/tests?label=${encodeURIComponent(label)}`);
    return items.length === 0 ? null : (await get(`/api/tests/${items[0].id}/rehearsal`)).rehearsal;
  };
  const forwarders: Server[] = [];
  return {
    folder,
    server,
    setZone: dns.setZone,
    toAddress: (label) => server.seedAddress.replace("@", `+${label}@`),
    openAs: async (clientAddress) => {
      const forwarder = startForwarder(clientAddress, server.smtp);
      forwarders.push(forwarder);
      await once(forwarder, "listening");
      return { host: "127.0.0.1", port: (forwarder.address() as AddressInfo).port };
    },
    get,
    patchWorkspace: async (body) => {
      const answer = await fetch(`${server.http}/api/workspaces/${workspaceId}`, {
        method: "PATCH",
        body: JSON.stringify(body),
        headers: { ...headers, "content-type": "application/json" },
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
    read,
    until: async (address, holds, withinMs = 120_000) => {
      const deadline = Date.now() + withinMs;
      for (;;) {
        const rehearsal = await read(address);
        if (rehearsal !== null && holds(rehearsal)) return rehearsal;
        if (Date.now() > deadline)
          throw new Error(`${address}: not as expected in time. ${JSON.stringify(rehearsal, null, 1)}`);
        await pause(200);
      }
    },
    close: async () => {
      for (const forwarder of forwarders) forwarder.close();
      await server.end("SIGTERM");
      await dns.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function makeFolder(world: RehearsalWorld, name: string): string {
  // A test that is tried again needs another folder.
  const folder = mkdtempSync(join(world.folder, `${name}-`));
  // Postfix has its own user.
  chmodSync(folder, 0o755);
  return folder;
}

/** Passes everything on, after a PROXY header. */
function startForwarder(clientAddress: string, { host, port }: Port): Server {
  return createServer((socket) => {
    const upstream = connect({ host, port });
    upstream.write(`PROXY TCP4 ${clientAddress} 203.0.113.99 ${socket.remotePort} 25\r\n`);
    socket.pipe(upstream).pipe(socket);
    socket.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
    upstream.on("error", () => socket.destroy()).on("close", () => socket.destroy());
  }).listen(0, "127.0.0.1");
}
