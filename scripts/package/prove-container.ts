// Runs the steps of the Dockerfile in a trial system, because a build would need a registry: both stages start from the same
// image, so that one root serves for both. What the image starts then runs as its user, on a root that is read-only
// except for its volume, and answers the image's health check.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, takeFirstMessage } from "../first-message.ts";
import { type DebianRoot, untilReady } from "./debian-root.ts";

type Instruction = { readonly name: string; readonly rest: string };

/** Of the image that is built: what the last stage says. */
type Image = {
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
  readonly volume: string;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
};

const patienceMs = 60_000;
const unit = "container";

export function readDockerfile(): Instruction[] {
  const text = readFileSync(join(import.meta.dirname, "Dockerfile"), "utf8");
  const lines = text
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n/g, "")
    .split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [name = "", ...rest] = line.split(" ");
      return { name, rest: rest.join(" ") };
    });
}

export function toImage(instructions: readonly Instruction[]): Image {
  const of = (wanted: string) => instructions.findLast(({ name }) => name === wanted)?.rest ?? "";
  const pairs = [...of("ENV").matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]);
  const [, check = ""] = /CMD (\[.*\])$/.exec(of("HEALTHCHECK")) ?? [];
  return {
    environment: Object.fromEntries(pairs),
    user: of("USER"),
    volume: of("VOLUME"),
    command: [...JSON.parse(of("ENTRYPOINT")), ...JSON.parse(of("CMD"))],
    healthCheck: JSON.parse(check),
  };
}

export async function proveDockerfile(root: DebianRoot, tarball: string, folder: string): Promise<void> {
  const instructions = readDockerfile();
  for (const { name, rest } of instructions) {
    if (name === "COPY") copy(root, rest.split(" "), tarball);
    if (name === "RUN") root.run(rest);
  }
  const image = toImage(instructions);
  start(root, image);
  const seedAddress = await untilReady(root, unit);
  const health = `${toWords(image.environment)} ${image.healthCheck.map(quote).join(" ")}`;
  root.run(health);
  const assay: Program = {
    command: [...root.enter, "setpriv", ...toIds(image.user), "/usr/local/bin/assay"],
    dataDir: folder,
    environment: image.environment,
  };
  const http = `http://127.0.0.1:${image.environment.ASSAY_HTTP_PORT}`;
  await takeFirstMessage({ http, smtp: { host: "127.0.0.1", port: 2525 }, seedAddress }, assay, patienceMs);
  root.run(`systemctl stop ${unit}`);
  if (root.statusOf(health) === 0) throw new Error("The health check passes after the end.");
  root.run(`test -s ${image.volume}/assay.db`);
  console.log("  the image's program takes a message, and its health check knows when it is down");
}

function copy(root: DebianRoot, words: readonly string[], tarball: string): void {
  const target = words.at(-1) ?? "";
  const sources = words.slice(0, -1);
  if (sources[0] !== "--from=release") {
    root.run(`mkdir -p ${target}`);
    root.copyIn(tarball, join(target, tarball.split("/").at(-1) ?? ""));
    return;
  }
  const folder = target.endsWith("/") ? target : join(target, "..");
  root.run(`mkdir -p ${folder} && cp ${sources.slice(1).join(" ")} ${target}`);
}

/** As compose.yaml has it: on a root that is read-only. Its user has no name, so that systemd can't switch to it. */
function start(root: DebianRoot, { environment, user, volume, command }: Image): void {
  const lines = [
    "[Service]",
    `ExecStart=/usr/bin/setpriv ${[...toIds(user), ...command].join(" ")}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${name}=${value}`),
    "NoNewPrivileges=yes",
    "PrivateTmp=yes",
    "ProtectSystem=strict",
    `ReadWritePaths=${volume}`,
  ];
  const file = `/run/systemd/system/${unit}.service`;
  root.run(`printf '%s\\n' ${lines.map(quote).join(" ")} >${file} && systemctl daemon-reload`);
  root.run(`systemctl start ${unit}`);
}

function toIds(user: string): string[] {
  const [uid, gid] = user.split(":");
  return [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
}

function toWords(environment: Image["environment"]): string {
  return `env ${Object.entries(environment)
    .map(([name, value]) => quote(`${name}=${value}`))
    .join(" ")}`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
