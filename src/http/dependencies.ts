import type { Plans } from "../accounts/plans.ts";
import type { AnswerMcp } from "../api/mcp.ts";
import type { Receiving } from "../api/receiving.ts";
import type { TroubleCode } from "../api/server-state-words.ts";
import type { ChangeableSetting, Config } from "../config.ts";
import type { ReportSigning } from "../signed-reports/signing-key.ts";
import type { Store } from "../store/store.ts";
import type { System } from "../system/system.ts";
import type { AccountMail } from "../tasks/accounts/account-mail.ts";
import type { Accounts } from "../tasks/accounts/accounts.ts";
import type { FirstOwner } from "../tasks/accounts/first-owner.ts";
import type { ResetRequests } from "../tasks/accounts/reset-requests.ts";
import type { SecondFactorLogin } from "../tasks/accounts/second-factor-login.ts";
import type { SecondFactors } from "../tasks/accounts/second-factors.ts";
import type { AlertAddresses } from "../tasks/alerts/addresses.ts";
import type { Alerts } from "../tasks/alerts/alerts.ts";
import type { AlertMailer } from "../tasks/alerts/mailer.ts";
import type { FailureCount } from "../tasks/audit/failures.ts";
import type { Payments } from "../tasks/billing/payments.ts";
import type { Integrations } from "../tasks/connections/integrations.ts";
import type { DoctorOnCall } from "../tasks/doctor/on-call.ts";
import type { DomainWatcher } from "../tasks/domains/watcher.ts";
import type { DomainWhatIf } from "../tasks/domains/what-if.ts";
import type { EventHub } from "../tasks/events/hub.ts";
import type { Hooks } from "../tasks/hooks/hooks.ts";
import type { ReceiveHook } from "../tasks/hooks/receive.ts";
import type { ReceiveUpload } from "../tasks/intake/receive-upload.ts";
import type { Mailboxes } from "../tasks/mailboxes/mailboxes.ts";
import type { Oidc } from "../tasks/oidc/oidc.ts";
import type { ServiceState } from "../tasks/readiness/state.ts";
import type { Removals } from "../tasks/removal/undoable.ts";
import type { Canaries } from "../tasks/sending/canaries.ts";
import type { Laboratory } from "../tasks/sending/laboratory.ts";
import type { Relays } from "../tasks/sending/relays.ts";
import type { SampleSender } from "../tasks/sending/send-test.ts";
import type { SigningKeys } from "../tasks/sending/signing-keys.ts";
import type { Unsubscriber } from "../tasks/sending/unsubscribe.ts";
import type { ServerSettings } from "../tasks/server-settings.ts";
import type { Comparer } from "../tasks/tests/comparer.ts";
import type { ReadDashboard } from "../tasks/tests/dashboard.ts";
import type { Examiner } from "../tasks/tests/examiner.ts";
import type { ExportTests } from "../tasks/tests/export-tests.ts";
import type { TestFinder } from "../tasks/tests/find-tests.ts";
import type { Reanalyze } from "../tasks/tests/reanalyze.ts";
import type { Viewer } from "../tasks/tests/viewer.ts";
import type { WhatIf } from "../tasks/tests/what-if.ts";
import type { Metrics } from "./metrics.ts";

/** What the handlers need. */
export type Dependencies = {
  readonly config: Pick<
    Config,
    | ChangeableSetting
    | "seedDomains"
    | "metricsToken"
    | "trustedProxies"
    | "smtpMaxMessageBytes"
    | "baseUrl"
    | "login"
    | "smtpHostname"
    | "smtpTlsCert"
    | "smtpProxyFrom"
    | "clamdAddress"
    | "rspamdUrl"
    | "spamdAddress"
  >;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly store: Store;
  readonly plans: Plans;
  /** Null if there is no payment provider. */
  readonly payments: Payments | null;
  /** The workspace for mail to addresses that are not seed addresses. */
  readonly catchAll: string | null;
  readonly metrics: Metrics;
  readonly accounts: Accounts;
  readonly accountMail: AccountMail;
  readonly resetRequests: Pick<ResetRequests, "request">;
  /** For one client, and for all of them together. */
  readonly resetLimits: Readonly<Record<"client" | "server", (address: string) => void>>;
  readonly countFailedLogin: FailureCount;
  readonly oidc: Oidc;
  /** Each counts a request of a client's address, or refuses it. */
  readonly oidcLimits: Readonly<Record<"logIn" | "logOut", (address: string) => void>>;
  readonly secondFactors: SecondFactors;
  readonly secondFactorLogin: SecondFactorLogin;
  readonly firstOwner: FirstOwner;
  readonly alerts: Alerts;
  readonly alertMailer: Pick<AlertMailer, "missing" | "from">;
  readonly alertAddresses: AlertAddresses;
  readonly signingKeys: SigningKeys;
  readonly integrations: Integrations;
  readonly mailboxes: Pick<Mailboxes, "connect" | "changePassword">;
  readonly testFinder: TestFinder;
  readonly removals: Pick<Removals, "mark" | "undo">;
  readonly receiveUpload: ReceiveUpload;
  readonly hooks: Hooks;
  readonly receiveHook: ReceiveHook;
  readonly reanalyze: Reanalyze;
  readonly whatIf: WhatIf;
  readonly comparer: Comparer;
  readonly viewer: Viewer;
  readonly examiner: Pick<Examiner, "demand">;
  readonly events: EventHub;
  readonly doctor: DoctorOnCall;
  readonly serverSettings: ServerSettings;
  /** The SMTP listeners with their real ports. The type is the API's, because edges don't import one another. */
  readonly readListeners: () => readonly Receiving["listeners"][number][];
  readonly exportTests: ExportTests;
  readonly readDashboard: ReadDashboard;
  readonly relays: Omit<Relays, "open">;
  readonly canaries: Canaries;
  readonly sampleSender: Pick<SampleSender, "send">;
  readonly unsubscriber: Unsubscriber;
  readonly laboratory: Pick<Laboratory, "send">;
  readonly domainWatcher: Pick<DomainWatcher, "checkNow">;
  readonly domainWhatIf: DomainWhatIf;
  /** The MCP server. It is given from outside, because edges don't import one another. */
  readonly answerMcp: AnswerMcp;
  readonly reportSigning: ReportSigning;
  /** Key of the tokens that prove ownership of a domain. */
  readonly verificationKey: Uint8Array;
  /** Files of the web app by name. Empty if it wasn't built. */
  readonly webFiles: ReadonlyMap<string, Uint8Array>;
  readonly version: string;
  /** The base of links, without a trailing slash. Known once the server listens. */
  readonly baseUrl: () => string;
  /** What must be true for /readyz. */
  readonly readiness: readonly ReadinessCheck[];
  readonly service: ServiceState;
};

export type ReadinessCheck = {
  readonly code: TroubleCode;
  /** Completes "Not ready: …". */
  readonly trouble: string;
  /** The web app works without it. */
  readonly isForMail?: boolean;
  readonly holds: () => boolean | Promise<boolean>;
};
