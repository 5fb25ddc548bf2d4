// What receivers report: bounces, complaints, DMARC and TLS reports.

import { builtIn, type SenderTable } from "../../analyzer/senders/name-sender.ts";
import { defineFeature } from "../../platform/server.ts";
import { bounceRoutes } from "./routes/bounces.ts";
import { feedbackRoutes, policyCoachRoutes } from "./routes/feedback.ts";
import { autoReplyRoutes, mailReportRoutes } from "./routes/mail-reports.ts";
import { sourceRoutes } from "./routes/sources.ts";
import { createFeedbackChore } from "./work/evaluate-feedback.ts";
import { createSenderFacts, type SenderFacts } from "./work/sender-facts.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly senderTable: SenderTable;
    /** Reverse DNS and networks of addresses, as far as they are known. */
    readonly findSenderFacts: (addresses: readonly string[]) => Promise<ReadonlyMap<string, SenderFacts>>;
  }
}

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
  open: ({ store, config }) => ({ senderTable: builtIn, findSenderFacts: createSenderFacts(store, config) }),
  chores: (server) => [createFeedbackChore(server)],
});
