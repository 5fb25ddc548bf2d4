import type { AlertAddresses } from "../features/alerts/work/addresses.ts";
import type { Alerts } from "../features/alerts/work/alerts.ts";
import type { AlertMailer } from "../features/alerts/work/mailer.ts";
import type { FailureCount } from "../features/audit-log/work/failures.ts";
import type { Plans } from "../features/billing/rules/plans.ts";
import type { Payments } from "../features/billing/work/payments.ts";
import type { Comparer } from "../features/compare/work/comparer.ts";
import type { ReadDashboard } from "../features/dashboard/work/dashboard.ts";
import type { DomainWatcher } from "../features/domains/work/watcher.ts";
import type { EventHub } from "../features/events/work/hub.ts";
import type { Hooks } from "../features/hooks/work/hooks.ts";
import type { ReceiveHook } from "../features/hooks/work/receive.ts";
import type { Receiving } from "../features/intake/contract/receiving.ts";
import type { ReceiveUpload } from "../features/intake/work/receive-upload.ts";
import type { Integrations } from "../features/mailboxes/connections/integrations.ts";
import type { Mailboxes } from "../features/mailboxes/work/mailboxes.ts";
import type { AnswerMcp } from "../features/mcp/contract.ts";
import type { Canaries } from "../features/monitors/work/canaries.ts";
import type { Relays } from "../features/monitors/work/relays.ts";
import type { Oidc } from "../features/oidc/work/oidc.ts";
import type { AccountMail } from "../features/people/work/account-mail.ts";
import type { Accounts } from "../features/people/work/accounts.ts";
import type { FirstOwner } from "../features/people/work/first-owner.ts";
import type { ResetRequests } from "../features/people/work/reset-requests.ts";
import type { SecondFactorLogin } from "../features/people/work/second-factor-login.ts";
import type { SecondFactors } from "../features/people/work/second-factors.ts";
import type { Laboratory } from "../features/samples/work.ts";
import type { SampleSender } from "../features/sending/work/send-test.ts";
import type { SigningKeys } from "../features/sending/work/signing-keys.ts";
import type { DoctorOnCall } from "../features/server/doctor/on-call.ts";
import type { Metrics } from "../features/server/metrics/metrics.ts";
import type { ServiceState } from "../features/server/readiness/state.ts";
import type { ServerSettings } from "../features/server/work/server-settings.ts";
import type { ReportSigning } from "../features/signed-reports/rules/signing-key.ts";
import type { Examiner } from "../features/tests/work/examiner.ts";
import type { ExportTests } from "../features/tests/work/export-tests.ts";
import type { TestFinder } from "../features/tests/work/find-tests.ts";
import type { Reanalyze } from "../features/tests/work/reanalyze.ts";
import type { Removals } from "../features/tests/work/undoable.ts";
import type { Viewer } from "../features/tests/work/viewer.ts";
import type { Unsubscriber } from "../features/unsubscribe/work/unsubscribe.ts";
import type { DomainWhatIf } from "../features/what-if/work/imagine-domains.ts";
import type { WhatIf } from "../features/what-if/work/imagine-tests.ts";
import type { TroubleCode } from "../platform/contract/server-state-words.ts";
import type { Store } from "../platform/database/store.ts";
import type { ChangeableSetting, Config } from "../platform/settings/config.ts";
import type { System } from "../platform/system/system.ts";

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
