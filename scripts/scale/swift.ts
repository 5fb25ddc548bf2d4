// A real object store with an S3 interface: OpenStack Swift from Debian, in a folder of its own, on one disk. Its
// signature check, its database of objects and its files are those of a cluster.
// Needs Debian's packages swift-proxy, swift-account, swift-container, swift-object and memcached, and root.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { findFreePorts, isOpen } from "../ports.ts";

export type Swift = {
  /** Of Assay. */
  readonly settings: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

const storage = { account: 0, container: 1, object: 2 } as const;
const keys = { id: "assay:assay", secret: "secret-of-assay" };
const bucket = "mail";
const patienceMs = 60_000;

export function hasSwift(): boolean {
  const programs = ["/usr/bin/swift-proxy-server", "/usr/bin/swift-object-server", "/usr/bin/memcached"];
  const isThere = programs.every((path) => existsSync(path)) && process.getuid?.() === 0;
  if (!isThere)
    console.log(
      "Skipped: run as root, with Debian's swift-proxy, swift-account, swift-container, swift-object and memcached.",
    );
  return isThere;
}

export async function startSwift(): Promise<Swift> {
  const folder = mkdtempSync(join(tmpdir(), "assay-swift-"));
  chmodSync(folder, 0o755);
  const [proxy = 0, cache = 0, ...ports] = await findFreePorts(5);
  mkdirSync(join(folder, "devices", "d1"), { recursive: true });
  const write = (name: string, ...lines: readonly string[]) =>
    writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
  write(
    "swift.conf",
    "[swift-hash]",
    "swift_hash_path_suffix = assay",
    "swift_hash_path_prefix = assay",
    "[storage-policy:0]",
    "name = one",
    "default = yes",
  );
  for (const [kind, index] of Object.entries(storage)) {
    const port = ports[index] ?? 0;
    write(`${kind}-server.conf`, ...toStorageConf(kind, port, folder));
    for (const words of ["create 4 1 0", `add r1z1-127.0.0.1:${port}/d1 1`, "rebalance"])
      execFileSync("swift-ring-builder", [join(folder, `${kind}.builder`), ...words.split(" ")], { stdio: "ignore" });
  }
  write("proxy-server.conf", ...toProxyConf(proxy, cache, folder));
  write("start.py", starter);
  execFileSync("chown", ["-R", "swift", folder]);
  const children = [
    spawn("memcached", ["-u", "swift", "-l", "127.0.0.1", "-p", `${cache}`], { stdio: "ignore" }),
    ...[...Object.keys(storage), "proxy"].map((kind) =>
      spawn("/usr/bin/python3", [join(folder, "start.py"), folder, kind], { stdio: "ignore" }),
    ),
  ];
  const stop = () => stopAll(children, folder);
  process.once("exit", () => {
    for (const child of children) child.kill("SIGKILL");
  });
  try {
    for (const port of [...ports, proxy]) await untilOpen(port);
    await createBucket(`http://127.0.0.1:${proxy}/${bucket}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const settings = {
    ASSAY_MESSAGES: "s3",
    ASSAY_S3_URL: `http://${encodeURIComponent(keys.id)}:${encodeURIComponent(keys.secret)}@127.0.0.1:${proxy}/${bucket}`,
  };
  return { settings, stop };
}

function toStorageConf(kind: string, port: number, folder: string): string[] {
  return [
    "[DEFAULT]",
    "bind_ip = 127.0.0.1",
    `bind_port = ${port}`,
    "workers = 0",
    "user = swift",
    `swift_dir = ${folder}`,
    `devices = ${folder}/devices`,
    "mount_check = false",
    "log_level = ERROR",
    "[pipeline:main]",
    `pipeline = ${kind}-server`,
    `[app:${kind}-server]`,
    `use = egg:swift#${kind}`,
  ];
}

function toProxyConf(port: number, cache: number, folder: string): string[] {
  const filters = ["catch_errors", "s3api", "tempauth", "copy", "slo", "dlo"];
  const more: Readonly<Record<string, string>> = {
    s3api: "location = us-east-1",
    tempauth: `user_${keys.id.replace(":", "_")} = ${keys.secret} .admin`,
  };
  return [
    "[DEFAULT]",
    "bind_ip = 127.0.0.1",
    `bind_port = ${port}`,
    "workers = 0",
    "user = swift",
    `swift_dir = ${folder}`,
    "log_level = ERROR",
    "[pipeline:main]",
    "pipeline = catch_errors cache s3api tempauth copy slo dlo proxy-server",
    "[app:proxy-server]",
    "use = egg:swift#proxy",
    "account_autocreate = true",
    "[filter:cache]",
    "use = egg:swift#memcache",
    `memcache_servers = 127.0.0.1:${cache}`,
    ...filters.flatMap((name) => [`[filter:${name}]`, `use = egg:swift#${name}`, more[name] ?? ""]),
  ];
}

/** Swift reads its main file from one place, whatever its other settings say. */
const starter = `import sys
import swift.common.utils as utils
utils.SWIFT_CONF_FILE = sys.argv[1] + "/swift.conf"
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi("%s/%s-server.conf" % (sys.argv[1], sys.argv[2]), sys.argv[2] + "-server", default_port=0))
`;

async function createBucket(url: string): Promise<void> {
  const signer = { accessKeyId: keys.id, secretAccessKey: keys.secret, service: "s3", region: "us-east-1" };
  for (const deadline = Date.now() + patienceMs; ; await sleep(200)) {
    const signed = await new AwsV4Signer({ method: "PUT", url, ...signer }).sign();
    const answer = await fetch(signed.url, { method: "PUT", headers: signed.headers });
    if (answer.ok) return;
    if (Date.now() > deadline) throw new Error(`Swift made no bucket: ${await answer.text()}`);
  }
}

async function stopAll(children: readonly ChildProcess[], folder: string): Promise<void> {
  for (const child of children) {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
    child.kill("SIGKILL");
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

export async function untilOpen(port: number): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await isOpen(port)); await sleep(100))
    if (Date.now() > deadline) throw new Error(`Nothing listens on port ${port}.`);
}
