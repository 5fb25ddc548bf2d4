// Webhooks that email providers call.

import { createRateLimit } from "../../platform/http/rate-limit.ts";
import { defineFeature } from "../../platform/server.ts";
import { createSealerFor } from "../../platform/system/secret-key.ts";
import { incomingHookRoutes } from "./routes.ts";
import { createHooks, type Hooks, hookSealing } from "./work/hooks.ts";
import { createHookReceiver, type ReceiveHook } from "./work/receive.ts";
import { hookSecrets } from "./work/secrets.ts";
import { tidyHooks } from "./work/tidy-hooks.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly hooks: Hooks;
    readonly receiveHook: ReceiveHook;
  }
}

/** A provider may post one event at a time, in bursts. Refused requests are retried by the provider. */
const hookLimit = { requests: 1_200, windowMs: 60_000 };
/** A provider calls the webhooks of all workspaces from a few addresses. */
const hookAddressLimit = { requests: 3_000, windowMs: 60_000 };

export const hooks = defineFeature({
  name: "hooks",
  says: "Takes bounces, complaints and mail from email services.",
  routes: incomingHookRoutes,
  secrets: hookSecrets,
  open: (server) => {
    const { config, system, events, baseUrl, arrivals } = server;
    const { now } = system;
    const sealer = createSealerFor(server, hookSealing);
    return {
      hooks: createHooks({ system, sealer, baseUrl }),
      receiveHook: createHookReceiver({
        ...server,
        sealer,
        publish: events.publish,
        maxMessageBytes: config.smtpMaxMessageBytes,
        findOwn: arrivals.find,
        onReceived: () => server.onReceived(),
        limitAddress: createRateLimit({ ...hookAddressLimit, now }),
        limitHook: createRateLimit({ ...hookLimit, now, whose: "to this webhook" }),
      }),
    };
  },
  tidy: ({ config, ...terms }) => tidyHooks(terms, config.retentionDays),
});
