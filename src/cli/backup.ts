import { migrations } from "../store/migrations/list.ts";
import type { Store } from "../store/store.ts";
import { unpackAddon } from "../system/assets.ts";
import { answer, type Command } from "./command.ts";
import { withStore } from "./with-store.ts";

export const backup: Command = {
  name: "backup",
  summary: "Copy the database to a file. The server can keep running.",
  usage: "backup <file>",
  example: "assay backup /var/backups/assay.db",
  positionals: { min: 1, max: 1 },
  options: {},
  details: () =>
    "The copy is consistent and has mode 0600. It is verified after it was written. Also back up secret.key from the data\ndirectory. Without it, the encrypted secrets in the copy cannot be read.",
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ config, store }) => {
        const file = args.positionals[0] ?? "";
        await store.backup(file);
        const { verifyCopy } = await import("../store/engine/restore.ts");
        const copy = { file, addonFile: unpackAddon(config.dataDir) };
        const { tests, bytes } = verifyCopy(copy, migrations.length);
        const outside = await countOutside(store);
        const saved = `Backup saved to ${file} and verified: ${tests} ${tests === 1 ? "test" : "tests"}.`;
        return answer(args, terminal, { file, tests, bytes, messagesOutside: outside }, () =>
          outside === 0
            ? saved
            : `${saved}\nRaw messages stored outside the database are not in it: ${outside}. Copy these too: see the handbook page "Object storage".`,
        );
      },
      { action: "backup.create", isBefore: true, request: { file: args.positionals[0] }, log: "server" },
    ),
};

async function countOutside({ read }: Pick<Store, "read">): Promise<number> {
  const { countObjects } = await import("../store/tests/objects.ts");
  return await countObjects(read);
}

export const rollupsRebuild: Command = {
  name: "rollups rebuild",
  summary: "Recalculate the dashboard totals. The server can keep running.",
  usage: "rollups rebuild [--json]",
  example: "assay rollups rebuild",
  positionals: { min: 0, max: 0 },
  options: {},
  details: () =>
    "The totals are kept up to date automatically. Use this after you change the database by hand, or after an upgrade that\ncounts differently.",
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ store, system }) => {
        const { rebuildRollups } = await import("../tasks/tests/rollups.ts");
        const rebuilt = await rebuildRollups({ store, system });
        const { tests, correctedTests, correctedSums } = rebuilt;
        const text =
          correctedTests + correctedSums === 0
            ? `Counted ${tests} tests. All totals were correct.`
            : `Counted ${tests} tests. Corrected ${correctedTests} tests and ${correctedSums} totals.`;
        return answer(args, terminal, rebuilt, () => text);
      },
      { action: "rollup.rebuild", isBefore: true, log: "server" },
    ),
};
