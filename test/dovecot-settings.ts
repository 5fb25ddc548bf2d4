// The settings of a Dovecot that runs in a folder of its own, as root or not.

import { join } from "node:path";

export type DovecotPorts = { readonly implicit: number; readonly starttls: number };

export type DovecotSettings = {
  /** Special uses by name, or null for none; made for each user. */
  readonly folders: Readonly<Record<string, string | null>>;
  readonly separator: string;
  readonly folder: string;
  readonly ports: DovecotPorts;
  readonly mailUid: number;
  readonly mailGid: number;
  readonly isRoot: boolean;
};

export function toDovecotSettings(settings: DovecotSettings): string {
  const { folder, ports, separator, folders } = settings;
  return [
    `base_dir = ${join(folder, "run")}`,
    `state_dir = ${join(folder, "state")}`,
    `log_path = ${join(folder, "dovecot.log")}`,
    "protocols = imap",
    "listen = 127.0.0.1",
    "mail_location = maildir:~/Maildir",
    `mail_home = ${folder}/home/%u`,
    ...usersOf(settings),
    "ssl = required",
    `ssl_cert = <${join(folder, "certificate.pem")}`,
    `ssl_key = <${join(folder, "key.pem")}`,
    "auth_mechanisms = plain login xoauth2 oauthbearer",
    "auth_failure_delay = 0",
    "auth_cache_size = 0",
    // What clients say and are told, one file a connection.
    "rawlog_dir = %h/rawlog",
    "mail_max_userip_connections = 50",
    ...passwords(folder),
    "namespace inbox {",
    "  inbox = yes",
    `  separator = ${separator}`,
    ...Object.entries(folders).flatMap(([name, use]) =>
      use === null ? [] : [`  mailbox "${name}" {`, `    special_use = ${use}`, "  }"],
    ),
    "}",
    // Else each wrong password makes the next one wait.
    "service anvil {",
    ...(settings.isRoot ? [] : ["  chroot ="]),
    "  unix_listener anvil-auth-penalty {",
    "    mode = 0",
    "  }",
    "}",
    "service imap-login {",
    "  chroot =",
    "  inet_listener imap {",
    `    port = ${ports.starttls}`,
    "  }",
    "  inet_listener imaps {",
    `    port = ${ports.implicit}`,
    "    ssl = yes",
    "  }",
    "}",
    "",
  ].join("\n");
}

/** How it judges access tokens: by itself, with the key in `keys/`. */
export function toTokenSettings(folder: string): string {
  return [
    "introspection_mode = local",
    `local_validation_key_dict = fs:posix:prefix=${join(folder, "keys")}/`,
    "username_attribute = email",
    "",
  ].join("\n");
}

function passwords(folder: string): string[] {
  const file = (name: string) => join(folder, name);
  return [
    ...["xoauth2 oauthbearer"].flatMap((mechanisms) => [
      "passdb {",
      "  driver = oauth2",
      `  mechanisms = ${mechanisms}`,
      `  args = ${file("tokens.conf")}`,
      "}",
    ]),
    "passdb {",
    "  driver = passwd-file",
    "  mechanisms = plain login",
    `  args = ${file("users")}`,
    "}",
  ];
}

/** Whose processes are they? All of ours, unless root may part them. */
function usersOf({ mailUid, mailGid, isRoot }: DovecotSettings): string[] {
  const mail = [`mail_uid = ${mailUid}`, `mail_gid = ${mailGid}`, "first_valid_uid = 1", "first_valid_gid = 1"];
  const userdb = ["userdb {", "  driver = static", `  args = uid=${mailUid} gid=${mailGid} allow_all_users=yes`, "}"];
  if (isRoot) return [...mail, "last_valid_uid = 65534", ...userdb];
  const own = ["default_internal_user", "default_login_user"].map((name) => `${name} = ${mailUid}`);
  return [...mail, ...userdb, ...own, `default_internal_group = ${mailGid}`];
}
