// Reads the settings of this run from the environment and the file of --config. All wrong values are reported together.

import { readFile } from "node:fs/promises";
import { Refusal } from "../errors.ts";
import type { Config } from "../settings/config.ts";
import { type Problem, parseSettingsFile, readConfig, type SettingSource } from "../settings/config-reading.ts";
import type { Arguments, Terminal } from "./command.ts";
import { toFileReason } from "./input-files.ts";

export async function loadConfig(args: Arguments, terminal: Terminal): Promise<Config> {
  return (await loadSettings(args, terminal)).config;
}

export async function loadSettings(
  args: Arguments,
  terminal: Terminal,
): Promise<{ readonly config: Config; readonly given: readonly string[] }> {
  const path = args.option("config");
  const file = path === undefined ? { source: {}, problems: [] } : parseSettingsFile(await readSettingsFile(path));
  const reading = readConfig(terminal.environment, file.source satisfies SettingSource);
  const problems = [...file.problems, ...(reading.ok ? [] : reading.problems)];
  if (!reading.ok || problems.length > 0) throw new Refusal("invalid_request", toMessage(problems));
  for (const warning of reading.warnings) terminal.err(`${toSentence(warning)}\n`);
  return reading;
}

function toMessage(problems: readonly Problem[]): string {
  const lines = problems.map((problem) => `  ${toSentence(problem)}`);
  const count = problems.length === 1 ? "1 setting is invalid" : `${problems.length} settings are invalid`;
  return `${count}. Assay did not start.\n${lines.join("\n")}`;
}

function toSentence({ name, problem }: Problem): string {
  return `${name} ${problem}${problem.endsWith("?") ? "" : "."}`;
}

async function readSettingsFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new Refusal(
      "invalid_request",
      `Cannot read the settings file ${JSON.stringify(path)}: ${toFileReason(error)}.`,
    );
  }
}
