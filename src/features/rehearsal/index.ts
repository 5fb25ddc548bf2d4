// Rehearsals: addresses that answer as a mailbox provider would.

import { defineFeature } from "../../platform/server.ts";
import { rehearsalRoutes } from "./routes.ts";
import { createAnalysisWatch } from "./work/analysis-watch.ts";
import { createJudge, judgeBounds } from "./work/judge.ts";
import { createRehearsals } from "./work/rehearsals.ts";

export const rehearsal = defineFeature({
  name: "rehearsal",
  says: "Answers a sender as a mailbox provider would, and watches what it does.",
  routes: rehearsalRoutes,
  open: (server) => {
    const { config, store, system } = server;
    const watch = createAnalysisWatch();
    const judge = createJudge({
      store,
      watch,
      now: system.now,
      bounds: judgeBounds,
      reanalyze: (test) => server.reanalyze({ ...test, dns: "live" }),
    });
    const rehearsals = createRehearsals({
      store,
      system,
      watch,
      judge,
      receive: async (message) => {
        const [testId = ""] = await server.receive(message);
        return testId;
      },
      // Without a base URL, only clients on this machine can open the server's own address.
      toLink: (testId, isLocal) =>
        config.baseUrl !== null || isLocal ? `${server.baseUrl()}/tests/${testId}` : testId,
    });
    return { rehearsals, onEnded: watch.note };
  },
});
