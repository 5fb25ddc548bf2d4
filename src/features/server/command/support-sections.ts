// The sections of a support file. Each is read on its own, so that trouble with one doesn't hide the others.

import { readdir, stat } from "node:fs/promises";
import { arch, availableParallelism, freemem, platform, release, totalmem, uptime } from "node:os";
import { join } from "node:path";
import { versions } from "node:process";
import { version } from "../../../analyzer/version.ts";
import type { LoadFeatures } from "../../../platform/cli/command.ts";
import type { DatabaseContents } from "../../../platform/database/engine/list-contents.ts";
import { messageOf } from "../../../platform/errors.ts";
import { type Config, type Setting, settings } from "../../../platform/settings/config.ts";
import { settingNames } from "../../../platform/settings/config-reading.ts";
import { toShown, toValueText } from "../../../platform/settings/setting-kinds.ts";
import { readFreeBytes } from "../../../platform/system/data-directory.ts";
import type { System } from "../../../platform/system/system.ts";
import { toTable } from "../../../platform/table.ts";
import { askOwnServer } from "../doctor/own-server.ts";
import type { Probes } from "../doctor/row.ts";
import { doctorWords } from "../words.ts";

export type Section = { readonly title: string; readonly read: () => Promise<string> };

type Installed = {
  readonly config: Config;
  readonly system: System;
  readonly probes: Probes;
  readonly features: LoadFeatures;
};

/** What can be said without valid settings. */
export const machineSection: Section = {
  title: "Versions and machine",
  read: async () =>
    toTable(
      [
        ["Assay", version],
        ["Node", `${versions.node} (V8 ${versions.v8}, OpenSSL ${versions.openssl})`],
        ["System", `${platform()} ${release()} ${arch()}, up for ${Math.round(uptime() / 3_600)} hours`],
        ["Processors", String(availableParallelism())],
        ["Memory", `${toMegabytes(totalmem())}, ${toMegabytes(freemem())} free`],
      ],
      null,
    ),
};

export function toSections(installed: Installed, given: readonly string[]): readonly Section[] {
  const { config } = installed;
  return [
    { title: "Settings that are set", read: async () => toSettings(config, given) },
    { title: "Server check (assay doctor)", read: () => readDoctor(installed) },
    { title: "Readiness (/readyz)", read: () => readReadiness(installed) },
    { title: "Data directory", read: () => readFiles(config.dataDir) },
    { title: "Database", read: () => readContents(config) },
    { title: "Metrics (/metrics)", read: () => readFigures(installed) },
  ];
}

export async function toText({ title, read }: Section): Promise<string> {
  const content = await read().catch((error: unknown) => `This could not be read: ${messageOf(error)}`);
  return `== ${title} ==\n\n${content.trimEnd()}\n`;
}

function toSettings(config: Config, given: readonly string[]): string {
  const rows = Object.entries(settings).flatMap(([key, entry]) => {
    const setting: Setting<unknown> = entry;
    const names = settingNames(setting).filter((name) => given.includes(name));
    const shown = toValueText(toShown(setting, config[key as keyof Config]));
    return names.length === 0 ? [] : [[names.join(", "), shown]];
  });
  const rest = "All other settings have their defaults, or were changed in the app under Settings > Server.";
  return rows.length === 0 ? rest : `${toTable(rows, null)}\n\n${rest}`;
}

async function readDoctor({ config, system, probes, features }: Installed): Promise<string> {
  const { runDoctor } = await import("../doctor/examine.ts");
  const rows = await runDoctor({ config, system, probes }, await features());
  return rows
    .map(({ state, label, says, fix }) => {
      const line = `[${doctorWords[state]}] ${label}: ${says}`;
      return fix === undefined ? line : `${line}\n    Fix: ${fix}`;
    })
    .join("\n");
}

const noServer = "No server answers on ASSAY_HTTP_HOST and ASSAY_HTTP_PORT.";

async function readReadiness({ config, system, probes }: Installed): Promise<string> {
  const answer = await askOwnServer({ config, system, probes }, "/readyz");
  return answer === undefined ? noServer : `${answer.status} ${answer.text}`;
}

const longestFigures = 400;
const figureLine = /^(?:assay_|process_|nodejs_(?:version|heap_size|eventloop_lag))/;
/** By route and bucket, they would be most of the file. */
const manyFigures = /^assay_http_/;

async function readFigures({ config, system, probes }: Installed): Promise<string> {
  const answer = await askOwnServer({ config, system, probes }, "/metrics");
  if (answer?.status !== 200) return noServer;
  const lines = answer.text.split("\n").filter((line) => figureLine.test(line) && !manyFigures.test(line));
  return lines.slice(0, longestFigures).join("\n");
}

async function readFiles(dataDir: string): Promise<string> {
  const names = (await readdir(dataDir)).sort();
  const rows = await Promise.all(
    names.map(async (name) => {
      const status = await stat(join(dataDir, name)).catch(() => null);
      const size = status?.isDirectory() ? "folder" : status ? `${status.size} bytes` : "unreadable";
      return [name, size, status ? `mode ${(status.mode & 0o777).toString(8)}` : ""];
    }),
  );
  const free = await readFreeBytes(dataDir);
  return `${toTable(rows, null)}\n\nFree on this disk: ${toMegabytes(free)}`;
}

const countingMs = 10_000;

async function readContents({ databaseUrl, dataDir }: Config): Promise<string> {
  const { listPostgresContents, listSqliteContents } = await import(
    "../../../platform/database/engine/list-contents.ts"
  );
  const contents =
    databaseUrl === null
      ? await listSqliteContents(join(dataDir, "assay.db"), countingMs)
      : await listPostgresContents(databaseUrl, countingMs);
  if (contents === null) return "There is no database yet.";
  const counted = databaseUrl === null ? "" : " (PostgreSQL's estimates)";
  return `Migrations applied:\n${toMigrations(contents)}\n\nRows${counted}:\n${toRowCounts(contents)}`;
}

function toMigrations({ migrations }: DatabaseContents): string {
  return migrations.map(({ name, at }) => `  ${name}  ${new Date(at).toISOString()}`).join("\n");
}

function toRowCounts({ tables }: DatabaseContents): string {
  return toTable(
    tables.map(({ name, rows }) => [`  ${name}`, rows === null ? "not counted" : String(rows)]),
    null,
  );
}

function toMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MB`;
}
