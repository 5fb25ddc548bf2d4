// The settings of this run: the environment over the file of --config. Every wrong value is named in one refusal.

import { readFile } from "node:fs/promises";
import type { Config } from "../config.ts";
import { type Problem, parseSettingsFile, readConfig, type SettingSource } from "../config-reading.ts";
import { Refusal } from "../errors.ts";
import type { Arguments, Terminal } from "./command.ts";

export async function loadConfig(args: Arguments, terminal: Terminal): Promise<Config> {
  const path = args.option("config");
  const file =
    path === undefined ? { source: {}, problems: [] } : parseSettingsFile(await readSettingsFile(path));
  const reading = readConfig(terminal.environment, file.source satisfies SettingSource);
  const problems = [...file.problems, ...(reading.ok ? [] : reading.problems)];
  if (!reading.ok || problems.length > 0) throw new Refusal("invalid_request", toSentence(problems));
  for (const { name, problem } of reading.warnings) terminal.err(`${name} ${problem}.\n`);
  return reading.config;
}

function toSentence(problems: readonly Problem[]): string {
  const lines = problems.map(({ name, problem }) => `  ${name} ${problem}.`);
  const count = problems.length === 1 ? "A setting is wrong" : `${problems.length} settings are wrong`;
  return `${count}; nothing was started.\n${lines.join("\n")}`;
}

async function readSettingsFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(
      "invalid_request",
      `The settings file ${JSON.stringify(path)} cannot be read (${code ?? "unknown error"}).`,
    );
  }
}
