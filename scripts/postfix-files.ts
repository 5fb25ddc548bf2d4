// The files that Debian's Postfix needs to run from its own folder: configuration, queue and state. The machine's own
// Postfix, if it runs one, is left alone.

import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

export const postfixProgram = "/usr/sbin/postfix";

/** No chroot, which would need its files copied, and no listener: messages enter through the drop folder. */
const ownServices = [
  "pickup unix n - n 1 1 pickup",
  "cleanup unix n - n - 0 cleanup",
  "qmgr unix n - n 5 1 qmgr",
  "tlsmgr unix - - n 1000? 1 tlsmgr",
  "rewrite unix - - n - - trivial-rewrite",
  ...["bounce", "defer", "trace"].map((name) => `${name} unix - - n - 0 bounce`),
  "flush unix n - n 1000? 0 flush",
  "proxymap unix - - n - - proxymap",
  ...["smtp", "relay"].map((name) => `${name} unix - - n - - smtp`),
  ...["error", "retry"].map((name) => `${name} unix - - n - - error`),
  "discard unix - - n - - discard",
  "scache unix - - n - 1 scache",
  "postlog unix-dgram n - n - 1 postlogd",
];

export type PostfixFiles = {
  readonly hostname: string;
  /** Where it forwards everything that it accepted. */
  readonly next: { readonly host: string; readonly port: number };
  /** For main.cf, in addition to those always needed. */
  readonly settings: Readonly<Record<string, string>>;
  /** Lines of master.cf: listeners, and what they need. */
  readonly services?: readonly string[];
};

/** `folder` has none of these files yet, and Postfix's user can enter it. Returns the configuration's folder. */
export async function writePostfixFiles(
  folder: string,
  { hostname, next, settings, services = [] }: PostfixFiles,
): Promise<string> {
  const configuration = join(folder, "etc");
  for (const name of ["etc", "queue", "state"]) mkdirSync(join(folder, name));
  const lines = Object.entries({
    compatibility_level: "3.6",
    queue_directory: join(folder, "queue"),
    data_directory: join(folder, "state"),
    command_directory: "/usr/sbin",
    daemon_directory: "/usr/lib/postfix/sbin",
    mail_owner: "postfix",
    setgid_group: "postdrop",
    maillog_file: join(folder, "log"),
    maillog_file_prefixes: folder,
    myhostname: hostname,
    mydestination: "",
    local_recipient_maps: "",
    alias_maps: "",
    alias_database: "",
    inet_interfaces: "loopback-only",
    inet_protocols: "ipv4",
    relayhost: `[${next.host}]:${next.port}`,
    smtp_dns_support_level: "disabled",
    smtp_host_lookup: "native",
    smtp_tls_security_level: "may",
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(join(configuration, "main.cf"), `${lines.join("\n")}\n`);
  writeFileSync(join(configuration, "master.cf"), `${[...services, ...ownServices].join("\n")}\n`);
  await promisify(execFile)("chown", ["postfix", join(folder, "state")]);
  return configuration;
}
