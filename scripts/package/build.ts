// npm run package [-- --target x64|arm64] [-- --binaries-are-built] [-- --key <file>] → dist/packages: a tarball and a
// Debian package for each processor, a bill of materials, SHA256SUMS, and with a private key its signature. Runs on Linux
// with tar, gzip and dpkg-deb.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../../src/analyzer/version.ts";
import { type Processor, readBuildTime, succeed, writeDebianPackage, writeTarball } from "./archives.ts";
import { toBillOfMaterials } from "./inventory.ts";
import { signSums } from "./signing.ts";

const folder = join("dist", "packages");
const { values } = parseArgs({
  options: {
    target: { type: "string", multiple: true, default: ["x64", "arm64"] },
    "binaries-are-built": { type: "boolean", default: false },
    key: { type: "string" },
  },
});

const builtAt = readBuildTime();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const processor of values.target.map(toProcessor)) {
  const release = { processor, program: programFor(processor), builtAt, folder };
  await writeTarball(release);
  await writeDebianPackage(release);
}
writeFileSync(join(folder, `assay-${version}.cdx.json`), toBillOfMaterials(builtAt));
const names = readdirSync(folder).sort();
const sums = names.map((name) => {
  const hash = createHash("sha256")
    .update(readFileSync(join(folder, name)))
    .digest("hex");
  return `${hash}  ${name}\n`;
});
writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
if (values.key !== undefined) {
  const signature = signSums(sums.join(""), readFileSync(values.key, "utf8"));
  writeFileSync(join(folder, "SHA256SUMS.sig"), signature);
}
for (const name of names)
  console.log(`${join(folder, name)}  ${(statSync(join(folder, name)).size / 1e6).toFixed(1)} MB`);

function toProcessor(name: string): Processor {
  if (name === "x64" || name === "arm64") return name;
  throw new Error("--target takes x64 or arm64.");
}

function programFor(processor: Processor): string {
  const build = ["scripts/bootstrap.mjs", "build:binary", "--target", `linux-${processor}`, "--without-code-cache"];
  if (!values["binaries-are-built"]) succeed(spawnSync(process.execPath, build, { stdio: "inherit" }), "build:binary");
  return join("dist", processor === process.arch ? "assay" : `assay-linux-${processor}`);
}
