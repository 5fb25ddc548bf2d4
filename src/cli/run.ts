// argv → command → exit code.

import { Refusal, type RefusalCode } from "../errors.ts";
import { type Command, type ExitCode, exitCodes, parseArguments, type Terminal, toHelp } from "./command.ts";
import { commands } from "./commands.ts";
import { toOverview } from "./help.ts";

export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first] = argv;
  if (first === undefined || first === "--help" || first === "-h")
    return showOverview(terminal, first === undefined);
  const list = await commands();
  if (first === "--version") return run(["version"], terminal);
  const command = list.find(({ name }) => name.split(" ").every((word, index) => argv[index] === word));
  if (!command) return refuseUnknown(list, argv, terminal);
  const parsed = parseArguments(command, argv.slice(command.name.split(" ").length));
  if (!parsed.ok) {
    terminal.err(`${parsed.problem} Usage: assay ${command.usage}\n`);
    return exitCodes.wrongUse;
  }
  if (parsed.args.flag("help")) {
    terminal.out(toHelp(command));
    return exitCodes.fine;
  }
  return runRefusably(() => command.run(parsed.args, terminal), terminal);
}

/** Refusals that name what the person typed; the others are about the world. */
const wrongUse: ReadonlySet<RefusalCode> = new Set([
  "invalid_request",
  "missing_name",
  "invalid_email",
  "invalid_url",
]);

/** A refusal is one sentence; anything else is a fault of ours and keeps its stack. */
async function runRefusably(work: () => Promise<ExitCode>, terminal: Terminal): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) terminal.err(`${error.message}\n`);
    else terminal.err(`Internal error. ${error instanceof Error ? error.stack : String(error)}\n`);
    return error instanceof Refusal && wrongUse.has(error.code) ? exitCodes.wrongUse : exitCodes.failed;
  }
}

async function showOverview(terminal: Terminal, isWrongUse: boolean): Promise<ExitCode> {
  const overview = toOverview(await commands());
  if (isWrongUse) terminal.err(overview);
  else terminal.out(overview);
  return isWrongUse ? exitCodes.wrongUse : exitCodes.fine;
}

function refuseUnknown(list: readonly Command[], argv: readonly string[], terminal: Terminal): ExitCode {
  const family = list.filter(({ name }) => name.startsWith(`${argv[0]} `));
  const wanted = JSON.stringify(argv[0]);
  const sentence =
    family.length > 0
      ? `assay ${argv[0]} takes one of: ${family.map(({ name }) => name.split(" ")[1]).join(", ")}.`
      : `There is no command ${wanted}. assay help lists the commands.`;
  terminal.err(`${sentence}\n`);
  return exitCodes.wrongUse;
}
