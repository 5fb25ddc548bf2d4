// The list of commands. It is loaded when it is needed, so that the version guard in main.ts runs before any of them.

import { type Command, type ExitCode, type Terminal, commandGroups as titles } from "./platform/cli/command.ts";
import { type CommandGroup, createHelp } from "./platform/cli/help.ts";
import { runCommand } from "./platform/cli/run.ts";

/** Within a group, the help lists the commands in this order. */
const modules: readonly (() => Promise<object>)[] = [
  () => import("./features/server/command/config.ts"),
  () => import("./features/server/command/doctor.ts"),
  () => import("./features/tests/command/analyze.ts"),
  () => import("./features/domains/command/domain.ts"),
  () => import("./features/domains/command/spf.ts"),
  () => import("./features/tests/command/address.ts"),
  () => import("./features/sending/command.ts"),
  () => import("./features/tests/command/wait.ts"),
  () => import("./features/tests/command/tests.ts"),
  () => import("./features/tests/command/learn.ts"),
  () => import("./features/rehearsal/command.ts"),
  () => import("./features/streams/command.ts"),
  () => import("./features/monitors/command.ts"),
  () => import("./features/unsubscribe/command.ts"),
  () => import("./features/alerts/command.ts"),
  () => import("./features/mcp/command.ts"),
  () => import("./features/people/command/user.ts"),
  () => import("./features/people/command/emergency.ts"),
  () => import("./features/people/command/token.ts"),
  () => import("./features/backups/command/backup.ts"),
  () => import("./features/backups/command/restore.ts"),
  () => import("./features/server/command/secret-key.ts"),
  () => import("./features/audit-log/command.ts"),
  () => import("./features/server/command/messages.ts"),
  () => import("./features/dashboard/command.ts"),
  () => import("./features/server/command/version.ts"),
];

export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  // A server would keep the other commands in memory until it ends.
  const groups = argv[0] === "serve" ? [{ title: titles.run, commands: [await loadServe()] }] : await commandGroups();
  return await runCommand(argv, terminal, groups, async () => (await import("./server.ts")).features);
}

export async function commands(): Promise<readonly Command[]> {
  const [serve, ...loaded] = await Promise.all([loadServe(), ...modules.map((load) => load())]);
  const found = loaded.flatMap((module): unknown[] => Object.values(module)).filter(isCommand);
  return [serve, ...found, createHelp(commandGroups)];
}

async function loadServe(): Promise<Command> {
  const { createServe } = await import("./features/server/command/serve.ts");
  return createServe(() => import("./server.ts"));
}

export async function commandGroups(): Promise<readonly CommandGroup[]> {
  const byGroup = Map.groupBy(await commands(), ({ group }) => group);
  return Object.entries(titles).map(([group, title]) => ({
    title,
    commands: byGroup.get(group as Command["group"]) ?? [],
  }));
}

function isCommand(value: unknown): value is Command {
  return typeof value === "object" && value !== null && "group" in value && "run" in value;
}
