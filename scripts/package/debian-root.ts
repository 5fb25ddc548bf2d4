// A Debian or Ubuntu system for trials: a minimal root as the distribution's installer makes it, and systems that run on a
// copy of it under systemd, in separate namespaces. They share the network of their caller. Needs root.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { succeed } from "./archives.ts";

const patienceMs = 60_000;
/** Packages that apt fetches when Assay is installed. They are kept, because the trial has no way to the internet. */
const needed = ["libatomic1", "libstdc++6"];

/** The minimal root, made once. This machine's own distribution and mirror. */
export function makeBase(): string {
  const release = readFileSync("/etc/os-release", "utf8");
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] ?? "";
  const base = join("build", `root-${suite}`);
  if (existsSync(base)) return base;
  const mirror = findMirror(suite);
  const unfinished = `${base}.${process.pid}`;
  mkdirSync("build", { recursive: true });
  const download = `chroot "$1" apt-get install -y --download-only --reinstall ${needed.join(" ")}`;
  const args = [
    "--quiet",
    "--variant=apt",
    "--include=systemd-sysv",
    "--skip=cleanup/apt",
    // A trial system doesn't have to survive a power cut.
    "--dpkgopt=force-unsafe-io",
    `--customize-hook=${download}`,
    suite,
    unfinished,
    mirror,
  ];
  succeed(spawnSync("mmdebstrap", args), "mmdebstrap");
  renameSync(unfinished, base);
  return base;
}

/** Where apt gets this distribution from. Some machines have a file with a list of mirrors instead. */
function findMirror(suite: string): string {
  const format = ["indextargets", "--format", "$(CODENAME) $(REPO_URI)", "Identifier: Packages"];
  const { stdout } = spawnSync("apt-get", format, { encoding: "utf8" });
  const [, uri] =
    stdout
      .split("\n")
      .find((line) => line.startsWith(`${suite} `))
      ?.split(" ") ?? [];
  if (!uri) throw new Error(`apt has no source for ${suite}.`);
  const [, list] = /^mirror\+file:(\S+?)\/?$/.exec(uri) ?? [];
  return list === undefined ? uri : (/^https?:\S+/m.exec(readFileSync(list, "utf8"))?.[0] ?? uri);
}

export type DebianRoot = {
  /** Runs a shell command in the system. Rejects what it says if it fails. */
  readonly run: (command: string) => string;
  readonly statusOf: (command: string) => number | null;
  /** The words before a command that make it run in the system. */
  readonly enter: readonly string[];
  readonly copyIn: (file: string, path: string) => void;
  readonly stop: () => Promise<void>;
};

/** The steps of a container's start: the base stays as it is under an overlay. */
const boot = `
set -e
mount --make-rprivate /
mkdir upper work root
mount -t overlay overlay -o "lowerdir=$1,upperdir=upper,workdir=work" root
cd root
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs sys/fs/cgroup
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs dev
for device in null zero full random urandom tty; do
  touch dev/$device
  mount --bind /dev/$device dev/$device
done
ln -s /proc/self/fd dev/fd
# A service with private devices gets a copy of this one.
ln -s pts/ptmx dev/ptmx
mkdir .outside
pivot_root . .outside
umount -l /.outside
exec env -i container=trial PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
`;

export async function startRoot(base: string): Promise<DebianRoot> {
  const folder = mkdtempSync(join(tmpdir(), "assay-root-"));
  const namespaces = ["--mount", "--pid", "--uts", "--ipc", "--cgroup", "--fork", "--kill-child"];
  const outer = spawn("unshare", [...namespaces, "bash", "-c", boot, "boot", join(process.cwd(), base)], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  process.once("exit", () => outer.kill("SIGKILL"));
  const pid = await untilSystemd(outer);
  const enter = ["nsenter", "--target", String(pid), "--all", "--root", "--wd"];
  const [program = "", ...before] = enter;
  const start = (command: string) =>
    spawnSync(program, [...before, "sh", "-c", command], {
      encoding: "utf8",
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C.UTF-8" },
    });
  const root: DebianRoot = {
    enter,
    statusOf: (command) => start(command).status,
    run: (command) => {
      const { status, stdout, stderr } = start(command);
      if (status !== 0) throw new Error(`${command} ended with ${status}.\n${stdout}${stderr}`);
      return stdout;
    },
    copyIn: (file, path) => copyFileSync(file, join(`/proc/${pid}/root`, path)),
    stop: async () => {
      const ended = new Promise((resolve) => outer.once("exit", resolve));
      outer.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  root.run("systemctl is-system-running --wait || systemctl --failed >&2");
  return root;
}

/** Waits until the unit's log says that it is ready. Resolves the seed address that it names. */
export async function untilReady(root: DebianRoot, unit: string): Promise<string> {
  const pid = root.run(`systemctl show -P MainPID ${unit}`).trim();
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(200)) {
    const lines = root.run(`journalctl -o cat _PID=${pid}`).split("\n");
    const ready = lines.find((line) => line.includes('"message":"ready"'));
    if (ready) return (JSON.parse(ready) as { seedAddress: string }).seedAddress;
  }
  throw new Error(`${unit} is not ready.\n${root.run(`journalctl -n 30 --no-pager -u ${unit}`)}`);
}

/** The process in the namespaces becomes systemd when the root is ready. */
async function untilSystemd(outer: ChildProcess): Promise<number> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(50)) {
    if (outer.exitCode !== null) throw new Error("The trial system did not start.");
    const children = readIfThere(`/proc/${outer.pid}/task/${outer.pid}/children`);
    const pid = Number(children.trim());
    const isUp = existsSync(`/proc/${pid}/root/run/systemd/private`);
    if (pid > 0 && readIfThere(`/proc/${pid}/comm`).trim() === "systemd" && isUp) return pid;
  }
  throw new Error("systemd did not start.");
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
