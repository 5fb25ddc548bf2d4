// Real servers on loopback that pass mail on, each from a folder of its own: Postfix with aliases, Dovecot with a Sieve
// redirect, Mailman's lists, and formail, which unfolds header fields.

import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import nodemailer from "nodemailer";
import { SMTPServer } from "smtp-server";
import { findFreePort } from "../../../scripts/ports.ts";
import { postfixProgram, writePostfixFiles } from "../../../scripts/postfix-files.ts";

const run = promisify(execFile);
const python = "/usr/bin/python3";
const patienceMs = 10_000;

const needed: Readonly<Record<string, () => boolean>> = {
  postfix: () => existsSync(postfixProgram) && process.getuid?.() === 0,
  "dovecot-lmtpd": () => existsSync("/usr/lib/dovecot/lmtp"),
  "dovecot-sieve": () => existsSync("/usr/lib/dovecot/modules/lib90_sieve_plugin.so"),
  mailman3: () => canImport("mailman"),
  "python3-dkim": () => canImport("dkim"),
  "python3-authres": () => canImport("authres"),
  opendkim: () => spawnSync(python, ["-c", "import ctypes; ctypes.CDLL('libopendkim.so.11')"]).status === 0,
  procmail: () => existsSync("/usr/bin/formail"),
};

function canImport(module: string): boolean {
  return spawnSync(python, ["-c", `import ${module}`]).status === 0;
}

/** Debian's packages that are missing. Postfix also needs root. */
export function findMissing(): string[] {
  return Object.entries(needed).flatMap(([name, isThere]) => (isThere() ? [] : [name]));
}

/** A Python program that answers each line with a line. */
export type Talker = { readonly ask: (job: object) => Promise<unknown>; readonly stop: () => Promise<void> };

export function startTalker(script: string, args: readonly string[]): Talker {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(python, [path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const lines: AsyncIterator<string> = (createInterface({ input: child.stdout }) as Interface)[Symbol.asyncIterator]();
  const next = async () => {
    const line = await lines.next();
    if (line.done) throw new Error(`${script} ended.`);
    return line.value;
  };
  return {
    ask: async (job) => {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      for (;;) {
        const line = await next();
        if (line !== "ready") return JSON.parse(line) as unknown;
      }
    },
    stop: async () => {
      child.stdin.end();
      await ended(child);
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/** Keeps what it gets, by the local part of the recipient. */
class Sink {
  readonly #waiting = new Map<string, (raw: Buffer) => void>();
  readonly #servers: SMTPServer[] = [];

  async listen(hide8BITMIME: boolean): Promise<number> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["AUTH", "STARTTLS"],
      hide8BITMIME,
      hideSMTPUTF8: hide8BITMIME,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          for (const { address } of session.envelope.rcptTo)
            this.#waiting.get(address.split("@")[0] ?? "")?.(Buffer.concat(chunks));
          done();
        });
      },
    });
    this.#servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server.server, "listening");
    return (server.server.address() as AddressInfo).port;
  }

  /** The next message for that local part. */
  async next(localPart: string): Promise<Buffer | null> {
    const arrival = new Promise<Buffer>((resolve) => this.#waiting.set(localPart, resolve));
    return await Promise.race([arrival, pause(patienceMs, null, { ref: false })]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => new Promise<void>((resolve) => server.close(resolve))));
  }
}

export type Servers = {
  /** Null if it did not arrive. */
  readonly throughAlias: (raw: Buffer) => Promise<Buffer | null>;
  readonly throughDowngrade: (raw: Buffer) => Promise<Buffer | null>;
  readonly throughRedirect: (raw: Buffer) => Promise<Buffer | null>;
  /** By the list's name. */
  readonly throughLists: (raw: Buffer) => Promise<Readonly<Record<ListName, Buffer | null>> | null>;
  readonly stop: () => Promise<void>;
};

const listNames = ["list", "list-tag", "list-footer", "list-both"] as const;
type ListName = (typeof listNames)[number];

const sender = "bounce@a.example";

