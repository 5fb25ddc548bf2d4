// Alerts: notifications by webhook, chat, or mail.

import { defineFeature, stopTimes } from "../../platform/server.ts";
import { createSealerFor, type Sealer } from "../../platform/system/secret-key.ts";
import { createAlertMailer } from "../sending/work/alert-mailer.ts";
import { alertPageRoutes } from "./routes/alert-pages.ts";
import { alertRoutes } from "./routes/alerts.ts";
import { tidyAddresses } from "./rows/addresses.ts";
import { type AlertInterest, readAlertInterest } from "./rows/alerts.ts";
import { readOldestWait } from "./rows/outbox.ts";
import type { AlertMailKeys } from "./rules/mail-token.ts";
import { type AlertAddresses, createAlertAddresses } from "./work/addresses.ts";
import { type Alerts, createAlerts } from "./work/alerts.ts";
import { createAlertDeliverer } from "./work/deliver.ts";
import type { AlertMailer } from "./work/mailer.ts";
import { alertSecrets } from "./work/secrets.ts";
import { alertSealing } from "./work/targets.ts";
import { tidyOutbox } from "./work/tidy-outbox.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly alerts: Alerts;
    readonly alertMailer: AlertMailer;
    readonly alertAddresses: AlertAddresses;
    readonly alertMailKeys: AlertMailKeys;
    /** Encrypts the secrets of webhooks. */
    readonly alertSealer: Sealer;
  }
  interface WorkspaceSettings {
    readonly alertInterest: AlertInterest;
  }
}

/** As long as a confirmation link works. */
const confirmationsKeptMs = 48 * 3_600_000;

export const alerts = defineFeature({
  name: "alerts",
  says: "Tells people when something drifts, scores low, or bounces.",
  secrets: alertSecrets,
  paths: ["/alerts", "/alerts/:id"],
  routes: [...alertRoutes, ...alertPageRoutes],
  open: (server) => {
    const { config, system, store, plans, secretKey, baseUrl, sampleTransport: road, signOutgoing: sign } = server;
    const keys = { mark: secretKey.derive("alert mail"), unsubscribe: secretKey.derive("alert unsubscribe") };
    const sealer = createSealerFor(server, alertSealing);
    const mailer = createAlertMailer({ config, system, keys, sign, road });
    const addresses = createAlertAddresses({ store, system, mailer, baseUrl });
    return {
      alertMailKeys: keys,
      alertSealer: sealer,
      alertMailer: mailer,
      alertAddresses: addresses,
      alerts: createAlerts({ config, system, plans, sealer, baseUrl, mailer, addresses }),
    };
  },
  readSettings: async (db, workspaceId) => ({ alertInterest: await readAlertInterest(db, workspaceId) }),
  // What a rate limit or a retry holds isn't late.
  duties: { "alert deliveries": { oldest: (db, { system }) => readOldestWait(db, system.now()), withinMs: 7_200_000 } },
  start: (server) => {
    const { metrics, parts, alertMailer: mailer } = server;
    const deliverer = createAlertDeliverer({ ...server, mailer, onTried: metrics.noteDelivery });
    parts.defer(() => deliverer.stop(stopTimes.deliveriesMs));
    deliverer.start();
  },
  tidy: async ({ store, system, stopping, serve }) => {
    await tidyOutbox(store, stopping, serve);
    await store.write((db) => tidyAddresses(db, system.now() - confirmationsKeptMs));
  },
});
