// A full disk: the sender is asked to retry, nothing is lost, and the same message is accepted once there is space
// again. Runs the server on a small separate file system, which needs root.
// With "directory", only the raw messages are on that disk.
// Usage: node scripts/durability/full-disk.ts [directory]

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { type AssayProcessOptions, runProgram, startAssay } from "../assay-process.ts";
import { openSession } from "../smtp-client.ts";

const diskMegabytes = 48;

async function main(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error("Run this as root, because it mounts a file system.");
  const disk = mkdtempSync(join(tmpdir(), "assay-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMegabytes}m,mode=0700`, "assay", disk]);
  const isOutside = process.argv[2] === "directory";
  const dataDir = isOutside ? mkdtempSync(join(tmpdir(), "assay-data-")) : join(disk, "data");
  const place = isOutside ? { ASSAY_MESSAGES: "directory", ASSAY_MESSAGES_DIR: join(disk, "messages") } : {};
  try {
    await fillAndRecover({ dataDir, environment: { ...place, ASSAY_MIN_FREE_BYTES: "0" } }, disk);
  } finally {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fillAndRecover(place: AssayProcessOptions, disk: string): Promise<void> {
  const { dataDir } = place;
  const ballast = join(disk, "ballast");
  const server = await startAssay(place);
  const session = await openSession(server.smtp);
  const send = (number: number) => {
    // Random characters don't compress.
    const letters = Buffer.from(crypto.getRandomValues(new Uint8Array(50_000))).toString("base64");
    const body = `From: a@sender.example\nSubject: ${number}\n\n${letters.replace(/.{76}/g, "$&\n")}\n`;
    return session.send({ from: `${number}@sender.example`, to: [server.seedAddress], body });
  };
  const taken = new Set<number>();
  let number = 0;
  let reply = await send(number);
  for (
    writeFileSync(ballast, Buffer.alloc(8_000_000));
    reply.startsWith("250") && number < 2_000;
    reply = await send(++number)
  )
    taken.add(number);
  if (!/^4[5]\d /.test(reply)) throw new Error(`With a full disk, the server said: ${reply}`);
  if ((await fetch(`${server.http}/healthz`)).status !== 200)
    throw new Error("With a full disk, /healthz does not return 200.");
  rmSync(ballast);
  const again = await send(number);
  if (!again.startsWith("250")) throw new Error(`With free space again, the server said: ${again}`);
  taken.add(number);
  session.close();
  const left = readdirSync(disk, { recursive: true }).filter((name) => String(name).endsWith(".new"));
  if (left.length > 0) throw new Error(`Unfinished files are left: ${left.join(", ")}.`);
  const checked = await runProgram(place, ["messages", "check"]);
  if (checked.exitCode !== 0) throw new Error(checked.stdout);
  const exit = await server.end("SIGTERM");
  if (exit !== 0) throw new Error(`The server ended with ${exit}.`);
  const database = new Database(join(dataDir, "assay.db"));
  const integrity = database.pragma("integrity_check", { simple: true });
  const kept = database.prepare("select count(*) from tests").pluck().get();
  database.close();
  if (integrity !== "ok" || kept !== taken.size)
    throw new Error(
      `integrity_check: ${String(integrity)}; ${String(kept)} of ${taken.size} messages are there.`,
    );
  console.log(
    `Disk full after ${taken.size - 1} messages: "${reply}". With free space again the same message was accepted; all ${taken.size} are there, integrity_check ok.`,
  );
}

await main();
