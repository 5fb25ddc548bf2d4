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