export async function startServers(): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), "assay-forwarding-"));
  chmodSync(folder, 0o755);
  const sink = new Sink();
  const ports = {
    sink: await sink.listen(false),
    old: await sink.listen(true),
    postfix: await findFreePort(),
    dovecot: await findFreePort(),
  };
  const postfix = await startPostfix(join(folder, "postfix"), ports);
  const dovecot = startDovecot(join(folder, "dovecot"), ports);
  mkdirSync(join(folder, "mailman"));
  const mailman = startTalker("lists.py", [join(folder, "mailman"), String(ports.postfix)]);
  for (const port of [ports.postfix, ports.dovecot]) await untilOpen(port);
  let count = 0;
  const pass = async (raw: Buffer, kind: string, domain: string) => {
    const name = `${kind}-${++count}`;
    const arrival = sink.next(name);
    await submit(ports.postfix, `${name}@${domain}`, raw);
    return await arrival;
  };
  return {
    throughAlias: (raw) => pass(raw, "alias", "forwarder.example"),
    throughDowngrade: (raw) => pass(raw, "down", "forwarder.example"),
    throughRedirect: (raw) => pass(raw, "sieve", "sieve.example"),
    throughLists: async (raw) => {
      // Mail reaches Mailman from Postfix.
      const arrived = await pass(raw, "alias", "forwarder.example");
      if (arrived === null) return null;
      const file = join(folder, "message.eml");
      writeFileSync(file, arrived);
      const waiting = listNames.map(async (name) => [name, await sink.next(name)] as const);
      const status = await mailman.ask({ from: sender, file });
      if (!String(status).startsWith("250")) return null;
      return Object.fromEntries(await Promise.all(waiting)) as Record<ListName, Buffer | null>;
    },
    stop: async () => {
      await mailman.stop();
      dovecot.kill("SIGTERM");
      await run(postfixProgram, ["-c", postfix.etc, "abort"]).catch(() => {});
      await Promise.all([ended(dovecot), ended(postfix.master)]);
      await sink.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Declares 8-bit text, as a server does. */
async function submit(port: number, to: string, raw: Buffer): Promise<void> {
  const message = raw.toString("latin1");
  const isEightBit = /[\x80-\xff]|^content-transfer-encoding: *8bit/im.test(message);
  const transport = nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  await transport.sendMail({ envelope: { from: sender, to, use8BitMime: isEightBit }, raw });
  transport.close();
}

type Ports = { readonly sink: number; readonly old: number; readonly postfix: number; readonly dovecot: number };

async function startPostfix(
  folder: string,
  ports: Ports,
): Promise<{ readonly etc: string; readonly master: ChildProcess }> {
  mkdirSync(folder);
  writeFileSync(
    join(folder, "aliases"),
    "/^(alias-[0-9]+)@forwarder\\.example$/ $1@sink.example\n/^(down-[0-9]+)@forwarder\\.example$/ $1@old.example\n",
  );
  writeFileSync(
    join(folder, "transports"),
    `/@old\\.example$/ smtp:[127.0.0.1]:${ports.old}\n/@sieve\\.example$/ lmtp:inet:127.0.0.1:${ports.dovecot}\n`,
  );
  const etc = await writePostfixFiles(folder, {
    hostname: "forwarder.example",
    next: { host: "127.0.0.1", port: ports.sink },
    settings: {
      virtual_alias_domains: "forwarder.example",
      virtual_alias_maps: `regexp:${join(folder, "aliases")}`,
      transport_maps: `regexp:${join(folder, "transports")}`,
      smtpd_relay_restrictions: "permit_mynetworks, reject",
      // As for clients elsewhere: no field of a stranger's message is completed.
      local_header_rewrite_clients: "",
    },
    services: [
      `127.0.0.1:${ports.postfix} inet n - n - - smtpd`,
      "anvil unix - - n - 1 anvil",
      "lmtp unix - - n - - lmtp",
    ],
  });
  return { etc, master: spawn(postfixProgram, ["-c", etc, "start-fg"], { stdio: "ignore" }) };
}

function startDovecot(folder: string, ports: Ports): ChildProcess {
  mkdirSync(folder);
  const home = join(folder, "home");
  mkdirSync(home);
  chmodSync(home, 0o777);
  const script = join(folder, "redirect.sieve");
  writeFileSync(
    script,
    `require ["variables", "envelope"];\nif envelope :matches "to" "*@*" { redirect "\${1}@sink.example"; }\n`,
  );
  writeFileSync(
    join(folder, "dovecot.conf"),
    `protocols = lmtp
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = no
listen = 127.0.0.1
mail_location = maildir:${home}/%u
submission_host = 127.0.0.1:${ports.postfix}
hostname = sieve.example
postmaster_address = postmaster@sieve.example
passdb {
  driver = static
  args = nopassword=y
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${home}/%u allow_all_users=yes
}
protocol lmtp {
  mail_plugins = sieve
}
plugin {
  sieve = file:${script}
}
service lmtp {
  inet_listener lmtp {
    port = ${ports.dovecot}
  }
}
`,
  );
  return spawn("/usr/sbin/dovecot", ["-F", "-c", join(folder, "dovecot.conf")], { stdio: "ignore" });
}

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port });
      const settle = (isThere: boolean) => {
        socket.destroy();
        resolve(isThere);
      };
      socket.on("error", () => settle(false)).on("connect", () => settle(true));
    });
    if (isOpen) return;
    await pause(100);
  }
  throw new Error(`Nothing listens on port ${port}.`);
}

/** `formail -c`: each field on one line. */
export function unfoldWithFormail(raw: Buffer): Buffer {
  const input = raw.toString("latin1").replaceAll("\r\n", "\n");
  const { stdout, status } = spawnSync("/usr/bin/formail", ["-f", "-b", "-c"], { input: Buffer.from(input, "latin1") });
  if (status !== 0) throw new Error(`formail ended with ${status}`);
  return Buffer.from(stdout.toString("latin1").replaceAll("\n", "\r\n"), "latin1");
}
