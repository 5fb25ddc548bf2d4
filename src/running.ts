// What all parts of a running server share, and how long each may take to stop.

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

/** Together less than the 10 s in which the server stops. */
export const patience = {
  requestsMs: 4_000,
  choresMs: 1_500,
  analysesMs: 2_500,
  sendsMs: 500,
  domainsMs: 500,
  deliveriesMs: 500,
  mailboxesMs: 300,
};

/** What the parts are built from. */
export type Running = {
  readonly config: Config;
  readonly system: System;
  readonly store: Store;
  readonly plans: Plans;
  /** Our host name in SMTP greetings and Authentication-Results. */
  readonly host: string;
  /** Identifies this process in claims. */
  readonly owner: string;
  readonly metrics: Metrics;
  readonly events: Events;
  /** The workspace for mail to addresses that are not seed addresses. */
  readonly catchAll: string | null;
  readonly intake: Intake;
  readonly hasRoom: IntakeRoom;
  /** Signs the tokens in mail that we send (mail/send-token.ts). */
  readonly sendKey: Uint8Array;
  /** Encrypts the secrets of webhooks. */
  readonly alertSealer: Sealer;
  readonly signing: SigningTerms;
  /** Encrypts the secrets of connections to other services. */
  readonly integrationSealer: Sealer;
  readonly oauth: OauthClient;
  readonly parts: AsyncDisposableStack;
};
