import { answer, type Command } from "./command.ts";
import { withStore } from "./with-store.ts";

export const backup: Command = {
  name: "backup",
  summary: "Copy the database to a file, beside a running server.",
  usage: "backup <file>",
  example: "assay backup /var/backups/assay.db",
  positionals: { min: 1, max: 1 },
  options: {},
  details: () =>
    "The copy is consistent and mode 0600. Keep secret.key from the data directory with it: without it, encrypted secrets are lost.",
  run: (args, terminal) =>
    withStore(args, terminal, async ({ store }) => {
      const file = args.positionals[0] ?? "";
      await store.backup(file);
      return answer(args, terminal, { file }, () => `Copied to ${file}.`);
    }),
};

export const rollupsRebuild: Command = {
  name: "rollups rebuild",
  summary: "Count the dashboard's sums anew from the tests, beside a running server.",
  usage: "rollups rebuild [--json]",
  example: "assay rollups rebuild",
  positionals: { min: 0, max: 0 },
  options: {},
  details: () =>
    "The sums keep themselves. This is for a database that was changed by hand, and for a new version that counts something else.",
  run: (args, terminal) =>
    withStore(args, terminal, async ({ store, system }) => {
      const { rebuildRollups } = await import("../tasks/tests/rollups.ts");
      const rebuilt = await rebuildRollups({ store, system });
      const { tests, correctedTests, correctedSums } = rebuilt;
      const text =
        correctedTests + correctedSums === 0
          ? `Counted ${tests} tests: all sums were right.`
          : `Counted ${tests} tests: corrected ${correctedTests} of them and ${correctedSums} sums.`;
      return answer(args, terminal, rebuilt, () => text);
    }),
};
