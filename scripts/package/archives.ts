// Writes the archives of a release: a tarball and a Debian package for each processor. Names are sorted, owners are root
// and times are those of the commit, so that the same program always gives the same bytes.

import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { version } from "../../src/analyzer/version.ts";
import { toLicenses } from "./inventory.ts";
import { toManualPage, toSettingsFile } from "./texts.ts";

export type Processor = "x64" | "arm64";

export type Release = {
  readonly processor: Processor;
  /** The binary. */
  readonly program: string;
  readonly builtAt: Date;
  /** Where the archive goes. */
  readonly folder: string;
  /** Compress fast, for trials. */
  readonly isTrial?: boolean;
  /** Another version of the Debian package than that of package.json, for trials of upgrades. */
  readonly version?: string;
};

const here = import.meta.dirname;
const top = join(here, "..", "..");
const debianNames: Readonly<Record<Processor, string>> = { x64: "amd64", arm64: "arm64" };

/** A file of an archive: its content, or the file that it is a copy of. */
type Entry = { readonly content: string | Buffer } | { readonly copyOf: string };
type Files = Readonly<Record<string, Entry & { readonly mode?: number }>>;

/** The time of the last commit, unless SOURCE_DATE_EPOCH says another. */
export function readBuildTime(): Date {
  const git = () => spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: top, encoding: "utf8" }).stdout;
  const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? git());
  if (!Number.isInteger(seconds) || seconds <= 0)
    throw new Error("Set SOURCE_DATE_EPOCH, because this is not a checkout of Git.");
  return new Date(seconds * 1_000);
}

export async function writeTarball({ processor, program, builtAt, folder, isTrial = false }: Release): Promise<string> {
  const name = `assay-${version}-linux-${processor}`;
  const unit = readFileSync(join(here, "assay.service"), "utf8");
  const files: Files = {
    assay: { copyOf: program, mode: 0o755 },
    "assay.1": { content: await toManualPage(builtAt) },
    "assay.env": { content: toSettingsFile(), mode: 0o640 },
    "assay.service": { content: unit.replace("/usr/bin/assay", "/usr/local/bin/assay") },
    ...monitoringFiles(""),
    "CHANGELOG.md": { copyOf: join(top, "src", "handbook", "changelog.md") },
    LICENSE: { copyOf: join(top, "LICENSE") },
    "README.md": { copyOf: join(here, "README.md") },
    "THIRD-PARTY-LICENSES": { content: toLicenses() },
  };
  return inStage(files, (stage) => {
    const archive = join(folder, `${name}.tar.gz`);
    const args = [
      "--create",
      `--file=${archive}`,
      `--use-compress-program=gzip -n${isTrial ? 1 : 9}`,
      "--format=ustar",
      "--sort=name",
      `--mtime=@${toSeconds(builtAt)}`,
      "--owner=0",
      "--group=0",
      "--numeric-owner",
      `--transform=s,^\\.,${name},`,
      `--directory=${stage}`,
      ".",
    ];
    succeed(spawnSync("tar", args), "tar");
    return archive;
  });
}

export async function writeDebianPackage(release: Release): Promise<string> {
  const { processor, builtAt, folder, isTrial = false } = release;
  const of = release.version ?? version;
  const files = await debianFiles(release);
  return inStage({ ...files, ...controlFiles(files, processor, of) }, (stage) => {
    const archive = join(folder, `assay_${of}_${debianNames[processor]}.deb`);
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(toSeconds(builtAt)) };
    const args = ["--root-owner-group", ...(isTrial ? ["-Zgzip", "-z1"] : []), "--build", stage, archive];
    succeed(spawnSync("dpkg-deb", args, { env }), "dpkg-deb");
    return archive;
  });
}

/** For Grafana and Prometheus, on machines that don't have the program. */
function monitoringFiles(folder: string): Files {
  const names = ["grafana-dashboard.json", "prometheus-rules.yml"];
  return Object.fromEntries(names.map((name) => [`${folder}${name}`, { copyOf: join(top, "src", "handbook", name) }]));
}

