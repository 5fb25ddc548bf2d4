// What receivers report: bounces, complaints, DMARC and TLS reports.

import { defineFeature } from "../../platform/server.ts";
import { bounceRoutes } from "./routes/bounces.ts";
import { feedbackRoutes, policyCoachRoutes } from "./routes/feedback.ts";
import { autoReplyRoutes, mailReportRoutes } from "./routes/mail-reports.ts";
import { createFeedbackChore } from "./work/evaluate-feedback.ts";

export const feedback = defineFeature({
  name: "feedback",
  says: "Turns reports of receivers into problems and advice.",
  paths: ["/arrivals", "/domains/:id/policy", "/feedback", "/feedback/bounces"],
  routes: [...feedbackRoutes, ...policyCoachRoutes, ...bounceRoutes, ...mailReportRoutes, ...autoReplyRoutes],
  chores: (server) => [createFeedbackChore(server)],
});
