import { answer, type Command } from "../../platform/cli/command.ts";
import { withStore } from "../server/command/with-store.ts";

export const rollupsRebuild: Command = {
  group: "maintain",
  name: "rollups rebuild",
  summary: "Recalculate the totals on Home. The server can keep running.",
  usage: "rollups rebuild [--json]",
  example: "assay rollups rebuild",
  details: () =>
    "The totals are kept up to date automatically. Use this after you change the database by hand, or after an upgrade that\ncounts differently.",
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ store, system }) => {
        const { rebuildRollups } = await import("./work/rollups.ts");
        const rebuilt = await rebuildRollups({ store, system });
        const { tests, correctedTests, correctedSums } = rebuilt;
        const text =
          correctedTests + correctedSums === 0
            ? `Counted ${tests} tests. All totals were correct.`
            : `Counted ${tests} tests. Corrected ${correctedTests} tests and ${correctedSums} totals.`;
        return answer(args, terminal, rebuilt, () => text);
      },
      { action: "rollup.rebuild", effect: "outside", log: "server" },
    ),
};
