// Finds the command for the arguments, runs it and returns its exit code.

import { findClosest } from "../closest-word.ts";
import { Refusal, type RefusalCode } from "../errors.ts";
import {
  type Command,
  CommandFailure,
  type ExitCode,
  exitCodes,
  type LoadFeatures,
  parseArguments,
  type Terminal,
  toHelp,
} from "./command.ts";
import { type CommandGroup, toOverview, toUnknown } from "./help.ts";
import { program } from "./invocation.ts";

export async function runCommand(
  argv: readonly string[],
  terminal: Terminal,
  groups: readonly CommandGroup[],
  features: LoadFeatures,
): Promise<ExitCode> {
  const [first] = argv;
  if (first === undefined || first === "--help" || first === "-h")
    return showOverview(groups, terminal, first === undefined);
  if (first === "--version") return runCommand(["version"], terminal, groups, features);
  const list = groups.flatMap(({ commands }) => commands);
  const command = list.find(({ name }) => name.split(" ").every((word, index) => argv[index] === word));
  if (!command) return refuseUnknown(list, argv, terminal);
  const parsed = parseArguments(command, argv.slice(command.name.split(" ").length));
  if (!parsed.ok) {
    terminal.err(`${parsed.problem} For help: ${program} ${command.name} --help\n`);
    return exitCodes.wrongUse;
  }
  if (parsed.args.flag("help")) {
    terminal.out(toHelp(command, terminal.columns));
    return exitCodes.fine;
  }
  return runRefusably(() => command.run(parsed.args, terminal, features), terminal);
}

/** Errors in what the person typed. The others are about the state of the server. */
const wrongUse: ReadonlySet<RefusalCode> = new Set(["invalid_request", "missing_name", "invalid_email", "invalid_url"]);

/** A refusal is shown as its sentence. Anything else is a bug and shows its stack. */
async function runRefusably(work: () => Promise<ExitCode>, terminal: Terminal): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandFailure) {
      terminal.err(`${error.message}\n`);
      return error.exitCode;
    }
    if (error instanceof Refusal) terminal.err(`${error.message}\n`);
    else terminal.err(`Internal error. ${error instanceof Error ? error.stack : String(error)}\n`);
    return error instanceof Refusal ? toExitCode(error) : exitCodes.failed;
  }
}

function toExitCode({ code, details }: Refusal): ExitCode {
  if (details.needsOperator) return exitCodes.needsOperator;
  return wrongUse.has(code) ? exitCodes.wrongUse : exitCodes.failed;
}

function showOverview(groups: readonly CommandGroup[], terminal: Terminal, isWrongUse: boolean): ExitCode {
  const overview = toOverview(groups, false, terminal.columns);
  if (isWrongUse) terminal.err(overview);
  else terminal.out(overview);
  return isWrongUse ? exitCodes.wrongUse : exitCodes.fine;
}

function refuseUnknown(list: readonly Command[], argv: readonly string[], terminal: Terminal): ExitCode {
  const [first = "", second = ""] = argv;
  const family = list.filter(({ name }) => name.startsWith(`${first} `));
  const isFamily = family.length > 0 && findClosest(`${first} ${second}`, namesOf(family)) === undefined;
  terminal.err(
    isFamily
      ? `Incomplete command ${JSON.stringify(first)}. Use one of: ${namesOf(family).join(", ")}.\n`
      : toUnknown(toMeant(list, first, second).trim(), list),
  );
  return exitCodes.wrongUse;
}

/** The first word alone, unless it and the next are close to a command of two words. */
function toMeant(list: readonly Command[], first: string, second: string): string {
  const both = `${first} ${second}`;
  return findClosest(both, namesOf(list)) === undefined ? first : both;
}

function namesOf(list: readonly Command[]): string[] {
  return list.map(({ name }) => name);
}
