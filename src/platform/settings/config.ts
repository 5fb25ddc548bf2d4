// Every setting once, with its name, kind, default and description. The documentation's table, `assay help serve` and `assay config` use this list.

import { type BlocklistZone, toBlocklistZone } from "../../analyzer/dns/dnsbl.ts";
import { readOwnSender } from "../../analyzer/mail/headers/own-sender.ts";
import { whyNoHeaderText } from "../../analyzer/mail/send-token.ts";
import { backupTarget, recipient } from "./backup-kinds.ts";
import {
  dnsServer,
  domain,
  filePath,
  host,
  integer,
  type Kind,
  listenAddress,
  listOf,
  network,
  oneOf,
  origin,
  port,
  postgresUrl,
  privateTargets,
  relayUrl,
  s3Store,
  secretKey,
  socketAddress,
  text,
  url,
  verifiedDomain,
} from "./setting-kinds.ts";

export type Setting<T> = {
  /** The name of a family contains a `<MEMBER>`, which is replaced by each of `members`. */
  readonly name: string;
  readonly kind: Kind<unknown>;
  readonly fallback: T;
  /** The default in words, for values that do not explain themselves. */
  readonly fallbackText: string;
  readonly doc: string;
  readonly secret: boolean;
  readonly members?: readonly string[];
};

const oauthProviders = ["google", "microsoft", "slack", "discord"] as const;
export type OauthProvider = (typeof oauthProviders)[number];
type PerProvider<T> = Readonly<Partial<Record<OauthProvider, T>>>;

/** Memory for all messages that arrive at the same time. A message that never fits would be deferred forever (src/decisions.md, "Receiving"). */
export const maxPendingBytes = 268_435_456;

const listen = listOf(listenAddress);
const networks = listOf(network);
const bytes = integer(0, 2 ** 50);
const milliseconds = integer(1, 86_400_000);
const zoneNames = listOf(domain);
/** A zone's name may contain the subscriber's key. */
const blocklists: Kind<readonly BlocklistZone[]> = {
  takes: "a comma-separated list of zones like bl.spamcop.net",
  read: (value) => zoneNames.read(value)?.map(toBlocklistZone),
  toShown: (zones) => zones.map(({ zone }) => zone),
};

/** Its text passes readOwnSender. */
const sender: Kind<string> = {
  takes: "an email address, or a name with one, like Assay <alerts@example.com>",
  read: (value) => (whyNoHeaderText(value) === null && readOwnSender(value).ok ? value : undefined),
};

/**
 * Settings that owners of the first workspace can change in the app while the server runs (features/server/work/server-settings.ts),
 * unless the environment or the settings file sets them.
 */
export const changeableSettings = [
  "baseUrl",
  "seedDomains",
  "smtpListen",
  "sendSmtpUrl",
  "alertFrom",
  "dnsbls",
  "dnsServers",
  "dnsTrusted",
  "retentionDays",
  "retentionMaxBytes",
  "publicTests",
] as const;
export type ChangeableSetting = (typeof changeableSettings)[number];

