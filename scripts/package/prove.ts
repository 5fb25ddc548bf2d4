// The packages work on a clean system with systemd as its first process. The Debian package is installed, receives a
// message, is upgraded with its data, removed and purged; then the steps of the Dockerfile are run.
// Takes dist/assay as npm run build:binary made it. Needs root and mmdebstrap.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../src/analyzer/version.ts";
import { makeToken, type Program, takeFirstMessage } from "../first-message.ts";
import { type Processor, readBuildTime, writeDebianPackage, writeTarball } from "./archives.ts";
import { type DebianRoot, makeBase, startRoot, untilReady } from "./debian-root.ts";
import { proveDockerfile } from "./prove-container.ts";

const patienceMs = 60_000;
const program = "dist/assay";
const processor = process.arch as Processor;
const http = "http://127.0.0.1:8080";
const smtp = { host: "127.0.0.1", port: 2525 };
/** Sorted before every version. */
const olderVersion = "0.0.1";

if (process.argv.includes("--inside")) await prove(process.argv.at(-1) ?? "");
else startInside();

/** Starts this script again in a separate network: the ports are free there, and nothing leads out. */
function startInside(): void {
  if (process.getuid?.() !== 0) {
    console.warn("SKIPPED: testing the packages needs root.");
    return;
  }
  if (!existsSync(program)) throw new Error(`${program} is missing. Run npm run build:binary.`);
  const began = Date.now();
  const base = makeBase();
  say("a minimal root", began);
  const again = ["--net", process.execPath, import.meta.filename, "--inside", base];
  process.exitCode = spawnSync("unshare", again, { stdio: "inherit" }).status ?? 1;
}

