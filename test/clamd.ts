// A real ClamAV on loopback, of Debian's package `clamav-daemon`, as an ordinary user in a folder of its own. Its only
// signature is that of the EICAR test file, because the real ones have to be downloaded.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { crc32, deflateRawSync } from "node:zlib";
import type { SocketAddress } from "../src/analyzer/addresses.ts";

/** In two pieces, so that a scanner of this repository doesn't take the file for malware. */
export const eicar = Buffer.from(
  ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$", "EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].join(""),
);

export type Clamd = {
  readonly socket: SocketAddress;
  readonly tcp: SocketAddress;
  readonly kill: () => Promise<void>;
  /** Until then, it accepts connections and says nothing. */
  readonly freeze: () => void;
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

const program = "/usr/sbin/clamd";
export const hasClamd = existsSync(program);
const patienceMs = 30_000;

export async function startClamd(settings: readonly string[] = []): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), "assay-clamd-"));
  const database = join(folder, "database");
  mkdirSync(database);
  writeFileSync(join(database, "own.ndb"), `Eicar-Test-Signature:0:*:${eicar.toString("hex")}\n`);
  const port = await findPort();
  const path = join(folder, "clamd.ctl");
  const config = join(folder, "clamd.conf");
  const lines = [
    "Foreground yes",
    `DatabaseDirectory ${database}`,
    `TemporaryDirectory ${folder}`,
    `LocalSocket ${path}`,
    `TCPSocket ${port}`,
    "TCPAddr 127.0.0.1",
    ...settings,
  ];
  writeFileSync(config, `${lines.join("\n")}\n`);
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if ("uid" in user) for (const each of [folder, database]) chownSync(each, nobody, nobody);
  chmodSync(folder, 0o755);
  const child = spawn(program, ["-c", config], { stdio: ["ignore", "pipe", "pipe"], ...user });
  const endWithUs = () => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(String(chunk)));
  const stop = async () => {
    process.off("exit", endWithUs);
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilUp(child, path, port);
  } catch (error) {
    await stop();
    throw new Error(`clamd didn't start: ${said.join("")}`, { cause: error });
  }
  return {
    socket: { path },
    tcp: { host: "127.0.0.1", port },
    kill: () => end(child),
    freeze: () => void child.kill("SIGSTOP"),
    wake: () => void child.kill("SIGCONT"),
    stop,
  };
}

const nobody = 65_534;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function untilUp(child: ChildProcess, path: string, port: number): Promise<void> {
  for (let waited = 0; waited < patienceMs; waited += 50) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    if (existsSync(path) && (await takesConnections(port))) return;
    await pause(50);
  }
  throw new Error("didn't listen in time");
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port });
  return (await new Promise((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).finally(() => socket.destroy())) as boolean;
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** A ZIP archive with the file compressed, so that nothing is found in it without unpacking. */
export function toZip(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const about = Buffer.alloc(26);
  about.writeUInt16LE(20, 0);
  about.writeUInt16LE(8, 4);
  about.writeUInt32LE(crc32(content), 10);
  about.writeUInt32LE(packed.length, 14);
  about.writeUInt32LE(content.length, 18);
  about.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), about, Buffer.from(name), packed]);
  const central = Buffer.concat([
    Buffer.from("PK\u0001\u0002"),
    Buffer.from([20, 0]),
    about,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
