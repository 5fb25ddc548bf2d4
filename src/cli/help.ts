import { type Command, exitCodes, toHelp } from "./command.ts";
import { commands } from "./commands.ts";

export const help: Command = {
  name: "help",
  summary: "List the commands, or explain one.",
  usage: "help [command]",
  example: "assay help token create",
  positionals: { min: 0, max: 2 },
  options: {},
  run: async (args, terminal) => {
    const list = await commands();
    const wanted = args.positionals.join(" ");
    const found = list.find(({ name }) => name === wanted);
    const family = list.filter(({ name }) => name.startsWith(`${wanted} `));
    if (wanted !== "" && !found && family.length === 0) {
      terminal.err(`There is no command ${JSON.stringify(wanted)}. assay help lists the commands.\n`);
      return exitCodes.wrongUse;
    }
    terminal.out(found ? toHelp(found) : toOverview(family.length > 0 ? family : list));
    return exitCodes.fine;
  },
};

export function toOverview(list: readonly Command[]): string {
  const width = Math.max(...list.map(({ name }) => name.length));
  return [
    "Assay tests and monitors e-mail deliverability. One process, one data file.",
    "",
    "Usage: assay <command> [options]",
    "",
    ...list.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "assay help <command> explains one. Settings are environment variables; assay help serve lists them.",
    "",
  ].join("\n");
}
