// What changed DNS records would do to the tests and the standing of a domain.

import { defineFeature } from "../../platform/server.ts";
import { whatIfRoutes } from "./routes.ts";
import { createDomainWhatIf, type DomainWhatIf } from "./work/imagine-domains.ts";
import { createWhatIf, type WhatIf } from "./work/imagine-tests.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly whatIf: WhatIf;
    readonly domainWhatIf: DomainWhatIf;
  }
}

export const whatIf = defineFeature({
  name: "what if",
  says: "Previews changed DNS records.",
  routes: whatIfRoutes,
  open: ({ store, askedThread: thread, system, testFinder }) => ({
    whatIf: createWhatIf({ store, thread, system }),
    domainWhatIf: createDomainWhatIf({ store, thread, system, testFinder }),
  }),
});
