// What all parts of a running server share, and how long each may take to stop.

import { hostname } from "node:os";
import type { Dns } from "../analyzer/dns/answer.ts";
import type { AlertMailKeys } from "../features/alerts/rules/mail-token.ts";
import { alertSealing } from "../features/alerts/work/targets.ts";
import type { Plans } from "../features/billing/rules/plans.ts";
import { createSenderMemory, type SenderMemory } from "../features/domains/work/seen-senders.ts";
import { type Events, withEvents } from "../features/events/work/relay.ts";
import { createIntake, type Intake } from "../features/intake/rows/intake.ts";
import { createTurns, type Turns, withTurns } from "../features/intake/work/turns.ts";
import { integrationSealing } from "../features/mailboxes/oauth/access-tokens.ts";
import { createOauthClient, type OauthClient } from "../features/mailboxes/oauth/client.ts";
import { relaySealing } from "../features/monitors/work/relays.ts";
import type { Issuer } from "../features/oidc/rules.ts";
import { loginSealing } from "../features/oidc/work/tickets.ts";
import { createFirstOwner, type FirstOwner } from "../features/people/work/first-owner.ts";
import { factorSealing } from "../features/people/work/second-factors.ts";
import { type AnalysisWatch, createAnalysisWatch } from "../features/rehearsal/work/analysis-watch.ts";
import { type SigningTerms, signingSealing } from "../features/sending/work/signing-keys.ts";
import type { Metrics } from "../features/server/metrics/metrics.ts";
import type { IntakeRoom } from "../features/server/readiness/room.ts";
import type { ServiceState } from "../features/server/readiness/state.ts";
import { createServerSettings, type ServerSettings, settingSealing } from "../features/server/work/server-settings.ts";
import { createReportSigning, type ReportSigning } from "../features/signed-reports/rules/signing-key.ts";
import type { Store } from "../platform/database/store.ts";
import type { Config } from "../platform/settings/config.ts";
import { createSealer, type Sealer, type SecretKey } from "../platform/system/secret-key.ts";
import type { System } from "../platform/system/system.ts";

/** Together less than the 10 s in which the server stops. */
export const patience = {
  requestsMs: 4_000,
  choresMs: 1_500,
  analysesMs: 2_500,
  examinationsMs: 300,
  sendsMs: 500,
  domainsMs: 500,
  deliveriesMs: 500,
  mailboxesMs: 300,
};

/** Processor time of the thread on top of a message's DNS budget. A message that needs more never comes back. */
const analysisGraceMs = 5_000;
/** For what is done before and after the analysis itself. */
const leaseGraceMs = 5_000;

/** Processor time that a thread may use for a message, and how long its claim lasts without being extended. */
export function toAnalysisTimes({ analysisBudgetMs }: Pick<Config, "analysisBudgetMs">) {
  const deadlineMs = analysisBudgetMs + analysisGraceMs;
  return { deadlineMs, leaseMs: deadlineMs + leaseGraceMs };
}

/** What a server is given; the rest follows from it. */
export type RunningTerms = {
  readonly metrics: Metrics;
  readonly config: Config;
  readonly system: System;
  /** Names of the settings that the environment or the settings file sets. */
  readonly given: readonly string[];
  readonly store: Store;
  readonly plans: Plans;
  /** Whose people may log in. */
  readonly issuers: readonly Issuer[];
  readonly secretKey: SecretKey;
  /** Names this process in claims. */
  readonly owner: string;
  readonly events: Events;
  /** The workspace for mail to addresses that are not seed addresses. */
  readonly catchAll: string | null;
  readonly hasRoom: IntakeRoom;
  /** What keeps mail from being received, and what is postponed. */
  readonly service: ServiceState;
  /** Without a cache, so that a key that was just published is seen. */
  readonly uncachedDns: Dns;
  readonly parts: AsyncDisposableStack;
};

/** What the parts are built from. */
export type Running = Omit<RunningTerms, "secretKey" | "uncachedDns" | "given"> & {
  /** Our host name in SMTP greetings and Authentication-Results. */
  readonly host: string;
  readonly intake: Intake;
  readonly turns: Turns;
  /** Signs the marks of what we send (analyzer/mail/send-token.ts). */
  readonly sendKey: Uint8Array;
  readonly alertMailKeys: AlertMailKeys;
  /** Key of the tokens that prove ownership of a domain. */
  readonly verificationKey: Uint8Array;
  /** Signs the cookies of browsers that have logged in before. */
  readonly browserKey: Uint8Array;
  /** Encrypts the secrets of webhooks. */
  readonly alertSealer: Sealer;
  readonly signing: SigningTerms;
  /** Encrypts the URLs of relays. */
  readonly relaySealer: Sealer;
  /** Uses the key for authenticator apps. */
  readonly factorSealer: Sealer;
  /** Encrypts the secrets of connections to other services. */
  readonly integrationSealer: Sealer;
  /** Encrypts the tokens of sessions that began at an issuer, and logins under way. */
  readonly loginSealer: Sealer;
  readonly oauth: OauthClient;
  readonly senders: SenderMemory;
  readonly serverSettings: ServerSettings;
  readonly firstOwner: FirstOwner;
  readonly reportSigning: ReportSigning;
  /** Tells the rehearsals which messages are analyzed. */
  readonly analysisWatch: AnalysisWatch;
};

export function createRunning({ secretKey, uncachedDns, given, ...terms }: RunningTerms): Running {
  const { config, system, store, events } = terms;
  const turns = createTurns();
  const createSealerFor = (purpose: string) => createSealer(secretKey.derive(purpose), system.random);
  return {
    ...terms,
    host: config.smtpHostname ?? hostname(),
    intake: withTurns(withEvents(createIntake(store), events.publish), turns),
    turns,
    sendKey: secretKey.derive("send token"),
    alertMailKeys: { mark: secretKey.derive("alert mail"), unsubscribe: secretKey.derive("alert unsubscribe") },
    verificationKey: secretKey.derive("domain verification"),
    browserKey: secretKey.derive("known browser"),
    alertSealer: createSealerFor(alertSealing),
    signing: { system, sealer: createSealerFor(signingSealing), dns: uncachedDns },
    relaySealer: createSealerFor(relaySealing),
    factorSealer: createSealerFor(factorSealing),
    integrationSealer: createSealerFor(integrationSealing),
    loginSealer: createSealerFor(loginSealing),
    oauth: createOauthClient({ config, system }),
    senders: createSenderMemory(system.now),
    serverSettings: createServerSettings({ ...terms, given, sealer: createSealerFor(settingSealing) }),
    firstOwner: createFirstOwner(store, system),
    reportSigning: createReportSigning(secretKey.derive, config.smtpHostname ?? hostname()),
    analysisWatch: createAnalysisWatch(),
  };
}