export const settings = {
  dataDir: setting(
    "ASSAY_DATA_DIR",
    filePath,
    "./data",
    "Directory for all data. The directory has mode 0700, and its files have mode 0600.",
  ),
  httpHost: setting("ASSAY_HTTP_HOST", host, "127.0.0.1", "Address of the web app and the API."),
  httpPort: setting("ASSAY_HTTP_PORT", port, 8080, "Port of the web app and the API."),
  httpTlsCert: optional(
    "ASSAY_HTTP_TLS_CERT",
    filePath,
    "none",
    "Certificate chain (PEM) for HTTPS. Reloaded when it changes.",
  ),
  httpTlsKey: optional("ASSAY_HTTP_TLS_KEY", filePath, "none", "Private key (PEM) for that certificate."),
  baseUrl: optional(
    "ASSAY_BASE_URL",
    url("http", "https"),
    "built from host, port, and TLS",
    "Public URL, used in links in alerts and reports.",
  ),
  trustedProxies: setting(
    "ASSAY_TRUSTED_PROXIES",
    networks,
    [],
    "Networks of reverse proxies whose X-Forwarded-* headers are trusted.",
  ),
  metricsToken: optional(
    "ASSAY_METRICS_TOKEN",
    secretKey,
    "none (loopback only)",
    "Bearer token for reading /metrics from other addresses.",
    true,
  ),
  smtpListen: setting(
    "ASSAY_SMTP_LISTEN",
    listen,
    [{ host: "127.0.0.1", port: 2525 }],
    "Addresses to receive mail on, as host:port. Put IPv6 addresses in brackets.",
    "127.0.0.1:2525",
  ),
  smtpHostname: optional("ASSAY_SMTP_HOSTNAME", domain, "the machine's host name", "Host name in the SMTP greeting."),
  seedDomains: setting(
    "ASSAY_SEED_DOMAINS",
    listOf(domain),
    ["seed.localhost"],
    "Domains of the seed addresses. New seed addresses use the first one.",
  ),
  catchAll: optional(
    "ASSAY_CATCH_ALL",
    text,
    "none",
    "Workspace (ID or name) that receives mail to all other addresses at the seed domains.",
  ),
  smtpTlsCert: optional(
    "ASSAY_SMTP_TLS_CERT",
    filePath,
    "self-signed, created on first start",
    "Certificate chain (PEM) for STARTTLS. Reloaded when it changes.",
  ),
  smtpTlsKey: optional(
    "ASSAY_SMTP_TLS_KEY",
    filePath,
    "self-signed, created on first start",
    "Private key (PEM) for that certificate.",
  ),
  smtpProxyFrom: setting(
    "ASSAY_SMTP_PROXY_FROM",
    networks,
    [],
    "Networks of proxies that start each connection with a PROXY header (v1 or v2).",
  ),
  smtpXclientFrom: setting("ASSAY_SMTP_XCLIENT_FROM", networks, [], "Networks of mail servers that may use XCLIENT."),
  smtpMaxMessageBytes: setting(
    "ASSAY_SMTP_MAX_MESSAGE_BYTES",
    integer(65_536, maxPendingBytes),
    26_214_400,
    "Maximum message size.",
  ),
  smtpMaxRecipients: setting(
    "ASSAY_SMTP_MAX_RECIPIENTS",
    integer(100, 100_000),
    100,
    "Maximum recipients per message. RFC 5321 §4.5.3.1.8 requires at least 100.",
  ),
  smtpMaxClients: setting("ASSAY_SMTP_MAX_CLIENTS", integer(1, 100_000), 200, "Maximum simultaneous SMTP connections."),
  smtpMaxClientsPerAddress: setting(
    "ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS",
    integer(1, 100_000),
    20,
    "Maximum simultaneous SMTP connections from one IPv4 address or IPv6 /64.",
  ),
  smtpIdleMs: setting(
    "ASSAY_SMTP_IDLE_MS",
    milliseconds,
    300_000,
    "Idle time after which an SMTP connection is closed.",
  ),
  smtpTransactionMs: setting(
    "ASSAY_SMTP_TRANSACTION_MS",
    milliseconds,
    900_000,
    "Maximum time for one message, from MAIL to the end of DATA.",
  ),
  maxBacklog: setting(
    "ASSAY_MAX_BACKLOG",
    integer(1, 100_000_000),
    50_000,
    "Maximum number of messages waiting for analysis. Above this limit, new mail is deferred.",
  ),
  minFreeBytes: setting(
    "ASSAY_MIN_FREE_BYTES",
    bytes,
    536_870_912,
    "Minimum free disk space. Below this limit, new mail is deferred.",
  ),
  analysisBudgetMs: setting(
    "ASSAY_ANALYSIS_BUDGET_MS",
    milliseconds,
    8_000,
    "Maximum time for all lookups for one message.",
  ),
  databaseUrl: optional(
    "ASSAY_DATABASE_URL",
    postgresUrl,
    "SQLite in the data directory",
    "PostgreSQL database, to run multiple processes on one database. Requires ASSAY_SECRET_KEY.",
    true,
  ),
  messages: setting(
    "ASSAY_MESSAGES",
    { ...oneOf("database", "s3"), takes: "database or s3 (the directory of earlier versions is only read)" },
    "database",
    "Where raw messages are stored: in the database, or in an S3-compatible store (see Object storage). Messages that were stored elsewhere before stay readable there.",
  ),
  s3: optional(
    "ASSAY_S3_URL",
    s3Store,
    "none",
    "S3-compatible store: its URL with the access key ID, the secret access key, and the bucket for raw messages, which must exist. End it with a slash if only backups go there. The region is us-east-1 unless given.",
    true,
  ),
  backupTo: optional(
    "ASSAY_BACKUP_TO",
    backupTarget,
    "none (no scheduled backups)",
    "Where scheduled backups are stored: a folder, or s3://bucket/prefix in the store of ASSAY_S3_URL (see Backup, restore, upgrade).",
  ),
  backupRecipients: setting(
    "ASSAY_BACKUP_RECIPIENTS",
    listOf(recipient),
    [],
    "Public keys of age that backups are encrypted for. Keep the identity that belongs to one of them away from this server.",
  ),
  dnsServers: optional(
    "ASSAY_DNS_SERVERS",
    listOf(dnsServer),
    "the system's resolvers",
    "DNS resolvers, each with an optional port.",
  ),
  dnsTrusted: setting(
    "ASSAY_DNS_TRUSTED",
    zoneNames,
    [],
    "Your own domains, for a network without public DNS. A resolver that doesn't resolve public names is believed that a name does not exist only in these domains.",
  ),
  dnsTimeoutMs: setting("ASSAY_DNS_TIMEOUT_MS", milliseconds, 2_000, "Timeout for one DNS query to one server."),
  sendSmtpUrl: optional(
    "ASSAY_SEND_SMTP_URL",
    relayUrl,
    "none (straight to Assay's own listener)",
    "Relay for test messages, alerts, password resets, and invitations that Assay sends: smtp:// (default port 587) or smtps:// (default port 465). smtp:// uses STARTTLS if the relay offers it, and requires it with a password. With a password or smtps://, the certificate must be valid; set NODE_EXTRA_CA_CERTS for a private CA.",
    true,
  ),
  alertFrom: optional(
    "ASSAY_ALERT_FROM",
    sender,
    "alerts@ the first seed domain",
    "Sender of alerts, password resets, and invitations by email: an address, or a name with an address in angle brackets. Sign its domain with a signing key. They also need ASSAY_SEND_SMTP_URL and ASSAY_BASE_URL.",
  ),
  sendVerifiedDomains: setting(
    "ASSAY_SEND_VERIFIED_DOMAINS",
    listOf(verifiedDomain),
    [],
    "Domains that test messages may be sent from: example.com for the first workspace, example.com=wsp_… for another.",
  ),
  secretKey: optional(
    "ASSAY_SECRET_KEY",
    secretKey,
    "created on first start, kept in the data directory",
    "Key that encrypts stored secrets. Assay does not start with a key that does not match the database.",
    true,
  ),
  retentionDays: setting("ASSAY_RETENTION_DAYS", integer(0, 36_500), 90, "Days to keep tests. 0 keeps them forever."),
  retentionMaxBytes: optional(
    "ASSAY_RETENTION_MAX_BYTES",
    integer(1_000_000, 2 ** 50),
    "none",
    "Maximum size. Above this limit, the oldest tests are deleted. Checked every ten minutes. For SQLite, this is the size of the database files. For PostgreSQL, it is the size of the stored tests, because deleting rows does not shrink the tables.",
  ),
  allowPrivateTargets: setting(
    "ASSAY_ALLOW_PRIVATE_TARGETS",
    privateTargets,
    { all: false, networks: [] },
    "Private addresses allowed as webhook URLs and mail servers: 0 for none, 1 for all, or a list of networks.",
    "0",
  ),
  imapPorts: setting(
    "ASSAY_IMAP_PORTS",
    listOf(integer(1, 65_535)),
    [143, 993],
    "Ports that members may use to connect seed mailboxes.",
  ),
  rspamdUrl: optional(
    "ASSAY_RSPAMD_URL",
    url("http", "https"),
    "none",
    "URL of an rspamd server that also scans each message.",
  ),
  spamdAddress: optional(
    "ASSAY_SPAMD_ADDRESS",
    listenAddress,
    "none",
    "Address of a SpamAssassin spamd (host:port) that also scans each message.",
  ),
  clamdAddress: optional(
    "ASSAY_CLAMD",
    socketAddress,
    "none",
    "ClamAV daemon (clamd) that scans attachments for malware: host:port, or the path of a Unix socket (see Malware).",
  ),
  dnsbls: setting(
    "ASSAY_DNSBLS",
    blocklists,
    [],
    "DNS blocklists to check addresses and domains against (see Blocklists). None are used by default.",
  ),
  reverseDns: setting(
    "ASSAY_REVERSE_DNS",
    oneOf("on", "off"),
    "on",
    "Whether the reverse DNS of addresses in DMARC reports is looked up, to name senders.",
  ),
  mmdb: setting(
    "ASSAY_MMDB",
    listOf(filePath),
    [],
    "Databases of networks and countries in MaxMind's format (MMDB), to name senders that have no reverse DNS.",
  ),
  publicTests: setting(
    "ASSAY_PUBLIC_TESTS",
    oneOf("off", "on"),
    "off",
    "Whether anyone can test a message at /test, without an account (see Public tests).",
  ),
  plans: optional("ASSAY_PLANS", filePath, "none", "JSON file with plans and their limits (see Plans)."),
  login: setting(
    "ASSAY_LOGIN",
    oneOf("both", "oidc", "password"),
    "both",
    "How people log in: with a password, with the issuers in ASSAY_OIDC (oidc), or both. With oidc, only emergency accounts can use a password.",
  ),
  oidc: optional(
    "ASSAY_OIDC",
    filePath,
    "none",
    "JSON file with the OpenID Connect issuers that people can log in with, and the roles that they get (see Log in with your organization).",
  ),
  oauthClientId: perProvider("CLIENT_ID", text, "OAuth client ID for a provider (see Integrations)."),
  oauthClientSecret: perProvider("CLIENT_SECRET", text, "OAuth client secret for that client ID.", true),
  oauthIssuer: perProvider(
    "ISSUER",
    url("http", "https"),
    "OpenID Connect issuer to use instead of the provider's. Assay discovers its endpoints.",
  ),
  oauthAuthorizeUrl: perProvider(
    "AUTHORIZE_URL",
    url("http", "https"),
    "Authorization endpoint to use instead of the provider's.",
  ),
  oauthTokenUrl: perProvider("TOKEN_URL", url("http", "https"), "Token endpoint to use instead of the provider's."),
  stripeSecretKey: optional(
    "ASSAY_STRIPE_SECRET_KEY",
    text,
    "none",
    "Stripe API key, for selling plans (see Plans).",
    true,
  ),
  stripeWebhookSecret: optional(
    "ASSAY_STRIPE_WEBHOOK_SECRET",
    text,
    "none",
    "Signing secret of the Stripe webhook.",
    true,
  ),
  stripeApiUrl: optional("ASSAY_STRIPE_API_URL", origin("http", "https"), "Stripe's own", "URL of the Stripe API."),
  logLevel: setting(
    "ASSAY_LOG_LEVEL",
    oneOf("debug", "info", "warn", "error"),
    "info",
    "Minimum severity of log messages.",
  ),
};

export type Config = {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

function setting<T>(name: string, kind: Kind<T>, fallback: T, doc: string, fallbackText?: string): Setting<T> {
  return { name, kind, fallback, fallbackText: fallbackText ?? fallbackWords(fallback), doc, secret: false };
}

function optional<T>(
  name: string,
  kind: Kind<T>,
  fallbackText: string,
  doc: string,
  secret = false,
): Setting<T | null> {
  return { name, kind, fallback: null, fallbackText, doc, secret };
}

function perProvider<T>(part: string, kind: Kind<T>, doc: string, secret = false): Setting<PerProvider<T>> {
  return {
    name: `ASSAY_OAUTH_<PROVIDER>_${part}`,
    kind,
    fallback: {},
    fallbackText: "none",
    doc,
    secret,
    members: oauthProviders,
  };
}

function fallbackWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(",");
  return String(value);
}
