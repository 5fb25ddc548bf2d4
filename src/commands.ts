// The list of commands. It is loaded when it is needed, so that the version guard in main.ts runs before any of them.

import { type Command, type ExitCode, type Terminal, commandGroups as titles } from "./platform/cli/command.ts";
import { type CommandGroup, createHelp } from "./platform/cli/help.ts";
import { runCommand } from "./platform/cli/run.ts";

type Module = readonly [firstWords: string, load: () => Promise<object>];

/**
 * With the first words of their commands, because to load all takes half a second. Within a group, the help lists the
 * commands in this order.
 */
const modules: readonly Module[] = [
  ["config", () => import("./features/server/command/config.ts")],
  ["doctor", () => import("./features/server/command/doctor.ts")],
  ["analyze", () => import("./features/tests/command/analyze.ts")],
  ["domain", () => import("./features/domains/command/domain.ts")],
  ["spf", () => import("./features/domains/command/spf.ts")],
  ["address", () => import("./features/tests/command/address.ts")],
  ["send send-sample", () => import("./features/sending/command.ts")],
  ["wait", () => import("./features/tests/command/wait.ts")],
  ["report tests upload", () => import("./features/tests/command/tests.ts")],
  ["learn", () => import("./features/tests/command/learn.ts")],
  ["rehearsal", () => import("./features/rehearsal/command.ts")],
  ["streams", () => import("./features/streams/command.ts")],
  ["monitor", () => import("./features/monitors/command.ts")],
  ["unsubscribe", () => import("./features/unsubscribe/command.ts")],
  ["alerts", () => import("./features/alerts/command.ts")],
  ["mcp", () => import("./features/mcp/command.ts")],
  ["setup-link user workspace", () => import("./features/people/command/user.ts")],
  ["user", () => import("./features/people/command/emergency.ts")],
  ["token", () => import("./features/people/command/token.ts")],
  ["backup", () => import("./features/backups/command/backup.ts")],
  ["restore", () => import("./features/backups/command/restore.ts")],
  ["secret-key", () => import("./features/server/command/secret-key.ts")],
  ["audit", () => import("./features/audit-log/command.ts")],
  ["messages", () => import("./features/server/command/messages.ts")],
  ["rollups", () => import("./features/dashboard/command.ts")],
  ["version", () => import("./features/server/command/version.ts")],
];

export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first = ""] = argv;
  const word = first === "--version" ? "version" : first;
  const isMeant = ([words]: Module) => words.split(" ").includes(word);
  // A server would keep other commands in memory until it ends.
  const meant = word === "serve" ? [await loadServe()] : await load(modules.filter(isMeant));
  const groups = meant.length > 0 ? toGroups(meant) : await commandGroups();
  return await runCommand(argv, terminal, groups, async () => (await import("./server.ts")).features);
}

export async function commands(): Promise<readonly Command[]> {
  const [serve, loaded] = await Promise.all([loadServe(), load(modules)]);
  return [serve, ...loaded, createHelp(commandGroups)];
}

async function load(some: readonly Module[]): Promise<Command[]> {
  const loaded = await Promise.all(some.map(([, importIt]) => importIt()));
  return loaded.flatMap((module): unknown[] => Object.values(module)).filter(isCommand);
}

async function loadServe(): Promise<Command> {
  const { createServe } = await import("./features/server/command/serve.ts");
  return createServe(() => import("./server.ts"));
}

export async function commandGroups(): Promise<readonly CommandGroup[]> {
  return toGroups(await commands());
}

function toGroups(some: readonly Command[]): readonly CommandGroup[] {
  const byGroup = Map.groupBy(some, ({ group }) => group);
  return Object.entries(titles).map(([group, title]) => ({
    title,
    commands: byGroup.get(group as Command["group"]) ?? [],
  }));
}

function isCommand(value: unknown): value is Command {
  return typeof value === "object" && value !== null && "group" in value && "run" in value;
}
