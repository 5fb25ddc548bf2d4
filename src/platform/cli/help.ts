import { findClosest } from "../closest-word.ts";
import { type Command, exitCodes, toHelp } from "./command.ts";
import { program, toTyped } from "./invocation.ts";

export type CommandGroup = { readonly title: string; readonly commands: readonly Command[] };

export const createHelp = (readGroups: () => Promise<readonly CommandGroup[]>): Command => ({
  group: "maintain",
  name: "help",
  summary: "List all commands, or show help for one.",
  usage: "help [command]",
  example: "assay help token create",
  positionals: { min: 0, max: 2 },
  run: async (args, terminal) => {
    const groups = await readGroups();
    const list = groups.flatMap(({ commands }) => commands);
    const wanted = args.positionals.join(" ");
    const found = list.find(({ name }) => name === wanted);
    const family = list.filter(({ name }) => name.startsWith(`${wanted} `));
    if (wanted !== "" && !found && family.length === 0) {
      terminal.err(toUnknown(wanted, list));
      return exitCodes.wrongUse;
    }
    if (found) terminal.out(toHelp(found, terminal.columns));
    else terminal.out(family.length > 0 ? `${toLines(family).join("\n")}\n` : toOverview(groups));
    return exitCodes.fine;
  },
});

export function toUnknown(wanted: string, list: readonly Command[]): string {
  const meant = findClosest(
    wanted,
    list.map(({ name }) => name),
  );
  const next = meant === undefined ? `To list all commands: ${program} help` : `Did you mean ${meant}?`;
  return `Unknown command ${JSON.stringify(wanted)}. ${next}\n`;
}

export function toOverview(groups: readonly CommandGroup[]): string {
  const width = widthOf(groups.flatMap(({ commands }) => commands));
  return [
    "Assay tests and monitors email deliverability.",
    "",
    `Usage: ${toTyped("assay <command> [options]")}`,
    ...groups.flatMap(({ title, commands }) => ["", title, ...toLines(commands, width)]),
    "",
    `Help for a command:  ${program} help <command>`,
    `All settings:        ${program} help serve`,
    "",
  ].join("\n");
}

function toLines(list: readonly Command[], width = widthOf(list)): string[] {
  return list.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}

function widthOf(list: readonly Command[]): number {
  return Math.max(...list.map(({ name }) => name.length));
}