async function debianFiles({ program, builtAt }: Release): Promise<Files> {
  const doc = "usr/share/doc/assay";
  const changes = readFileSync(join(top, "src", "handbook", "changelog.md"));
  const license = readFileSync(join(top, "LICENSE"), "utf8");
  return {
    // Always the same, so that an upgrade never asks which version to keep.
    "etc/assay.env": { copyOf: join(here, "debian", "assay.env"), mode: 0o640 },
    ...monitoringFiles(`${doc}/`),
    [`${doc}/assay.env`]: { content: toSettingsFile() },
    "usr/lib/systemd/system/assay.service": { copyOf: join(here, "assay.service") },
    "usr/bin/assay": { copyOf: program, mode: 0o755 },
    [`${doc}/CHANGELOG.md.gz`]: { content: gzipSync(changes, { level: 9 }) },
    [`${doc}/copyright`]: { content: `${license}\nThird parties: THIRD-PARTY-LICENSES.gz in this folder.\n` },
    [`${doc}/THIRD-PARTY-LICENSES.gz`]: { content: gzipSync(toLicenses(), { level: 9 }) },
    "usr/share/man/man1/assay.1.gz": { content: gzipSync(await toManualPage(builtAt), { level: 9 }) },
  };
}

function controlFiles(files: Files, processor: Processor, of: string): Files {
  const contents = Object.entries(files).map(([name, entry]) => [name, contentOf(entry)] as const);
  const sum = (content: Buffer) => createHash("md5").update(content).digest("hex");
  const control = toControl(
    debianNames[processor],
    of,
    contents.reduce((bytes, [, content]) => bytes + content.length, 0),
  );
  const scripts = ["postinst", "prerm", "postrm"].map((name) => [
    `DEBIAN/${name}`,
    { copyOf: join(here, "debian", name), mode: 0o755 },
  ]);
  return {
    "DEBIAN/control": { content: control },
    "DEBIAN/conffiles": { content: "/etc/assay.env\n" },
    "DEBIAN/md5sums": {
      content: contents
        .filter(([name]) => !name.startsWith("etc/"))
        .map(([name, content]) => `${sum(content)}  ${name}\n`)
        .join(""),
    },
    ...Object.fromEntries(scripts),
  };
}

/** Node's build needs glibc 2.28, which Debian has since version 10. */
export function toControl(architecture: string, of: string, bytes: number): string {
  return `Package: assay
Version: ${of}
Architecture: ${architecture}
Maintainer: The Assay project <assay@localhost>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), libgcc-s1, libatomic1, passwd
Recommends: ca-certificates
Section: mail
Priority: optional
Description: email deliverability tester and monitor
 Assay receives test messages over SMTP and tells you whether your email will
 reach the inbox, and what to fix. It checks SPF, DKIM, DMARC, DNS and content,
 monitors domains, and sends alerts. One program with its web app and handbook.
 .
 After installation it listens on this machine only. Settings: /etc/assay.env.
`;
}

function inStage(files: Files, write: (stage: string) => string): string {
  const stage = mkdtempSync(join(tmpdir(), "assay-package-"));
  try {
    for (const [name, entry] of Object.entries(files)) {
      const path = join(stage, name);
      mkdirSync(dirname(path), { recursive: true });
      if ("copyOf" in entry) copyFileSync(entry.copyOf, path);
      else writeFileSync(path, entry.content);
      chmodSync(path, entry.mode ?? 0o644);
    }
    // The builder's umask must not change the release.
    for (const path of [".", ...globSync("**", { cwd: stage })])
      if (statSync(join(stage, path)).isDirectory()) chmodSync(join(stage, path), 0o755);
    return write(stage);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function contentOf(entry: Entry): Buffer {
  return "copyOf" in entry ? readFileSync(entry.copyOf) : Buffer.from(entry.content);
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}

export function succeed({ status, error, stderr }: SpawnSyncReturns<Buffer | string>, what: string): void {
  if (status !== 0) throw new Error(`${what} failed. ${error?.message ?? stderr?.toString() ?? ""}`);
}
