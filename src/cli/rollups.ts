import { answer, type Command } from "./command.ts";
import { withStore } from "./with-store.ts";

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
      const { rebuildRollups } = await import("../tasks/rebuild-rollups.ts");
      const rebuilt = await rebuildRollups({ store, system });
      const { tests, correctedTests, correctedSums } = rebuilt;
      const text =
        correctedTests + correctedSums === 0
          ? `Counted ${tests} tests: all sums were right.`
          : `Counted ${tests} tests: corrected ${correctedTests} of them and ${correctedSums} sums.`;
      return answer(args, terminal, rebuilt, () => text);
    }),
};
