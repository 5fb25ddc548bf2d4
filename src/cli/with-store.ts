// For commands that can run next to a server. They use the same data directory and their own database connection.

import type { Plans } from "../accounts/plans.ts";
import { name } from "../api/primitives.ts";
import type { Config } from "../config.ts";
import { Refusal } from "../errors.ts";
import type { Store } from "../store/store.ts";
import type { SecretKey } from "../system/secret-key.ts";
import type { System } from "../system/system.ts";
import type { Arguments, ExitCode, Terminal } from "./command.ts";
import { loadConfig } from "./settings.ts";

type CommandContext = {
  readonly config: Config;
  readonly system: System;
  readonly store: Store;
  readonly plans: Plans;
  readonly secretKey: SecretKey;
};

export async function withStore(
  args: Arguments,
  terminal: Terminal,
  work: (context: CommandContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const config = await loadConfig(args, terminal);
  const [{ createSystem }, { openInstallation, prepareDataDirectory }, { refuseToOvertakeServer }] =
    await Promise.all([
      import("../system/real.ts"),
      import("../installation.ts"),
      import("../store/open.ts"),
    ]);
  const system = createSystem(config, {
    write: terminal.err,
    format: "text",
    colour: terminal.colour,
    level: "warn",
  });
  try {
    await prepareDataDirectory(config.dataDir);
    const beforeMigration = () => refuseToOvertakeServer(config.dataDir);
    const { store, plans, secretKey } = await openInstallation(config, system, { beforeMigration });
    return await work({ config, system, store, plans, secretKey }).finally(store.close);
  } finally {
    await system.close();
  }
}

/** The same rule as in the API, so that the command line creates nothing that the API would reject. */
export function readName(text: string | undefined, what: string): string {
  const reading = name.safeParse(text ?? "");
  if (!reading.success) throw new Refusal("missing_name", `${what} must have 1 to 100 characters.`);
  return reading.data;
}
