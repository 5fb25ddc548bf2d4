// What receivers report: bounces, complaints, DMARC and TLS reports.

import { builtIn, type SenderTable, toSenderTable } from "../../analyzer/senders/name-sender.ts";
import { defineFeature } from "../../platform/server.ts";
import { bounceRoutes } from "./routes/bounces.ts";
import { feedbackRoutes, policyCoachRoutes } from "./routes/feedback.ts";
import { autoReplyRoutes, mailReportRoutes } from "./routes/mail-reports.ts";
import { sourceRoutes } from "./routes/sources.ts";
import { removeUnseen } from "./rows/reverse-names.ts";
import { createFeedbackChore } from "./work/evaluate-feedback.ts";
import { loadNetworks } from "./work/networks.ts";
import { createOldSourcesChore } from "./work/old-sources.ts";
import { createReverseNamesChore } from "./work/reverse-names.ts";
import { createSenderFacts, type FindSenderFacts } from "./work/sender-facts.ts";
import { readSendersFile } from "./work/senders-file.ts";
import { feedbackStanding } from "./work/standing.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly senderTable: SenderTable;
    /** Reverse DNS and networks of addresses, as far as they are known. */
    readonly findSenderFacts: FindSenderFacts;
  }
}

/** As long as the messages of its reports are kept by default. */
const unseenKeptMs = 100 * 86_400_000;

export const feedback = defineFeature({
  name: "feedback",
  says: "Turns reports of receivers into problems and advice.",
  paths: ["/arrivals", "/domains/:id/policy", "/feedback", "/feedback/bounces"],
  routes: [
    ...feedbackRoutes,
    ...policyCoachRoutes,
    ...sourceRoutes,
    ...bounceRoutes,
    ...mailReportRoutes,
    ...autoReplyRoutes,
  ],
  standing: feedbackStanding,
  check: (config) => Promise.all([loadNetworks(config), readSendersFile(config)]),
  open: async ({ store, system, config }) => {
    const { rows, bad } = await readSendersFile(config);
    if (bad > 0) system.log.warn("senders.csv has rows that can’t be read", { rows: bad });
    return {
      senderTable: rows.length === 0 ? builtIn : toSenderTable(rows),
      findSenderFacts: createSenderFacts(store, config, await loadNetworks(config)),
    };
  },
  tidy: ({ store, system }) => store.write((db) => removeUnseen(db, system.now() - unseenKeptMs)),
  chores: (server) => [createFeedbackChore(server), createReverseNamesChore(server), createOldSourcesChore(server)],
});
