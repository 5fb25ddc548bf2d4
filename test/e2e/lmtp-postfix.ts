// A real Postfix that receives mail by SMTP and hands it to Assay by LMTP, as the handbook's recipe sets it up. It runs
// from its own folder, so the machine's own is left alone.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort, greets } from "../../scripts/ports.ts";
import { postfixProgram, writePostfixFiles } from "../../scripts/postfix-files.ts";

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
