// A real IMAP server on loopback, Dovecot of Debian's package `dovecot-imapd`, in a folder of its own: users with passwords
// or access tokens, an inbox, folders by name, and mail that is put into them as a delivery agent does it.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { createSelfSigned } from "../src/platform/system/self-signed.ts";
import { type DovecotPorts, type DovecotSettings, toDovecotSettings, toTokenSettings } from "./dovecot-settings.ts";

export type DovecotOptions = Partial<Pick<DovecotSettings, "folders" | "separator">> & {
  /** Passwords by user name. */
  readonly users: Readonly<Record<string, string>>;
};

export type Delivery = {
  readonly user: string;
  /** INBOX unless told. */
  readonly folder?: string;
  readonly message: string;
  /** INTERNALDATE; now unless told. */
  readonly arrivedAt?: number;
};

export type Dovecot = {
  /** The certificate is for this name. */
  readonly host: "localhost";
  /** implicit: TLS from the first byte. starttls: in the open until STARTTLS. */
  readonly ports: DovecotPorts;
  /** The users' homes, each with its Maildir. */
  readonly homes: string;
  /** The authority that the certificate is of, as text and as a file (NODE_EXTRA_CA_CERTS). */
  readonly ca: string;
  readonly caFile: string;
  readonly deliver: (delivery: Delivery) => string;
  /** Many at once, each with its number for `%d`; done before anybody looks. */
  readonly deliverMany: (delivery: Delivery, count: number) => void;
  /** Taken by AUTHENTICATE XOAUTH2 and OAUTHBEARER until then. */
  readonly accessToken: (user: string, expiresAt: number) => string;
  readonly setPassword: (user: string, password: string) => void;
  /** `doveadm mailbox …`, the user told apart: create, delete, rename, list. */
  readonly mailbox: (user: string, verb: string, ...words: string[]) => Promise<string>;
  readonly changeUidValidity: (user: string, folder: string) => Promise<void>;
  /** The files of a folder with their flags, as Maildir names them. */
  readonly filesOf: (user: string, folder?: string) => readonly string[];
  /** What clients of this user said, one text a connection. */
  readonly saidBy: (user: string) => readonly string[];
  /** How much clients of this user were told, in bytes. */
  readonly bytesToldTo: (user: string) => number;
  /** How many connections of this user stand. */
  readonly countConnections: (user: string) => Promise<number>;
  /** Ends the connections of this user; the server stays. */
  readonly kick: (user: string) => Promise<void>;
  readonly log: () => string;
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const program = "/usr/sbin/dovecot";
const control = "/usr/bin/doveadm";
const loopback = "127.0.0.1";
const patienceMs = 20_000;
const stopMs = 10_000;
/** Dovecot serves no mail of root; in a container of tests everybody is root. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

export const hasDovecot = existsSync(program) && existsSync(control) && existsSync("/usr/lib/dovecot/imap");

const run = promisify(execFile);

export async function startDovecot({ users, ...options }: DovecotOptions): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), "assay-dovecot-"));
  chmodSync(folder, 0o755);
  const ports = { implicit: await findPort(), starttls: await findPort() };
  const files = prepareFiles(folder);
  const settings = {
    folders: { Junk: "\\Junk", Promotions: null },
    separator: "/",
    ...options,
    folder,
    ports,
    mailUid: isRoot ? nobody : (process.getuid?.() ?? nobody),
    mailGid: isRoot ? nobody : (process.getgid?.() ?? nobody),
    isRoot,
  };
  writeFileSync(files.settings, toDovecotSettings(settings));
  const passwords = new Map(Object.entries(users));
  const writePasswords = () =>
    writeFileSync(files.users, [...passwords].map(([user, password]) => `${user}:{PLAIN}${password}\n`).join(""));
  writePasswords();
  const admin = async (...words: string[]) => (await run(control, ["-c", files.settings, ...words])).stdout;
  const server = createProcess(files.settings, ports, files.log);
  const { prepare, ...maildirs } = createMaildirs(folder, settings.separator);
  const stop = async () => {
    await server.down();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const user of passwords.keys()) {
      makeOwn(join(folder, "home", user), join(folder, "home", user, "rawlog"));
      // doveadm would need a process for each of them, a minute in all on a busy machine.
      for (const name of ["INBOX", ...Object.keys(settings.folders)]) prepare({ user, folder: name });
    }
    await server.up();
  } catch (error) {
    const complaint = existsSync(files.log) ? readFileSync(files.log, "utf8").slice(-2_000) : "";
    await stop();
    throw new Error(`Dovecot is not ready. ${complaint}`, { cause: error });
  }
  const rawlog = (user: string, end: string) => {
    const place = join(folder, "home", user, "rawlog");
    const names = readdirSync(place).filter((name) => name.endsWith(end));
    return names.sort().map((name) => readFileSync(join(place, name)));
  };
  return {
    host: "localhost",
    homes: join(folder, "home"),
    ports,
    ca: readFileSync(files.ca, "utf8"),
    caFile: files.ca,
    ...maildirs,
    accessToken: (user, expiresAt) => toAccessToken(user, expiresAt, files.tokenKey),
    setPassword: (user, password) => {
      passwords.set(user, password);
      writePasswords();
    },
    mailbox: (user, verb, ...words) => admin("mailbox", verb, "-u", user, ...words),
    changeUidValidity: async (user, name) => {
      const status = await admin("mailbox", "status", "-u", user, "uidvalidity", name);
      const current = Number(/uidvalidity=(\d+)/.exec(status)?.[1]);
      await admin("mailbox", "update", "-u", user, "--uid-validity", String(current + 1), name);
    },
    saidBy: (user) => rawlog(user, ".in").map(String),
    bytesToldTo: (user) => rawlog(user, ".out").reduce((sum, { length }) => sum + length, 0),
    countConnections: async (user) => {
      const lines = (await admin("who", "-1", user)).split("\n").slice(1);
      return lines.filter((line) => line.trim() !== "").length;
    },
    kick: async (user) => void (await admin("kick", user)),
    log: () => (existsSync(files.log) ? readFileSync(files.log, "utf8") : ""),
    down: server.down,
    up: server.up,
    stop,
  };
}

type Files = {
  readonly settings: string;
  readonly users: string;
  readonly ca: string;
  readonly log: string;
  readonly tokenKey: Buffer;
};

function prepareFiles(folder: string): Files {
  const { cert, key } = createSelfSigned(["localhost"], Date.now());
  writeFileSync(join(folder, "certificate.pem"), cert);
  writeFileSync(join(folder, "key.pem"), key, { mode: 0o600 });
  const tokenKey = randomBytes(32);
  const keys = join(folder, "keys", "default", "HS256");
  mkdirSync(keys, { recursive: true });
  writeFileSync(join(keys, "default"), tokenKey.toString("base64"));
  writeFileSync(join(folder, "tokens.conf"), toTokenSettings(folder));
  return {
    settings: join(folder, "dovecot.conf"),
    users: join(folder, "users"),
    ca: join(folder, "certificate.pem"),
    log: join(folder, "dovecot.log"),
    tokenKey,
  };
}

/** A JSON Web Token that Dovecot judges by itself. */
function toAccessToken(user: string, expiresAt: number, key: Buffer): string {
  const toPart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = { email: user, sub: user, iat: 1_600_000_000, exp: Math.floor(expiresAt / 1_000) };
  const signed = `${toPart({ alg: "HS256", typ: "JWT" })}.${toPart(body)}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

function createMaildirs(
  folder: string,
  separator: string,
): Pick<Dovecot, "deliver" | "deliverMany" | "filesOf"> & {
  /** Returns the folder's place; makes what is missing. */
  readonly prepare: (folder: Pick<Delivery, "user" | "folder">) => string;
} {
  let count = 0;
  const placeOf = (user: string, name = "INBOX") => {
    const home = join(folder, "home", user, "Maildir");
    return name === "INBOX" ? home : join(home, `.${name.replaceAll(separator, ".")}`);
  };
  const put = (place: string, { message, arrivedAt = Date.now() }: Delivery) => {
    const name = `${Math.floor(arrivedAt / 1_000)}.M${++count}P${process.pid}.test`;
    const before = join(place, "tmp", name);
    writeFileSync(before, message);
    if (isRoot) chownSync(before, nobody, nobody);
    utimesSync(before, arrivedAt / 1_000, arrivedAt / 1_000);
    renameSync(before, join(place, "new", name));
    return name;
  };
  const prepare = ({ user, folder: name }: Pick<Delivery, "user" | "folder">) => {
    const place = placeOf(user, name);
    makeOwn(place, ...["tmp", "new", "cur"].map((part) => join(place, part)));
    return place;
  };
  return {
    prepare,
    deliver: (delivery) => put(prepare(delivery), delivery),
    deliverMany: (delivery, times) => {
      const place = prepare(delivery);
      for (let number = 1; number <= times; number++)
        put(place, { ...delivery, message: delivery.message.replaceAll("%d", String(number)) });
    },
    filesOf: (user, name) => {
      const place = placeOf(user, name);
      return ["new", "cur"].flatMap((part) =>
        existsSync(join(place, part))
          ? readdirSync(join(place, part))
              .sort()
              .map((file) => `${part}/${file}`)
          : [],
      );
    },
  };
}

function makeOwn(...folders: string[]): void {
  for (const folder of folders) {
    if (existsSync(folder)) continue;
    mkdirSync(folder, { recursive: true });
    if (isRoot) chownSync(folder, nobody, nobody);
  }
}

function createProcess(settings: string, ports: DovecotPorts, log: string): Pick<Dovecot, "up" | "down"> {
  let child: ChildProcess | undefined;
  const endWithUs = () => void child?.kill("SIGTERM");
  return {
    up: async () => {
      const started = spawn(program, ["-F", "-c", settings], { stdio: "ignore" });
      child = started;
      process.once("exit", endWithUs);
      for (const deadline = Date.now() + patienceMs; !(await isListening(ports.implicit)); await pause(20))
        if (started.exitCode !== null || Date.now() > deadline)
          throw new Error(`dovecot did not start. ${existsSync(log) ? readFileSync(log, "utf8").slice(-2_000) : ""}`);
    },
    down: async () => {
      process.off("exit", endWithUs);
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      // It gives its own processes a minute to end, which is longer than a test's hook may take.
      const impatience = setTimeout(() => child?.kill("SIGKILL"), stopMs);
      await ended;
      clearTimeout(impatience);
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, loopback);
    const answer = (outcome: boolean) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once("data", () => answer(true));
    socket.once("connect", () => answer(true));
    socket.once("error", () => answer(false));
  });
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, loopback);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
