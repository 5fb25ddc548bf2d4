// For commands that can run next to a server. They use the same data directory and their own database connection.

import { hostname, userInfo } from "node:os";
import { type Intent, recorded } from "../../../platform/audit/rows/recording.ts";
import type { Arguments, ExitCode, Terminal } from "../../../platform/cli/command.ts";
import { loadSettings } from "../../../platform/cli/settings.ts";
import { name } from "../../../platform/contract/primitives.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { SecretKey } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Plans } from "../../people/rules/plans.ts";

export type CommandContext = {
  readonly config: Config;
  readonly system: System;
  readonly store: Store;
  readonly plans: Plans;
  readonly secretKey: SecretKey;
};

/** `deed`: what the audit log records. Absent for a command that changes nothing. */
export async function withStore(
  args: Arguments,
  terminal: Terminal,
  work: (context: CommandContext) => Promise<ExitCode>,
  deed?: Deed,
): Promise<ExitCode> {
  const { config, given } = await loadSettings(args, terminal);
  const [{ createSystem }, { openInstallation, prepareDataDirectory }, { refuseToOvertakeServer }] = await Promise.all([
    import("../../../platform/system/real.ts"),
    import("../installation.ts"),
    import("../../../platform/database/open.ts"),
  ]);
  const system = createSystem(config, { write: terminal.err, format: "text", colour: terminal.colour, level: "warn" });
  try {
    await prepareDataDirectory(config.dataDir);
    const beforeMigration = () => refuseToOvertakeServer(config.dataDir);
    const { store, plans, secretKey } = await openInstallation(config, system, given, { beforeMigration });
    const context = { config, system, store, plans, secretKey };
    const run = () => work(context);
    return await (deed === undefined ? run() : recorded({ store, system }, toIntent(deed), run)).finally(store.close);
  } finally {
    await system.close();
  }
}

/** The parts of an intent that a command decides. */
type Deed = Pick<Intent, "action" | "object" | "objectId" | "effect" | "request"> & { readonly log?: Intent["log"] };

/** By the user of the operating system. */
export function toIntent(deed: Deed): Intent {
  const by = { type: "command", id: null, name: readOperator(), email: null } as const;
  return { ...deed, by, address: null, workspaceId: null, log: deed.log ?? "workspace" };
}

/** A container may have a user without a name. */
export function readOperator(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return hostname();
  }
}

/** The same rule as in the API, so that the command line creates nothing that the API would reject. */
export function readName(text: string | undefined, what: string): string {
  const reading = name.safeParse(text ?? "");
  if (!reading.success) throw new Refusal("missing_name", `${what} must have 1 to 100 characters.`);
  return reading.data;
}
