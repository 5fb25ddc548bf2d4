// Debian's Postfix as the sending MTA: a master process, a configuration and a queue of its own in a folder of its own.
// The machine's own Postfix, its configuration and its queue are left alone.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasBareCr, hasBareLf, type RealClient, toUnixLines } from "./letters.ts";
import { runProgram } from "./program.ts";
import type { Port } from "./swaks.ts";

const program = "/usr/sbin/postfix";
const sendmail = "/usr/sbin/sendmail";

/** No service that listens: messages come in by the drop folder. None in a chroot, which would want its files copied. */
const services = `
pickup    unix  n  -  n  1     1  pickup
cleanup   unix  n  -  n  -     0  cleanup
qmgr      unix  n  -  n  5     1  qmgr
tlsmgr    unix  -  -  n  1000? 1  tlsmgr
rewrite   unix  -  -  n  -     -  trivial-rewrite
bounce    unix  -  -  n  -     0  bounce
defer     unix  -  -  n  -     0  bounce
trace     unix  -  -  n  -     0  bounce
flush     unix  n  -  n  1000? 0  flush
proxymap  unix  -  -  n  -     -  proxymap
smtp      unix  -  -  n  -     -  smtp
relay     unix  -  -  n  -     -  smtp
error     unix  -  -  n  -     -  error
retry     unix  -  -  n  -     -  error
discard   unix  -  -  n  -     -  discard
scache    unix  -  -  n  -     1  scache
postlog   unix-dgram n - n -   1  postlogd
`;

function settings(folder: string, { host, port }: Port): string {
  return Object.entries({
    compatibility_level: "3.6",
    queue_directory: join(folder, "queue"),
    data_directory: join(folder, "state"),
    command_directory: "/usr/sbin",
    daemon_directory: "/usr/lib/postfix/sbin",
    mail_owner: "postfix",
    setgid_group: "postdrop",
    maillog_file: join(folder, "log"),
    maillog_file_prefixes: folder,
    myhostname: "client.example",
    mydestination: "",
    local_recipient_maps: "",
    alias_maps: "",
    alias_database: "",
    inet_interfaces: "loopback-only",
    inet_protocols: "ipv4",
    relayhost: `[${host}]:${port}`,
    smtp_dns_support_level: "disabled",
    smtp_host_lookup: "native",
    smtp_tls_security_level: "may",
    // Else it folds them, and the body is another.
    smtp_line_length_limit: "0",
  })
    .map(([name, value]) => `${name} = ${value}\n`)
    .join("");
}

/** `folder`: empty, and to be entered by the user that Postfix runs as. */
export async function startPostfix(name: string, folder: string, server: Port): Promise<RealClient> {
  const lack = findLack();
  const master = lack === null ? await startMaster(folder, server) : null;
  const configuration = join(folder, "etc");
  return {
    name,
    findLack: () => lack,
    // A bare CR becomes a space.
    carries: (letter) => !hasBareLf(letter) && !hasBareCr(letter),
    addsHeader: true,
    send: (letter, { from, to }) =>
      runProgram(sendmail, ["-C", configuration, "-i", "-f", from, "--", to], toUnixLines(letter)),
    end: async () => {
      if (master === null) return;
      const ended = once(master, "exit");
      await runProgram(program, ["-c", configuration, "stop"], Buffer.alloc(0));
      await ended;
    },
  };
}

function findLack(): string | null {
  if (!existsSync(program)) return "Debian's package postfix";
  return process.getuid?.() === 0 ? null : "the superuser's rights";
}

async function startMaster(folder: string, server: Port): Promise<ChildProcess> {
  const configuration = join(folder, "etc");
  for (const name of ["etc", "queue", "state"]) mkdirSync(join(folder, name));
  writeFileSync(join(configuration, "main.cf"), settings(folder, server));
  writeFileSync(join(configuration, "master.cf"), services);
  await runProgram("chown", ["postfix", join(folder, "state")], Buffer.alloc(0));
  const master = spawn(program, ["-c", configuration, "start-fg"], { stdio: "ignore" });
  const pidFile = join(folder, "queue", "pid", "master.pid");
  for (const deadline = Date.now() + 20_000; !existsSync(pidFile); await sleep(100)) {
    if (master.exitCode !== null || Date.now() > deadline)
      throw new Error(`Postfix did not start: ${readLog(folder)}`);
  }
  return master;
}

function readLog(folder: string): string {
  const file = join(folder, "log");
  return existsSync(file) ? readFileSync(file, "utf8").slice(-2_000) : "it wrote no log";
}
