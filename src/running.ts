// What every part of a running server stands on, and how long each may take to end.

import type { Plans } from "./accounts/plans.ts";
import type { Config } from "./config.ts";
import type { Metrics } from "./http/metrics.ts";
import type { Intake } from "./store/intake/intake.ts";
import type { Store } from "./store/store.ts";
import type { Sealer } from "./system/secret-key.ts";
import type { System } from "./system/system.ts";
import type { Events } from "./tasks/events/relay.ts";
import type { IntakeRoom } from "./tasks/intake/receive-message.ts";
import type { OauthClient } from "./tasks/oauth/client.ts";
import type { SigningTerms } from "./tasks/sending/signing-keys.ts";

/** Together under the 10 s in which a stop ends. */
export const patience = {
  requestsMs: 4_000,
  choresMs: 1_500,
  analysesMs: 2_500,
  sendsMs: 500,
  domainsMs: 500,
  deliveriesMs: 500,
  mailboxesMs: 300,
};

/** What the parts are built of. */
export type Running = {
  readonly config: Config;
  readonly system: System;
  readonly store: Store;
  readonly plans: Plans;
  /** The name that we greet with and sign our verdicts as. */
  readonly host: string;
  /** Names this process in claims. */
  readonly owner: string;
  readonly metrics: Metrics;
  readonly events: Events;
  /** The workspace that takes what no inbox does. */
  readonly catchAll: string | null;
  readonly intake: Intake;
  readonly hasRoom: IntakeRoom;
  /** Signs the marks of what we send (mail/send-token.ts). */
  readonly sendKey: Uint8Array;
  /** Of what webhooks keep secret. */
  readonly alertSealer: Sealer;
  readonly signing: SigningTerms;
  /** Of what connections to other services keep secret. */
  readonly integrationSealer: Sealer;
  readonly oauth: OauthClient;
  readonly parts: AsyncDisposableStack;
};
