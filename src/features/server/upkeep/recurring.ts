// The installation's recurring chores. One process at a time runs each.

import type { Server } from "../../../platform/server.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import { endUnfinishedSends } from "../../sending/work/send-test.ts";
import { mayDeleteByAge } from "./clock.ts";
import { objectChores } from "./objects.ts";
import { type PruneOptions, pruneByAge, pruneBySize } from "./prune.ts";

type UpkeepTerms = Pick<Server, "config" | "system" | "store"> & Pick<PruneOptions, "onPruned">;

const hourMs = 3_600_000;
const tenMinutesMs = 600_000;

export function upkeepChores(terms: UpkeepTerms): Chore[] {
  const { retentionMaxBytes } = terms.config;
  const chores = objectChores(terms);
  if (retentionMaxBytes === null) return chores;
  const run: Chore["run"] = (stopping, serve) => pruneBySize({ ...terms, stopping, serve }, retentionMaxBytes);
  return [...chores, { id: "size", everyMs: tenMinutesMs, run }];
}

/** Also removes what is too old, whatever part of the product it belongs to. */
export function createHousekeeping(terms: UpkeepTerms & Pick<Server, "features">): Chore {
  const { config, system, store, features } = terms;
  const run: Chore["run"] = async (stopping, serve) => {
    await serve("unfinished sends", () => endUnfinishedSends(store, system.now(), false));
    if (await mayDeleteByAge(store, system)) {
      await serve("retention", () => pruneByAge({ ...terms, stopping, serve }, config.retentionDays));
      for (const { name, tidy } of features)
        await serve(name, async () => tidy?.({ config, store, system, stopping, serve }));
    }
    await store.sqlite?.tidy(stopping);
  };
  return { id: "housekeeping", everyMs: hourMs, run };
}
