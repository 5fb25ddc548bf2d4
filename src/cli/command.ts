// What a command is: a value with its own help. `run` gets parsed arguments and the terminal, and answers an exit code.

import { parseArgs } from "node:util";

export const exitCodes = { fine: 0, failed: 1, wrongUse: 2, notWhollyChecked: 3, nothingCame: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The only way a command meets the process: what it may read and where it may write. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  /** How wide its lines are; null where nobody sees lines, as in a pipe. */
  readonly columns: number | null;
  readonly colour: boolean;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Standard input to its end. */
  readonly readInput: () => Promise<Uint8Array>;
  /** Calls back at SIGINT and SIGTERM, until told to end. */
  readonly onSignal: (listener: (signal: string) => void) => () => void;
  readonly exitNow: (code: number) => never;
};

export type Option = {
  readonly doc: string;
  /** Name of the value in the help; an option without one is a switch. */
  readonly value?: string;
  /** It may be given several times. */
  readonly isList?: boolean;
};

export type Arguments = {
  readonly positionals: readonly string[];
  readonly option: (name: string) => string | undefined;
  /** All values of an option that is a list. */
  readonly list: (name: string) => readonly string[];
  readonly flag: (name: string) => boolean;
};

export type Command = {
  /** One word, or two ("token create"). */
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly example: string;
  readonly positionals: { readonly min: number; readonly max: number };
  readonly options: Readonly<Record<string, Option>>;
  /** More lines for the help, made when asked. */
  readonly details?: () => string;
  readonly run: (args: Arguments, terminal: Terminal) => Promise<ExitCode>;
};

/** The options that every command takes. */
const commonOptions: Readonly<Record<string, Option>> = {
  config: {
    value: "file",
    doc: "Read settings from this file: NAME=value lines, and comment lines that begin with #; the environment wins.",
  },
  json: { doc: "Answer in JSON, for machines." },
  help: { doc: "Show this help." },
};

/** One line of JSON for machines, or the text for people. */
export function answer(args: Arguments, terminal: Terminal, json: unknown, text: () => string): ExitCode {
  terminal.out(`${args.flag("json") ? JSON.stringify(json) : text()}\n`);
  return exitCodes.fine;
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
      args: [...argv],
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
    // Node's sentence for a wrong option; its second sentence explains an escape that nobody needs here.
    const problem = error instanceof Error ? (error.message.split(/\. |\n/)[0] ?? "") : "";
    return { ok: false, problem: problem.replace(/\.?$/, ".") };
  }
}

export function toHelp(command: Command): string {
  const options = Object.entries({ ...command.options, ...commonOptions }).map(([name, option]) => ({
    left: `--${name}${option.value ? ` <${option.value}>` : ""}`,
    doc: option.doc,
  }));
  const width = Math.max(...options.map(({ left }) => left.length));
  return [
    `${command.summary}`,
    "",
    `Usage:    assay ${command.usage}`,
    `Example:  ${command.example}`,
    "",
    "Options:",
    ...options.map(({ left, doc }) => `  ${left.padEnd(width)}  ${doc}`),
    ...(command.details ? ["", command.details()] : []),
    "",
  ].join("\n");
}

function countPositionals(command: Command, args: Arguments): ParsedArguments {
  const { min, max } = command.positionals;
  const count = args.positionals.length;
  if (count < min) return { ok: false, problem: "Something is missing." };
  if (count > max) return { ok: false, problem: `Unexpected: ${JSON.stringify(args.positionals[max])}.` };
  return { ok: true, args };
}
