// Debian's Postfix as a relay that wants a log-in and offers STARTTLS, with Dovecot to know the password: each with a
// folder, a configuration and a queue of its own. The machine's own, if it runs one, is left alone.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort } from "../scripts/ports.ts";
import { postfixProgram, writePostfixFiles } from "../scripts/postfix-files.ts";
import { createSelfSigned } from "../src/platform/system/self-signed.ts";

export type PostfixOptions = {
  /** Where it hands on what it has taken. */
  readonly next: { readonly host: string; readonly port: number };
  readonly port: number;
  /** What stands in a regexp table of transports: `/pattern/ error:5.1.1 gone`. */
  readonly transports?: string;
  /** Mail for these addresses is put into the Maildirs of Dovecot's users (`homes`). */
  readonly mailboxes?: { readonly homes: string; readonly users: Readonly<Record<string, string>> };
};

export type Postfix = {
  /** A relay like the first, with settings of its own. */
  readonly others: Readonly<Record<Other, number>>;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
};

export const login = { user: "ann", password: "s3cret/word" };
export const loginInUrl = `${login.user}:${encodeURIComponent(login.password)}`;

const programs = [postfixProgram, "/usr/sbin/dovecot"];
const patienceMs = 20_000;
const run = promisify(execFile);

/** It changes to users of its own, which the superuser alone may. */
export const hasPostfix = programs.every((path) => existsSync(path)) && process.getuid?.() === 0;

/** Ports that listen beside the first, each for one refusal. */
const otherSettings = {
  sender: "-o smtpd_delay_reject=no -o { smtpd_sender_restrictions = check_sender_access regexp:SENDERS }",
  recipient: "-o { smtpd_recipient_restrictions = check_recipient_access regexp:RECIPIENTS }",
  size: "-o message_size_limit=2000",
} as const;
type Other = keyof typeof otherSettings;

export type Certificate = { readonly file: string; readonly cert: string; readonly key: string };

/** For "localhost"; who trusts the file trusts the relay. */
export function makeCertificate(folder: string): Certificate {
  const pair = createSelfSigned(["localhost"], Date.now());
  const file = join(folder, "relay.pem");
  writeFileSync(file, pair.cert);
  return { file, ...pair };
}

export async function startPostfix(
  { next, port, transports = "", mailboxes }: PostfixOptions,
  certificate: Certificate,
): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), "assay-postfix-"));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "dovecot"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const names = Object.keys(otherSettings) as Other[];
  const ports = await Promise.all(names.map(findFreePort));
  const others = Object.fromEntries(names.map((name, index) => [name, ports[index] ?? 0])) as Record<Other, number>;
  write("pair.pem", certificate.key + certificate.cert);
  write("senders", "/./ 550 5.7.1 Nobody sends from there\n");
  write("recipients", "/./ 550 5.1.1 No such user here\n");
  write("transports", `${transports}\n`);
  const users = Object.entries(mailboxes?.users ?? {});
  write("mailboxes", users.map(([address, user]) => `${address} ${user}/Maildir/\n`).join(""));
  write("users", `${login.user}:{PLAIN}${login.password}\n`);
  write("dovecot.conf", dovecotSettings(folder));
  const etc = await writePostfixFiles(folder, {
    hostname: "relay.example",
    next,
    settings: { ...toSettings(folder), ...toMailboxSettings(folder, mailboxes) },
    services: toServices(folder, port, others),
  });
  const dovecot = spawn("/usr/sbin/dovecot", ["-F", "-c", join(folder, "dovecot.conf")], { stdio: "ignore" });
  const master = spawn(postfixProgram, ["-c", etc, "start-fg"], { stdio: "ignore" });
  const log = () =>
    ["log", "dovecot.log"]
      .map((name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : ""))
      .join("\n");
  const stop = async () => {
    await run(postfixProgram, ["-c", etc, "abort"]).catch(() => {});
    await Promise.all([end(master), end(dovecot)]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilUp([port, ...ports], join(folder, "auth"));
  } catch {
    const words = log().slice(-3_000);
    await stop();
    throw new Error(`Postfix did not start. ${words}`);
  }
  return { others, log, stop };
}

/** What listens, and what counts its clients. */
function toServices(folder: string, port: number, others: Readonly<Record<Other, number>>): string[] {
  const smtpd = (at: number, more = "") => `127.0.0.1:${at} inet n - n - - smtpd ${more}`;
  const tables = (text: string) =>
    text.replace("SENDERS", join(folder, "senders")).replace("RECIPIENTS", join(folder, "recipients"));
  const extra = Object.entries(otherSettings).map(([name, text]) => smtpd(others[name as Other], tables(text)));
  return [smtpd(port), ...extra, "anvil unix - - n - 1 anvil", "virtual unix - n n - - virtual"];
}

function toSettings(folder: string): Readonly<Record<string, string>> {
  return {
    transport_maps: `regexp:${join(folder, "transports")}`,
    smtpd_tls_security_level: "may",
    smtpd_tls_chain_files: join(folder, "pair.pem"),
    smtpd_tls_auth_only: "yes",
    smtpd_sasl_auth_enable: "yes",
    smtpd_sasl_type: "dovecot",
    smtpd_sasl_path: join(folder, "auth"),
    smtpd_relay_restrictions: "permit_sasl_authenticated, reject",
  };
}

/** Writes into a Maildir as the user whom Dovecot reads it as. */
function toMailboxSettings(folder: string, mailboxes: PostfixOptions["mailboxes"]): Readonly<Record<string, string>> {
  if (mailboxes === undefined) return {};
  return {
    virtual_mailbox_base: mailboxes.homes,
    virtual_mailbox_maps: `texthash:${join(folder, "mailboxes")}`,
    virtual_minimum_uid: "1",
    virtual_uid_maps: "static:65534",
    virtual_gid_maps: "static:65534",
  };
}

function dovecotSettings(folder: string): string {
  return `protocols =
base_dir = ${folder}/dovecot
log_path = ${folder}/dovecot.log
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=/nonexistent
}
service auth {
  unix_listener ${folder}/auth {
    mode = 0666
  }
}
`;
}

async function untilUp(ports: readonly number[], authSocket: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!existsSync(authSocket) || !(await Promise.all(ports.map(isOpen))).every(Boolean)) {
    if (Date.now() > deadline) throw new Error("not up in time");
    await pause(100);
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const settle = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on("error", () => settle(false)).on("data", () => settle(true));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  // Postfix ignores it while it starts.
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(timer);
}