async function prove(base: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assay-prove-"));
  try {
    const release = { processor, program, builtAt: readBuildTime(), folder, isTrial: true };
    const tarball = await timed("the tarball, twice with the same bytes", async () => {
      const first = await writeTarball(release);
      const digest = digestOf(first);
      if (digestOf(await writeTarball(release)) !== digest) throw new Error("Two tarballs of the same binary differ.");
      return first;
    });
    const packages = await timed("two Debian packages", async () => ({
      older: await writeDebianPackage({ ...release, version: olderVersion }),
      newer: await writeDebianPackage(release),
    }));
    await timed("the Debian package", () => inRoot(base, (root) => proveDebian(root, packages, folder)));
    await timed("the Dockerfile", () => inRoot(base, (root) => proveDockerfile(root, tarball, folder)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inRoot(base: string, work: (root: DebianRoot) => Promise<void>): Promise<void> {
  const root = await startRoot(base);
  try {
    await work(root);
  } finally {
    await root.stop();
  }
}

async function proveDebian(
  root: DebianRoot,
  packages: { readonly older: string; readonly newer: string },
  folder: string,
): Promise<void> {
  const before = listFiles(root);
  install(root, packages.older);
  checkUnit(root);
  const assay: Program = {
    command: [...root.enter, "runuser", "-u", "assay", "--", "/usr/bin/assay"],
    dataDir: folder,
    environment: { ASSAY_DATA_DIR: "/var/lib/assay", ASSAY_HTTP_PORT: "", ASSAY_SMTP_LISTEN: "" },
  };
  const seedAddress = await untilReady(root, "assay");
  checkFiles(root);
  checkListeners(root);
  await takeFirstMessage({ http, smtp, seedAddress }, assay, patienceMs);
  say("a message came in, and its report is readable");

  root.run("echo 'ASSAY_RETENTION_DAYS=30' >>/etc/assay.env");
  const processBefore = root.run("systemctl show -P MainPID assay");
  install(root, packages.newer);
  await untilReady(root, "assay");
  const processAfter = root.run("systemctl show -P MainPID assay");
  expect(processAfter !== processBefore, "the upgrade restarts the service");
  expect(root.run("dpkg-query -W assay").trim() === `assay\t${version}`, "the newer version is installed");
  expect((await countTests(assay)) === 1, "the upgrade keeps the data");
  expect(root.run("cat /etc/assay.env").endsWith("ASSAY_RETENTION_DAYS=30\n"), "it keeps the settings");
  checkFiles(root);

  root.run("apt-get remove -y assay");
  expect(root.statusOf("test -e /usr/bin/assay") === 1, "remove deletes the program");
  expect(root.statusOf("systemctl is-active assay") !== 0, "remove stops the service");
  expect(root.statusOf("test -s /var/lib/assay/assay.db -a -s /etc/assay.env") === 0, "and keeps the data");
  install(root, packages.newer);
  await untilReady(root, "assay");
  expect((await countTests(assay)) === 1, "installed again, it has the data");

  root.run("apt-get purge -y assay && apt-get autoremove -y --purge");
  const left = listFiles(root).filter((file) => !before.includes(file));
  expect(left.length === 0, `purge leaves nothing${left.map((file) => `\n  ${file}`).join("")}`);
  expect(root.statusOf("getent passwd assay || getent group assay") !== 0, "purge deletes the user");
}

/** Without a way to the internet: what Assay depends on comes from apt's cache. */
function install(root: DebianRoot, file: string): void {
  const name = file.split("/").at(-1) ?? "";
  root.copyIn(file, `/root/${name}`);
  root.run(`apt-get install -y --no-install-recommends /root/${name} && rm /root/${name}`);
  const size = statSync(file).size / 1e6;
  say(`${name} (${size.toFixed(1)} MB, compressed fast) is installed`);
}

function checkUnit(root: DebianRoot): void {
  const unit = "/usr/lib/systemd/system/assay.service";
  const said = root.run(`systemd-analyze verify --man=no ${unit} 2>&1`).trim();
  expect(said === "", `systemd-analyze finds no mistake in the unit\n${said}`);
  const exposure = root.run("systemd-analyze security --no-pager --threshold=25 assay.service | tail -n 1");
  say(exposure.trim());
}

/** Only root and the service may read secrets and mail. */
function checkFiles(root: DebianRoot): void {
  const modes = root.run("stat -c '%a %U %G %n' /etc/assay.env /var/lib/assay /var/lib/assay/assay.db");
  const wanted = [
    "640 root assay /etc/assay.env",
    "700 assay assay /var/lib/assay",
    "600 assay assay /var/lib/assay/assay.db",
  ];
  expect(modes.trim() === wanted.join("\n"), `owners and modes are right\n${modes}`);
  const user = root.run("stat -c %U /proc/$(systemctl show -P MainPID assay)").trim();
  expect(user === "assay", "it runs as its own user");
}

/** In /proc/net/tcp, loopback is 0100007F, and state 0A is listening. */
function checkListeners(root: DebianRoot): void {
  const rows = root.run("cat /proc/net/tcp /proc/net/tcp6").split("\n");
  const listening = rows.map((row) => row.trim().split(/\s+/)).filter(([, , , state]) => state === "0A");
  const open = listening.filter(([, local = ""]) => !local.startsWith("0100007F:"));
  expect(listening.length >= 2 && open.length === 0, "it listens on this machine only");
}

async function countTests(assay: Program): Promise<number> {
  const { token, workspaceId } = makeToken(assay);
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId };
  const answer = await fetch(`${http}/api/tests`, { headers });
  const { items } = (await answer.json()) as { items: { status: string }[] };
  return items.filter(({ status }) => status === "analyzed").length;
}

/** All files except what apt, dpkg and the system write on their own, but those named after Assay even there. */
function listFiles(root: DebianRoot): string[] {
  const others = ["/proc", "/sys", "/dev", "/run", "/tmp", "/var/tmp", "/var/cache", "/var/log", "/var/lib/dpkg"];
  const isOther = others.map((folder) => `-path '${folder}/*'`).join(" -o ");
  const named = "find / -xdev -name '*assay*' -not -path '/run/*'";
  const found = root.run(`{ find / -xdev -not \\( ${isOther} \\); ${named}; } | sort -u`).trim().split("\n");
  // Copies that useradd makes of the lists of users.
  return found.filter((file) => !/^\/etc\/(?:passwd|group|shadow|gshadow|subuid|subgid)-$/.test(file));
}

function digestOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Not so: ${what}`);
  say(what.split("\n", 1)[0] ?? "");
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = Date.now();
  const result = await work();
  say(what, began);
  return result;
}

function say(what: string, began?: number): void {
  console.log(began === undefined ? `  ${what}` : `${what}: ${((Date.now() - began) / 1_000).toFixed(1)} s`);
}
