// A command is a value with its own help. `run` gets the parsed arguments and the terminal, and returns an exit code.

import type { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { toVisibleJson } from "../../analyzer/visible-text.ts";
import { findClosest } from "../closest-word.ts";
import type { Feature } from "../server.ts";
import { toTable } from "../table.ts";
import { toTyped } from "./invocation.ts";

/** Public, because pipelines decide by them (src/decisions.md, "Command line"). */
export const exitCodes = {
  fine: 0,
  failed: 1,
  wrongUse: 2,
  notWhollyChecked: 3,
  nothingCame: 4,
  tokenRejected: 5,
  serverFailed: 6,
  /** EX_CONFIG of sysexits.h: only a person can fix it. */
  needsOperator: 78,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with an exit code that its sentence explains. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = "CommandFailure";
    this.exitCode = exitCode;
  }
}

/** Everything that a command may use of the process: what it reads and where it writes. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  /** The width of its lines. Null: not a terminal, so lines are not wrapped. */
  readonly columns: number | null;
  readonly colour: boolean;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Standard input to its end. */
  readonly readInput: () => Promise<Uint8Array>;
  /** Standard input as it comes. */
  readonly openInput: () => Readable;
  /** Calls back on SIGINT and SIGTERM. Returns a function that stops this. */
  readonly onSignal: (listener: (signal: string) => void) => () => void;
  /** Resolves when what was written has been read. */
  readonly drained: () => Promise<void>;
  readonly exitNow: (code: number) => never;
};

/** The list of features, which only some commands need. */
export type LoadFeatures = () => Promise<readonly Feature[]>;

export type Option = {
  readonly doc: string;
  /** Name of the value in the help. An option without one is a switch. */
  readonly value?: string;
  /** Can be repeated. */
  readonly isList?: boolean;
};

export type Arguments = {
  readonly positionals: readonly string[];
  readonly option: (name: string) => string | undefined;
  /** All values of an option that can be repeated. */
  readonly list: (name: string) => readonly string[];
  readonly flag: (name: string) => boolean;
};

/** The parts of the list of commands, in their order. */
export const commandGroups = {
  run: "Run",
  test: "Test messages and domains",
  use: "Use a server",
  people: "Workspaces and people",
  maintain: "Maintain",
} as const;

export type Command = {
  readonly group: keyof typeof commandGroups;
  /** One word, or two ("token create"). */
  readonly name: string;
  readonly summary: string;
  /** The first help screen lists it. */
  readonly isFirst?: true;
  readonly usage: string;
  readonly example: string;
  /** Left out: none. */
  readonly positionals?: { readonly min: number; readonly max: number };
  /** Besides those that every command takes. */
  readonly options?: Readonly<Record<string, Option>>;
  /** More text for the help. */
  readonly details?: (columns: number | null) => string;
  readonly run: (args: Arguments, terminal: Terminal, features: LoadFeatures) => Promise<ExitCode>;
};

/** The options that every command takes. */
const commonOptions: Readonly<Record<string, Option>> = {
  config: {
    value: "file",
    doc: "Read settings from this file, one NAME=value per line. Environment variables take precedence.",
  },
  json: { doc: "Print JSON." },
  help: { doc: "Show this help." },
};

/** Prints one line of JSON with --json, otherwise the text. */
export function answer(args: Arguments, terminal: Terminal, json: unknown, text: () => string): ExitCode {
  terminal.out(`${args.flag("json") ? toVisibleJson(json) : text()}\n`);
  return exitCodes.fine;
}

/** The codes that a command uses, one per line. */
export function toExitCodeHelp(meanings: Readonly<Record<number, string>>): string {
  const lines = Object.entries(meanings).map(([code, meaning]) => `  ${code}  ${meaning}`);
  return ["Exit codes:", ...lines].join("\n");
}

type ParsedArguments =
  | { readonly ok: true; readonly args: Arguments }
  | { readonly ok: false; readonly problem: string };

export function parseArguments(command: Command, argv: readonly string[]): ParsedArguments {
  const known = { ...command.options, ...commonOptions };
  const options = Object.fromEntries(
    Object.entries(known).map(([name, option]) => [
      name,
      { type: option.value ? ("string" as const) : ("boolean" as const), multiple: option.isList === true },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: joinDashes(argv, options),
      options,
      allowPositionals: true,
      strict: true,
    });
    const args: Arguments = {
      positionals,
      option: (name) => (typeof values[name] === "string" ? values[name] : undefined),
      list: (name) => [values[name] ?? []].flat().filter((value) => typeof value === "string"),
      flag: (name) => values[name] === true,
    };
    return args.flag("help") ? { ok: true, args } : countPositionals(command, args);
  } catch (error) {
    return { ok: false, problem: toOptionProblem(error, Object.keys(known)) };
  }
}

/** No option has one dash, so a value may begin with one: `--query -label:ci`. `parseArgs` only takes it after =. */
function joinDashes(
  argv: readonly string[],
  options: Readonly<Record<string, { readonly type: "string" | "boolean" }>>,
): string[] {
  const joined: string[] = [];
  const end = argv.indexOf("--");
  for (const [index, arg] of argv.entries()) {
    const before = joined.at(-1) ?? "";
    const takesValue = before.startsWith("--") && options[before.slice(2)]?.type === "string";
    if (takesValue && /^-[^-]/.test(arg) && (end < 0 || index < end)) joined[joined.length - 1] = `${before}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

function toOptionProblem(error: unknown, known: readonly string[]): string {
  // Node's first sentence is enough. The second one explains how to pass arguments that look like options.
  const problem = error instanceof Error ? (error.message.split(/\. |\n/)[0] ?? "") : "";
  const [, unknown] = /^Unknown option '--(.*)'/.exec(problem) ?? [];
  if (unknown === undefined) return problem.replace(/\.?$/, ".");
  const meant = findClosest(unknown, known);
  return `Unknown option --${unknown}.${meant === undefined ? "" : ` Did you mean --${meant}?`}`;
}

export function toHelp(command: Command, columns: number | null): string {
  const options = Object.entries({ ...command.options, ...commonOptions }).map(([name, option]) => [
    `  --${name}${option.value ? ` <${option.value}>` : ""}`,
    option.doc,
  ]);
  return [
    `${command.summary}`,
    "",
    `Usage:    ${toTyped(`assay ${command.usage}`)}`,
    `Example:  ${toTyped(command.example)}`,
    "",
    "Options:",
    toTable(options, columns),
    ...(command.details ? ["", command.details(columns)] : []),
    "",
  ].join("\n");
}

function countPositionals(command: Command, args: Arguments): ParsedArguments {
  const { min, max } = command.positionals ?? { min: 0, max: 0 };
  const count = args.positionals.length;
  if (count < min) return { ok: false, problem: `Missing argument: ${toFirstArgument(command)}.` };
  if (count > max) return { ok: false, problem: `Unexpected argument: ${JSON.stringify(args.positionals[max])}.` };
  return { ok: true, args };
}

/** "<file.eml>" in "analyze <file.eml>… [options]". */
function toFirstArgument({ usage }: Command): string {
  return /<[^<>]{1,40}>/.exec(usage)?.[0] ?? "";
}
