// Two reports side by side, and the causes of a changed score.

import { defineFeature } from "../../platform/server.ts";
import { comparisonRoutes } from "../tests/routes/reanalysis.ts";
import { type Comparer, createComparer } from "./work/comparer.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly comparer: Comparer;
  }
}

export const compare = defineFeature({
  name: "compare",
  says: "Compares reports.",
  paths: ["/tests/:id/compare/:other"],
  routes: comparisonRoutes,
  open: ({ store, askedThread: thread, splitThread, system }) => ({
    comparer: createComparer({ store, thread, splitThread, system }),
  }),
});
