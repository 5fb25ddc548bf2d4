// Every setting once: name, kind, default, doc. README's table, `assay help serve` and `assay config` are made from this list.

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
  takes: "a list, parted by commas, of zones like bl.spamcop.net",
  read: (value) => zoneNames.read(value)?.map(toBlocklistZone),
  toShown: (zones) => zones.map(({ zone }) => zone),
};

export const settings = {
  dataDir: setting(
    "ASSAY_DATA_DIR",
    filePath,
    "./data",
    "Where everything is kept: folder mode 0700, files 0600.",
  ),
  httpHost: setting("ASSAY_HTTP_HOST", host, "127.0.0.1", "Address of the web app and the REST interface."),
  httpPort: setting("ASSAY_HTTP_PORT", port, 8080, "Port of the web app and the REST interface."),
  httpTlsCert: optional(
    "ASSAY_HTTP_TLS_CERT",
    filePath,
    "none",
    "Certificate chain (PEM) that turns on HTTPS; read again when it changes.",
  ),
  httpTlsKey: optional("ASSAY_HTTP_TLS_KEY", filePath, "none", "Private key (PEM) of that certificate."),
  baseUrl: optional(
    "ASSAY_BASE_URL",
    url("http", "https"),
    "built from host, port and TLS",
    "Address that links in alerts and reports begin with.",
  ),
  trustedProxies: setting(
    "ASSAY_TRUSTED_PROXIES",
    networks,
    [],
    "Networks whose X-Forwarded-* headers count.",
  ),
  metricsToken: optional(
    "ASSAY_METRICS_TOKEN",
    secretKey,
    "none (loopback only)",
    "Bearer token that opens /metrics to other addresses.",
    true,
  ),
  smtpListen: setting(
    "ASSAY_SMTP_LISTEN",
    listen,
    [{ host: "127.0.0.1", port: 2525 }],
    "Where mail is received: a list of host:port, IPv6 in brackets.",
    "127.0.0.1:2525",
  ),
  smtpHostname: optional(
    "ASSAY_SMTP_HOSTNAME",
    domain,
    "the machine's name",
    "Name that the listener greets with.",
  ),
  seedDomains: setting(
    "ASSAY_SEED_DOMAINS",
    listOf(domain),
    ["seed.localhost"],
    "Domains whose addresses are seed inboxes; the first is used for new ones.",
  ),
  catchAll: optional(
    "ASSAY_CATCH_ALL",
    text,
    "none",
    "Workspace (id or name) that takes every other local part of the seed domains.",
  ),
  smtpTlsCert: optional(
    "ASSAY_SMTP_TLS_CERT",
    filePath,
    "a self-signed pair made at first start",
    "Certificate chain (PEM) for STARTTLS; read again when it changes.",
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
    "Clients that must begin with a PROXY header (v1 or v2).",
  ),
  smtpXclientFrom: setting("ASSAY_SMTP_XCLIENT_FROM", networks, [], "Clients that are offered XCLIENT."),
  smtpMaxMessageBytes: setting(
    "ASSAY_SMTP_MAX_MESSAGE_BYTES",
    integer(65_536, maxPendingBytes),
    26_214_400,
    "Largest message taken.",
  ),
  smtpMaxRecipients: setting(
    "ASSAY_SMTP_MAX_RECIPIENTS",
    integer(100, 100_000),
    100,
    "Recipients per message; RFC 5321 §4.5.3.1.8 asks for at least 100.",
  ),
  smtpMaxClients: setting("ASSAY_SMTP_MAX_CLIENTS", integer(1, 100_000), 200, "Connections at once."),
  smtpMaxClientsPerAddress: setting(
    "ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS",
    integer(1, 100_000),
    20,
    "Connections at once from one IPv4 address or IPv6 /64.",
  ),
  smtpIdleMs: setting(
    "ASSAY_SMTP_IDLE_MS",
    milliseconds,
    300_000,
    "Silence after which a connection is closed.",
  ),
  smtpTransactionMs: setting(
    "ASSAY_SMTP_TRANSACTION_MS",
    milliseconds,
    900_000,
    "Longest time for one message from MAIL to the end of DATA.",
  ),
  smtpSessionMs: setting(
    "ASSAY_SMTP_SESSION_MS",
    milliseconds,
    3_600_000,
    "Longest time for one connection, however many messages it brings.",
  ),
  smtpMaxMessagesPerMinute: setting(
    "ASSAY_SMTP_MAX_MESSAGES_PER_MINUTE",
    integer(0, 1_000_000),
    0,
    "Messages a minute from one IPv4 address or IPv6 /64; 0 sets no bound.",
  ),
  smtpMaxHeaderBytes: setting(
    "ASSAY_SMTP_MAX_HEADER_BYTES",
    integer(65_536, maxPendingBytes),
    1_048_576,
    "Largest header section taken.",
  ),
  smtpMaxCommandBytes: setting(
    "ASSAY_SMTP_MAX_COMMAND_BYTES",
    integer(2_048, 1_048_576),
    4_096,
    "Longest command line; the lines of a message may have any length.",
  ),
  smtpMaxCommands: setting(
    "ASSAY_SMTP_MAX_COMMANDS",
    integer(300, 10_000_000),
    2_000,
    "Commands of one connection without a message taken.",
  ),
  smtpMaxErrors: setting(
    "ASSAY_SMTP_MAX_ERRORS",
    integer(10, 1_000_000),
    100,
    "Refusals to one connection without a message taken; then it is closed.",
  ),
  maxBacklog: setting(
    "ASSAY_MAX_BACKLOG",
    integer(1, 100_000_000),
    50_000,
    "Messages waiting for analysis before senders are asked to come back later.",
  ),
  minFreeBytes: setting(
    "ASSAY_MIN_FREE_BYTES",
    bytes,
    536_870_912,
    "Free disk under which senders are asked to come back later.",
  ),
  analysisBudgetMs: setting(
    "ASSAY_ANALYSIS_BUDGET_MS",
    milliseconds,
    8_000,
    "Time that one message's look-ups may take.",
  ),
  databaseUrl: optional(
    "ASSAY_DATABASE_URL",
    postgresUrl,
    "SQLite in the data directory",
    "PostgreSQL for several processes on one database; then ASSAY_SECRET_KEY is required.",
    true,
  ),
  dnsServers: optional(
    "ASSAY_DNS_SERVERS",
    listOf(dnsServer),
    "the system's",
    "Resolvers to ask, a port allowed.",
  ),
  dnsTimeoutMs: setting(
    "ASSAY_DNS_TIMEOUT_MS",
    milliseconds,
    2_000,
    "Time for one DNS question to one server.",
  ),
  sendSmtpUrl: optional(
    "ASSAY_SEND_SMTP_URL",
    url("smtp", "smtps"),
    "none (straight to our own listener)",
    "Relay that send-test hands its samples to: smtp:// (port 587 unless said; STARTTLS where it is offered, and always with a password) or smtps:// (port 465). Its certificate must be good wherever a password is sent; NODE_EXTRA_CA_CERTS names an authority of your own.",
    true,
  ),
  sendVerifiedDomains: setting(
    "ASSAY_SEND_VERIFIED_DOMAINS",
    listOf(verifiedDomain),
    [],
    "Domains that send-test may send from: example.com for the first workspace, example.com=wsp_… for another.",
  ),
  secretKey: optional(
    "ASSAY_SECRET_KEY",
    secretKey,
    "made at first start, kept in the data directory",
    "Key that secrets are encrypted with at rest; another key than the database knows is refused.",
    true,
  ),
  retentionDays: setting(
    "ASSAY_RETENTION_DAYS",
    integer(0, 36_500),
    90,
    "Days that a test is kept; 0 keeps for ever.",
  ),
  retentionMaxBytes: optional(
    "ASSAY_RETENTION_MAX_BYTES",
    integer(1_000_000, 2 ** 50),
    "none",
    "Size above which the oldest tests are removed, looked at every ten minutes: of the database's files; on PostgreSQL of what the tests hold, because the room of deleted rows stays with its tables, for new ones.",
  ),
  allowPrivateTargets: setting(
    "ASSAY_ALLOW_PRIVATE_TARGETS",
    privateTargets,
    { all: false, networks: [] },
    "Private addresses that members may name as alert targets or mailboxes: 0 none, 1 all, or networks.",
    "0",
  ),
  imapPorts: setting(
    "ASSAY_IMAP_PORTS",
    listOf(integer(1, 65_535)),
    [143, 993],
    "Ports of mail servers that members may connect seed mailboxes at.",
  ),
  rspamdUrl: optional(
    "ASSAY_RSPAMD_URL",
    url("http", "https"),
    "none",
    "An rspamd to ask for a second opinion.",
  ),
  spamdAddress: optional(
    "ASSAY_SPAMD_ADDRESS",
    listenAddress,
    "none",
    "A SpamAssassin spamd (host:port) to ask for a second opinion.",
  ),
  dnsbls: setting(
    "ASSAY_DNSBLS",
    blocklists,
    [],
    "DNS lists to ask about addresses and domains (see Blocklists); none is asked without the operator's word.",
  ),
  plans: optional("ASSAY_PLANS", filePath, "none", "A JSON file of plans and their ceilings (see Plans)."),
  oauthClientId: perProvider("CLIENT_ID", text, "OAuth client of a provider (see Integrations)."),
  oauthClientSecret: perProvider("CLIENT_SECRET", text, "Secret of that client.", true),
  oauthIssuer: perProvider(
    "ISSUER",
    url("http", "https"),
    "Another issuer than the provider's own; its endpoints are discovered.",
  ),
  oauthAuthorizeUrl: perProvider(
    "AUTHORIZE_URL",
    url("http", "https"),
    "Authorization endpoint, in place of the provider's own.",
  ),
  oauthTokenUrl: perProvider(
    "TOKEN_URL",
    url("http", "https"),
    "Token endpoint, in place of the provider's own.",
  ),
  stripeSecretKey: optional(
    "ASSAY_STRIPE_SECRET_KEY",
    text,
    "none",
    "Key of the payment provider, through which plans are sold (see Plans).",
    true,
  ),
  stripeWebhookSecret: optional(
    "ASSAY_STRIPE_WEBHOOK_SECRET",
    text,
    "none",
    "Secret that the payment provider signs its webhooks with.",
    true,
  ),
  stripeApiUrl: optional(
    "ASSAY_STRIPE_API_URL",
    origin("http", "https"),
    "the payment provider's own",
    "Another address of the payment provider's API.",
  ),
  logLevel: setting(
    "ASSAY_LOG_LEVEL",
    oneOf("debug", "info", "warn", "error"),
    "info",
    "How much is logged.",
  ),
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
