// Signed reports: files that anybody can verify without the server.

import { defineFeature } from "../../platform/server.ts";
import { signedReportRoutes } from "./routes.ts";
import { createReportSigning, type ReportSigning } from "./rules/signing-key.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly reportSigning: ReportSigning;
  }
}

export const signedReports = defineFeature({
  name: "signed reports",
  says: "Signs reports, so that others can rely on them.",
  routes: signedReportRoutes,
  open: ({ secretKey, host }) => ({ reportSigning: createReportSigning(secretKey.derive, host) }),
});
