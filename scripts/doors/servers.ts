// Real mail servers that receive mail by SMTP and hand it to Assay by LMTP, as the handbook's recipes set them up. Each
// runs from its own folder, so the machine's own servers are left alone.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort, greets } from "../ports.ts";
import { postfixProgram, writePostfixFiles } from "../postfix-files.ts";

export type MailServer = { readonly port: number; readonly log: () => string; readonly stop: () => Promise<void> };

type ServerOptions = {
  /** Empty, and removed by the caller. */
  readonly folder: string;
  readonly seedDomain: string;
  /** As in ASSAY_LMTP_LISTEN. */
  readonly lmtp: string;
};

const run = promisify(execFile);
const patienceMs = 30_000;

/** It changes to its own user, which only the superuser may. */
export const hasPostfixServer = existsSync(postfixProgram) && process.getuid?.() === 0;

/** A directory whose sockets belong to that group, as the handbook says. */
export async function makeSocketFolder(path: string, group: string): Promise<void> {
  mkdirSync(path);
  await run("chgrp", [group, path]);
  chmodSync(path, 0o2750);
}

export async function startPostfixServer({ folder, seedDomain, lmtp }: ServerOptions): Promise<MailServer> {
  const port = await findFreePort();
  const next = lmtp.startsWith("unix:") ? `lmtp:${lmtp}` : `lmtp:inet:${lmtp}`;
  const etc = await writePostfixFiles(folder, {
    hostname: "mail.operator.example",
    next: { host: "127.0.0.1", port: 9 },
    settings: {
      transport_maps: `inline:{ ${seedDomain}=${next} }`,
      relay_domains: seedDomain,
      smtpd_relay_restrictions: "reject_unauth_destination",
      // So that the client can be one on the internet.
      smtpd_authorized_xclient_hosts: "127.0.0.1",
      minimal_backoff_time: "1s",
      maximal_backoff_time: "2s",
      queue_run_delay: "1s",
      lmtp_connection_cache_on_demand: "no",
      transport_retry_time: "1s",
    },
    services: [`127.0.0.1:${port} inet n - n - - smtpd`, "lmtp unix - - n - - lmtp", "anvil unix - - n - 1 anvil"],
  });
  const master = spawn(postfixProgram, ["-c", etc, "start-fg"], { stdio: "ignore" });
  const log = () => readText(join(folder, "log"));
  await untilOpen(port, log);
  return {
    port,
    log,
    stop: async () => {
      await run(postfixProgram, ["-c", etc, "abort"]).catch(() => {});
      await end(master);
    },
  };
}

/** `program`: Debian's exim4, also one that was only unpacked. */
export async function startEximServer(
  program: string,
  { folder, seedDomain, lmtp }: ServerOptions,
): Promise<MailServer> {
  const port = await findFreePort();
  for (const name of ["spool", "log"]) mkdirSync(join(folder, name));
  await run("chown", ["-R", "nobody:nogroup", folder]);
  writeFileSync(join(folder, "exim.conf"), toEximSettings({ folder, seedDomain, lmtp }, { program, port }));
  // Its user may not exist on this machine, so it gets its own list of users in its own mount namespace.
  const users = join(folder, "passwd");
  const known = readFileSync("/etc/passwd", "utf8");
  writeFileSync(users, known.includes("Debian-exim:") ? known : `${known}Debian-exim:x:65534:65534::/:/bin/false\n`);
  const groups = join(folder, "group");
  const knownGroups = readFileSync("/etc/group", "utf8");
  writeFileSync(groups, knownGroups.includes("Debian-exim:") ? knownGroups : `${knownGroups}Debian-exim:x:65534:\n`);
  const script = 'mount --bind "$1" /etc/passwd && mount --bind "$2" /etc/group && exec "$3" -C "$4" -bdf -q2s';
  const child = spawn("unshare", ["-m", "sh", "-c", script, "sh", users, groups, program, join(folder, "exim.conf")]);
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2_000);
  });
  const log = () =>
    `${complaint}${readText(join(folder, "log", "mainlog"))}${readText(join(folder, "log", "paniclog"))}`;
  await untilOpen(port, log);
  return { port, log, stop: () => end(child) };
}

function toEximSettings(
  { folder, seedDomain, lmtp }: ServerOptions,
  { program, port }: { readonly program: string; readonly port: number },
): string {
  const [host = "", lmtpPort = ""] = lmtp.split(/:(?=\d+$)/);
  const isSocket = lmtp.startsWith("unix:");
  const router = isSocket
    ? ["driver = accept", `domains = ${seedDomain}`, "transport = assay"]
    : [
        "driver = manualroute",
        `domains = ${seedDomain}`,
        `route_list = * ${host} byname`,
        "self = send",
        "transport = assay",
      ];
  const transport = isSocket
    ? ["driver = lmtp", `socket = ${lmtp.slice("unix:".length)}`, "user = nobody", "group = nogroup", "batch_max = 100"]
    : ["driver = smtp", "protocol = lmtp", `port = ${lmtpPort}`, "allow_localhost"];
  return `primary_hostname = exim.operator.example
exim_path = ${program}
exim_user = nobody
exim_group = nogroup
never_users =
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
pid_file_path = ${folder}/exim.pid
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
host_lookup =
rfc1413_query_timeout = 0s
smtp_accept_max = 200
tls_advertise_hosts =
acl_smtp_rcpt = check_rcpt

begin acl
check_rcpt:
  accept domains = ${seedDomain}
  deny message = relay not permitted

begin routers
seed:
${router.map((line) => `  ${line}`).join("\n")}

begin transports
assay:
${transport.map((line) => `  ${line}`).join("\n")}

begin retry
* * F,1h,2s
`;
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

async function untilOpen(port: number, log: () => string): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(100))
    if (await greets(port)) return;
  throw new Error(`The mail server did not start. ${log().slice(-2_000)}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
