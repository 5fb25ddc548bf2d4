// Every setting once: name, kind, default, doc. The table in the handbook, `assay help serve` and `assay config` are made from this list.

import { type BlocklistZone, toBlocklistZone } from "./dns/dnsbl.ts";
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
  secretKey,
  text,
  url,
  verifiedDomain,
} from "./setting-kinds.ts";

export type Setting<T> = {
  /** Names of a family hold a `<MEMBER>` that stands for each of `members`. */
  readonly name: string;
  readonly kind: Kind<unknown>;
  readonly fallback: T;
  /** The default in words, where the value alone would not tell. */
  readonly fallbackText: string;
  readonly doc: string;
  readonly secret: boolean;
  readonly members?: readonly string[];
};

export const oauthProviders = ["google", "microsoft", "slack", "discord"] as const;
export type OauthProvider = (typeof oauthProviders)[number];
type PerProvider<T> = Readonly<Partial<Record<OauthProvider, T>>>;

/** Memory for all messages that arrive at the same time. One that never fits would be deferred forever (src/decisions.md, "Receiving"). */
export const maxPendingBytes = 268_435_456;

const listen = listOf(listenAddress);
const networks = listOf(network);
const bytes = integer(0, 2 ** 50);
const milliseconds = integer(1, 86_400_000);
const zoneNames = listOf(domain);
/** A zone may hold its subscriber's key. */
const blocklists: Kind<readonly BlocklistZone[]> = {
  takes: "a comma-separated list of zones like bl.spamcop.net",
  read: (value) => zoneNames.read(value)?.map(toBlocklistZone),
  toShown: (zones) => zones.map(({ zone }) => zone),
};

