import { findClosest } from "../closest-word.ts";
import { toTable } from "../table.ts";
import { type Command, exitCodes, toHelp } from "./command.ts";
import { program, toTyped } from "./invocation.ts";

export type CommandGroup = { readonly title: string; readonly commands: readonly Command[] };

export const createHelp = (readGroups: () => Promise<readonly CommandGroup[]>): Command => ({
  group: "maintain",
  name: "help",
  summary: "List the commands, or show help for one.",
  usage: "help [all | command]",
  example: "assay help token create",
  positionals: { min: 0, max: 2 },
  run: async (args, terminal) => {
    const groups = await readGroups();
    const list = groups.flatMap(({ commands }) => commands);
    const wanted = args.positionals.join(" ");
    const found = list.find(({ name }) => name === wanted);
    const family = list.filter(({ name }) => name.startsWith(`${wanted} `));
    const isOverview = wanted === "" || wanted === "all";
    if (!isOverview && !found && family.length === 0) {
      terminal.err(toUnknown(wanted, list));
      return exitCodes.wrongUse;
    }
    if (found) terminal.out(toHelp(found, terminal.columns));
    else if (isOverview) terminal.out(toOverview(groups, wanted === "all", terminal.columns));
    else terminal.out(`${toLines(family, terminal.columns)}\n`);
    return exitCodes.fine;
  },
});

export function toUnknown(wanted: string, list: readonly Command[]): string {
  const meant = findClosest(
    wanted,
    list.map(({ name }) => name),
  );
  const next = meant === undefined ? `To list all commands: ${program} help all` : `Did you mean ${meant}?`;
  return `Unknown command ${JSON.stringify(wanted)}. ${next}\n`;
}

export function toOverview(groups: readonly CommandGroup[], isWhole: boolean, columns: number | null): string {
  const list = groups.flatMap(({ commands }) => commands);
  const shown = isWhole ? list : list.filter(({ isFirst }) => isFirst);
  const width = widthOf(shown);
  return [
    "Assay tests and monitors email deliverability.",
    "",
    `Usage: ${toTyped("assay <command> [options]")}`,
    ...(isWhole
      ? groups.flatMap(({ title, commands }) => ["", title, toLines(commands, columns, width)])
      : ["", toLines(shown, columns, width)]),
    "",
    ...(isWhole ? [] : [`${`All ${list.length} commands:`.padEnd(20)} ${program} help all`]),
    `Help for a command:  ${program} help <command>`,
    `All settings:        ${program} help serve`,
    "",
  ].join("\n");
}

function toLines(list: readonly Command[], columns: number | null, width = widthOf(list)): string {
  const rows = list.map(({ name, summary }) => [`  ${name.padEnd(width)}`, summary]);
  return toTable(rows, columns);
}

function widthOf(list: readonly Command[]): number {
  return Math.max(...list.map(({ name }) => name.length));
}
