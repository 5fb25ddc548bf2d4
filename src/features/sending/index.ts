// Mail that Assay sends: samples, and the keys that sign them.

import type { toObservedProvider } from "../../analyzer/reports/observation.ts";
import type { Sighting } from "../../analyzer/reports/sighting.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { defineFeature, stopTimes } from "../../platform/server.ts";
import { createSealerFor } from "../../platform/system/secret-key.ts";
import type { System } from "../../platform/system/system.ts";
import { createHostResolver, createTargetGuard } from "../../platform/system/target-guard.ts";
import { sendRoutes } from "./routes/sends.ts";
import { signingKeyRoutes } from "./routes/signing-keys.ts";
import { createChangeableTransport, validateRelayUrl } from "./work/guarded-relay.ts";
import { signingSecrets } from "./work/secrets.ts";
import { createSampleSender, forgetOldSends, type SampleSender } from "./work/send-test.ts";
import {
  createSigningKeys,
  createSignOutgoing,
  type SigningKeys,
  type SigningTerms,
  signingSealing,
} from "./work/signing-keys.ts";
import { createLoopbackTransport, createRelayTransport, type MailTransport } from "./work/transports.ts";

declare module "../../platform/server.ts" {
  interface Feature {
    /** What we sent came back to its return path as a bounce. In the transaction that records it. */
    readonly onSendBounced?: (
      scope: Scope,
      sendId: string,
      problem: string | null,
      system: Pick<System, "now" | "random">,
    ) => Promise<unknown>;
  }
  interface Server {
    /** Signs the marks of what we send (analyzer/mail/send-token.ts). */
    readonly sendKey: Uint8Array;
    readonly signing: SigningTerms;
    readonly signOutgoing: ReturnType<typeof createSignOutgoing>;
    readonly sampleTransport: MailTransport;
    readonly laboratoryTransport: MailTransport;
    readonly signingKeys: SigningKeys;
    readonly sampleSender: Pick<SampleSender, "send">;
    /** Whether a seed mailbox has this address. */
    readonly isSeedMailbox: (scope: Scope, address: string) => Promise<boolean>;
    /** Whether a feature sent this message in a seed mailbox and knows it now. Then no test is looked for. */
    readonly noteSent: (scope: Scope, mailbox: SeenIn, sighting: Sighting) => Promise<boolean>;
  }
}

type SeenIn = Parameters<typeof toObservedProvider>[0];

export const sending = defineFeature({
  name: "sending",
  says: "Sends samples to seed inboxes, signed.",
  secrets: signingSecrets,
  routes: [...sendRoutes, ...signingKeyRoutes],
  open: (server) => {
    const { config, system, secretKey, serverSettings, uncachedDns: dns, host } = server;
    const signing = { system, sealer: createSealerFor(server, signingSealing), dns };
    const loopback = createLoopbackTransport({
      name: host,
      listens: () => server.smtpListens,
      proxyFrom: config.smtpProxyFrom,
      expect: (...expected) => server.arrivals.expect(...expected),
    });
    // The operator's own settings may name a private host. What is set in the app may not.
    const allow = config.allowPrivateTargets;
    const findAddresses = createTargetGuard({ allow, resolveHost: createHostResolver(system.dns) });
    serverSettings.beforeChange("sendSmtpUrl", async (url) => {
      if (url !== null) await validateRelayUrl(url, config, findAddresses, "value");
    });
    const { sendSmtpUrl } = config;
    const isFixed = sendSmtpUrl !== null && serverSettings.sourceOf("sendSmtpUrl") !== "saved";
    return {
      sendKey: secretKey.derive("send token"),
      signing,
      signOutgoing: createSignOutgoing(signing),
      sampleTransport: isFixed
        ? createRelayTransport(sendSmtpUrl, host)
        : createChangeableTransport(() => config.sendSmtpUrl, { name: host, findAddresses }, loopback),
      laboratoryTransport: loopback,
      signingKeys: createSigningKeys(signing),
      isSeedMailbox: async () => false,
      noteSent: async () => false,
    };
  },
  tidy: ({ store, system, config }) => forgetOldSends(store, system.now(), config.retentionDays),
});

/** Samples: they go where mail is received. */
export const samples = defineFeature({
  name: "samples",
  says: "Sends a sample or a member's own message.",
  open: (server) => {
    const { sampleTransport: road, signOutgoing: sign, parts } = server;
    const sampleSender = createSampleSender({ ...server, road, sign });
    parts.defer(() => sampleSender.stop(stopTimes.sendsMs));
    return { sampleSender };
  },
});
