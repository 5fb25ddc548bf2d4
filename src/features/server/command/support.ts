// Everything that someone who helps needs, in one text file that a person can read before sending it.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { version } from "../../../analyzer/version.ts";
import { toVisible } from "../../../analyzer/visible-text.ts";
import {
  type Arguments,
  answer,
  type Command,
  type ExitCode,
  type LoadFeatures,
  type Terminal,
} from "../../../platform/cli/command.ts";
import { readInputFile } from "../../../platform/cli/input-files.ts";
import { messageOf, Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { parseSettingsFile, type SettingSource } from "../../../platform/settings/config-reading.ts";
import { createPrivateFile, fileReasons } from "../../../platform/system/private-file.ts";
import { loadWithSaved } from "./saved-settings.ts";
import { createMask, listSecrets, maskLogLine } from "./support-masks.ts";
import { machineSection, type Section, toSections, toText } from "./support-sections.ts";

const what =
  "It has versions, settings without secrets, the server check, readiness, file sizes, applied migrations, row counts, metrics, and the last log lines. It has no messages, subjects, reports, tokens, or passwords. Email addresses, and public IP addresses in log lines, are left out. Names of your servers and domains are in it.";

export const support: Command = {
  group: "run",
  name: "support",
  summary: "Collect what someone who helps you needs, in one text file. Nothing is sent.",
  usage: "support [--output <file>] [--log <file>] [--config <file>] [--json]",
  example: "assay support --config /etc/assay.env",
  options: {
    output: { value: "file", doc: "File to write. Default: assay-support-<date>.txt in this folder." },
    log: {
      value: "file",
      doc: "Take log lines from this file instead of the systemd journal, for example one that docker logs wrote.",
    },
  },
  details: () => `${what}\n\nIt also works when the server doesn't start or its settings are wrong.`,
  run: writeSupportFile,
};

async function writeSupportFile(args: Arguments, terminal: Terminal, features: LoadFeatures): Promise<ExitCode> {
  const now = Date.now();
  const file = resolve(args.option("output") ?? toFileName(now));
  const content = await collect({ args, terminal, features }, now);
  await createFile(file, content);
  return answer(
    args,
    terminal,
    { file, bytes: Buffer.byteLength(content), sent: false },
    () => `Written: ${toVisible(file)}\n\n${what}\n\nNothing was sent. Read the file before you send it.`,
  );
}

function toFileName(now: number): string {
  const time = new Date(now).toISOString().slice(0, 16).replace("T", "-").replace(":", "");
  return `assay-support-${time}.txt`;
}

/** Readable only by the user, and never in place of another file. */
async function createFile(file: string, content: string): Promise<void> {
  try {
    await createPrivateFile(file, content);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const reason = { ...fileReasons, EEXIST: "it exists", ENOENT: "its folder does not exist" }[code] ?? code;
    throw new Refusal("invalid_request", `Cannot write ${JSON.stringify(file)}: ${reason}.`);
  }
}

/** What an invalid setting contains: it may be a part of a secret. */
const givenValue = /, not "(?:[^"\\]|\\.)*"/g;

type Asked = { readonly args: Arguments; readonly terminal: Terminal; readonly features: LoadFeatures };

async function collect({ args, terminal, features }: Asked, now: number): Promise<string> {
  const logSection: Section = { title: "Log", read: () => readLog(args) };
  const sources = [terminal.environment, await readSource(args)];
  const parts = [await toText(machineSection)];
  let config: Config | null = null;
  try {
    const loaded = await loadWithSaved(args, terminal);
    config = loaded.config;
    parts.push(...(await readInstalled(loaded, features)));
  } catch (error) {
    const problem = messageOf(error).replace(givenValue, "");
    parts.push(await toText({ title: "Settings", read: async () => problem }));
  }
  parts.push(await toText(logSection));
  const mask = createMask(listSecrets(sources, config, await readKey(config)));
  const head = `Assay support file, version ${version}, ${new Date(now).toISOString()}\n\n${what}\n\n(hidden) and (left out) stand for what was removed, (address) for an address.\n`;
  return [head, ...parts]
    .map((part) => part.split("\n").map(toVisible).join("\n"))
    .map(mask)
    .join("\n");
}

async function readInstalled(
  { config, given }: Awaited<ReturnType<typeof loadWithSaved>>,
  features: LoadFeatures,
): Promise<string[]> {
  const [{ createSystem }, { createProbes }] = await Promise.all([
    import("../../../platform/system/real.ts"),
    import("../../../platform/system/doctor-probes.ts"),
  ]);
  const system = createSystem(config, { write: () => {}, format: "text", level: "error" });
  const probes = createProbes(config, system.now);
  try {
    const texts: string[] = [];
    for (const section of toSections({ config, system, probes, features }, given)) texts.push(await toText(section));
    return texts;
  } finally {
    probes.close();
    await system.close();
  }
}

/** The settings file, as far as it can be read. */
async function readSource(args: Arguments): Promise<SettingSource> {
  const path = args.option("config");
  if (path === undefined) return {};
  return parseSettingsFile(await readFile(path, "utf8").catch(() => "")).source;
}

async function readKey(config: Config | null): Promise<string | null> {
  if (config === null) return null;
  const { readKeyText } = await import("../../../platform/system/secret-key.ts");
  return await readKeyText(config).catch(() => null);
}

const keptLines = 500;

async function readLog(args: Arguments): Promise<string> {
  const path = args.option("log");
  const lines = path === undefined ? await readJournalLines() : await readLogFile(path);
  return typeof lines === "string" ? lines : lines.slice(-keptLines).map(maskLogLine).join("\n");
}

async function readJournalLines(): Promise<readonly string[] | string> {
  const { readJournal } = await import("../../../platform/system/journal.ts");
  const reading = await readJournal();
  return reading.ok
    ? reading.lines
    : `${reading.problem} To include the log, write it into a file and pass it with --log.`;
}

async function readLogFile(path: string): Promise<readonly string[]> {
  const text = Buffer.from(await readInputFile(path)).toString("utf8");
  return text.split("\n").filter((line) => line !== "");
}