export const settings = {
  dataDir: setting("ASSAY_DATA_DIR", filePath, "./data", "Data directory. It has mode 0700, its files 0600."),
  httpHost: setting("ASSAY_HTTP_HOST", host, "127.0.0.1", "Address that the web app and the API listen on."),
  httpPort: setting("ASSAY_HTTP_PORT", port, 8080, "Port of the web app and the API."),
  httpTlsCert: optional(
    "ASSAY_HTTP_TLS_CERT",
    filePath,
    "none",
    "Certificate chain (PEM). Turns on HTTPS; reloaded when the file changes.",
  ),
  httpTlsKey: optional("ASSAY_HTTP_TLS_KEY", filePath, "none", "Private key (PEM) of that certificate."),
  baseUrl: optional(
    "ASSAY_BASE_URL",
    url("http", "https"),
    "built from host, port and TLS",
    "Public address of the web app, used in links in alerts and reports.",
  ),
  trustedProxies: setting(
    "ASSAY_TRUSTED_PROXIES",
    networks,
    [],
    "Proxies whose X-Forwarded-* headers are trusted.",
  ),
  metricsToken: optional(
    "ASSAY_METRICS_TOKEN",
    secretKey,
    "none (loopback only)",
    "Bearer token that gives other addresses access to /metrics.",
    true,
  ),
  smtpListen: setting(
    "ASSAY_SMTP_LISTEN",
    listen,
    [{ host: "127.0.0.1", port: 2525 }],
    "Addresses that receive mail: host:port, IPv6 in brackets.",
    "127.0.0.1:2525",
  ),
  smtpHostname: optional(
    "ASSAY_SMTP_HOSTNAME",
    domain,
    "the machine's name",
    "Host name in the SMTP greeting.",
  ),
  seedDomains: setting(
    "ASSAY_SEED_DOMAINS",
    listOf(domain),
    ["seed.localhost"],
    "Domains of seed addresses. New addresses use the first one.",
  ),
  catchAll: optional(
    "ASSAY_CATCH_ALL",
    text,
    "none",
    "Workspace (ID or name) that receives mail for every other address at the seed domains.",
  ),
  smtpTlsCert: optional(
    "ASSAY_SMTP_TLS_CERT",
    filePath,
    "a self-signed pair made at first start",
    "Certificate chain (PEM) for STARTTLS. Reloaded when the file changes.",
  ),
  smtpTlsKey: optional(
    "ASSAY_SMTP_TLS_KEY",
    filePath,
    "a self-signed pair made at first start",
    "Private key (PEM) of that certificate.",
  ),
  smtpProxyFrom: setting(
    "ASSAY_SMTP_PROXY_FROM",
    networks,
    [],
    "Proxies that must send a PROXY header (v1 or v2).",
  ),
  smtpXclientFrom: setting("ASSAY_SMTP_XCLIENT_FROM", networks, [], "Mail servers that may use XCLIENT."),
  smtpMaxMessageBytes: setting(
    "ASSAY_SMTP_MAX_MESSAGE_BYTES",
    integer(65_536, maxPendingBytes),
    26_214_400,
    "Maximum message size in bytes.",
  ),
  smtpMaxRecipients: setting(
    "ASSAY_SMTP_MAX_RECIPIENTS",
    integer(100, 100_000),
    100,
    "Maximum recipients of a message. RFC 5321 §4.5.3.1.8 requires at least 100.",
  ),
  smtpMaxClients: setting(
    "ASSAY_SMTP_MAX_CLIENTS",
    integer(1, 100_000),
    200,
    "Maximum connections at the same time.",
  ),
  smtpMaxClientsPerAddress: setting(
    "ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS",
    integer(1, 100_000),
    20,
    "Maximum connections at the same time from one IPv4 address or IPv6 /64.",
  ),
  smtpIdleMs: setting(
    "ASSAY_SMTP_IDLE_MS",
    milliseconds,
    300_000,
    "A connection is closed after this time without data, in milliseconds.",
  ),
  smtpTransactionMs: setting(
    "ASSAY_SMTP_TRANSACTION_MS",
    milliseconds,
    900_000,
    "Maximum time for one message, from MAIL to the end of DATA, in milliseconds.",
  ),
  smtpSessionMs: setting(
    "ASSAY_SMTP_SESSION_MS",
    milliseconds,
    3_600_000,
    "Maximum time for one connection, in milliseconds.",
  ),
  smtpMaxMessagesPerMinute: setting(
    "ASSAY_SMTP_MAX_MESSAGES_PER_MINUTE",
    integer(0, 1_000_000),
    0,
    "Maximum messages a minute from one IPv4 address or IPv6 /64. 0: no limit.",
  ),
  smtpMaxHeaderBytes: setting(
    "ASSAY_SMTP_MAX_HEADER_BYTES",
    integer(65_536, maxPendingBytes),
    1_048_576,
    "Maximum size of all headers in bytes.",
  ),
  smtpMaxCommandBytes: setting(
    "ASSAY_SMTP_MAX_COMMAND_BYTES",
    integer(2_048, 1_048_576),
    4_096,
    "Maximum length of a command line. Lines in a message may be longer.",
  ),
  smtpMaxCommands: setting(
    "ASSAY_SMTP_MAX_COMMANDS",
    integer(300, 10_000_000),
    2_000,
    "Maximum commands in one connection without an accepted message.",
  ),
  smtpMaxErrors: setting(
    "ASSAY_SMTP_MAX_ERRORS",
    integer(10, 1_000_000),
    100,
    "A connection is closed after this many errors without an accepted message.",
  ),
  maxBacklog: setting(
    "ASSAY_MAX_BACKLOG",
    integer(1, 100_000_000),
    50_000,
    "If more messages wait for analysis, senders are asked to try again later.",
  ),
  minFreeBytes: setting(
    "ASSAY_MIN_FREE_BYTES",
    bytes,
    536_870_912,
    "With less free disk space (bytes), senders are asked to try again later.",
  ),
  analysisBudgetMs: setting(
    "ASSAY_ANALYSIS_BUDGET_MS",
    milliseconds,
    8_000,
    "Maximum time for the DNS lookups of one message, in milliseconds.",
  ),
  databaseUrl: optional(
    "ASSAY_DATABASE_URL",
    postgresUrl,
    "SQLite in the data directory",
    "PostgreSQL, for several processes on one database. Requires ASSAY_SECRET_KEY.",
    true,
  ),
  dnsServers: optional(
    "ASSAY_DNS_SERVERS",
    listOf(dnsServer),
    "the system's",
    "DNS resolvers to use, with an optional port.",
  ),
  dnsTimeoutMs: setting(
    "ASSAY_DNS_TIMEOUT_MS",
    milliseconds,
    2_000,
    "Timeout of one DNS query to one server, in milliseconds.",
  ),
  sendSmtpUrl: optional(
    "ASSAY_SEND_SMTP_URL",
    url("smtp", "smtps"),
    "none (straight to our own listener)",
    "Relay for samples: smtp:// (port 587 by default; STARTTLS if offered, and required with a password) or smtps:// (port 465). With a password, its certificate must be valid; NODE_EXTRA_CA_CERTS names your own authority.",
    true,
  ),
  sendVerifiedDomains: setting(
    "ASSAY_SEND_VERIFIED_DOMAINS",
    listOf(verifiedDomain),
    [],
    "Domains that samples may be sent from: example.com for the first workspace, example.com=wsp_… for another.",
  ),
  secretKey: optional(
    "ASSAY_SECRET_KEY",
    secretKey,
    "made at first start, kept in the data directory",
    "Key that encrypts secrets at rest. A key that doesn't match the database is refused.",
    true,
  ),
  retentionDays: setting(
    "ASSAY_RETENTION_DAYS",
    integer(0, 36_500),
    90,
    "Days that a test is kept. 0: forever.",
  ),
  retentionMaxBytes: optional(
    "ASSAY_RETENTION_MAX_BYTES",
    integer(1_000_000, 2 ** 50),
    "none",
    "Maximum size in bytes. Above it the oldest tests are removed, checked every ten minutes. SQLite: the size of the files; PostgreSQL: the size of the tests' data, because PostgreSQL reuses the space of deleted rows.",
  ),
  allowPrivateTargets: setting(
    "ASSAY_ALLOW_PRIVATE_TARGETS",
    privateTargets,
    { all: false, networks: [] },
    "Private addresses that members may use for alerts and mailboxes: 0 none, 1 all, or a list of networks.",
    "0",
  ),
  imapPorts: setting(
    "ASSAY_IMAP_PORTS",
    listOf(integer(1, 65_535)),
    [143, 993],
    "Ports that members may use for IMAP mailboxes.",
  ),
  rspamdUrl: optional(
    "ASSAY_RSPAMD_URL",
    url("http", "https"),
    "none",
    "Address of an rspamd server for a second opinion.",
  ),
  spamdAddress: optional(
    "ASSAY_SPAMD_ADDRESS",
    listenAddress,
    "none",
    "Address of a SpamAssassin spamd (host:port) for a second opinion.",
  ),
  dnsbls: setting("ASSAY_DNSBLS", blocklists, [], "DNS blocklists to use (see Blocklists in the handbook)."),
  plans: optional(
    "ASSAY_PLANS",
    filePath,
    "none",
    "JSON file with plans and their limits (see Plans in the handbook).",
  ),
  oauthClientId: perProvider(
    "CLIENT_ID",
    text,
    "Client ID at a provider (see Integrations in the handbook).",
  ),
  oauthClientSecret: perProvider("CLIENT_SECRET", text, "Client secret.", true),
  oauthIssuer: perProvider(
    "ISSUER",
    url("http", "https"),
    "Another OpenID Connect issuer. Its endpoints are discovered.",
  ),
  oauthAuthorizeUrl: perProvider("AUTHORIZE_URL", url("http", "https"), "Another authorization endpoint."),
  oauthTokenUrl: perProvider("TOKEN_URL", url("http", "https"), "Another token endpoint."),
  stripeSecretKey: optional(
    "ASSAY_STRIPE_SECRET_KEY",
    text,
    "none",
    "Stripe API key, to sell plans (see Plans in the handbook).",
    true,
  ),
  stripeWebhookSecret: optional(
    "ASSAY_STRIPE_WEBHOOK_SECRET",
    text,
    "none",
    "Secret of the Stripe webhook endpoint.",
    true,
  ),
  stripeApiUrl: optional(
    "ASSAY_STRIPE_API_URL",
    origin("http", "https"),
    "the payment provider's own",
    "Another address of the Stripe API.",
  ),
  logLevel: setting("ASSAY_LOG_LEVEL", oneOf("debug", "info", "warn", "error"), "info", "Log level."),
};

export type Config = {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

function setting<T>(
  name: string,
  kind: Kind<T>,
  fallback: T,
  doc: string,
  fallbackText?: string,
): Setting<T> {
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
