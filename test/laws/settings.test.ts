import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toSettingsTable } from "../../scripts/docs.ts";
import { readSources } from "../../scripts/imports.ts";
import { settings } from "../../src/platform/settings/config.ts";
import { whyRemoved } from "../../src/platform/settings/removed-settings.ts";

/** The released names and defaults: an operator's settings file counts on them. */
const released: Readonly<Record<string, string>> = {
  ASSAY_DATA_DIR: "./data",
  ASSAY_HTTP_HOST: "127.0.0.1",
  ASSAY_HTTP_PORT: "8080",
  ASSAY_HTTP_TLS_CERT: "none",
  ASSAY_HTTP_TLS_KEY: "none",
  ASSAY_BASE_URL: "built from host, port, and TLS",
  ASSAY_TRUSTED_PROXIES: "none",
  ASSAY_METRICS_TOKEN: "none (loopback only)",
  ASSAY_SMTP_LISTEN: "127.0.0.1:2525",
  ASSAY_LMTP_LISTEN: "none (off)",
  ASSAY_SMTP_HOSTNAME: "the machine's host name",
  ASSAY_SEED_DOMAINS: "seed.localhost",
  ASSAY_CATCH_ALL: "none",
  ASSAY_SMTP_TLS_CERT: "self-signed, created on first start",
  ASSAY_SMTP_TLS_KEY: "self-signed, created on first start",
  ASSAY_SMTP_PROXY_FROM: "none",
  ASSAY_SMTP_XCLIENT_FROM: "none",
  ASSAY_SMTP_MAX_MESSAGE_BYTES: "26214400",
  ASSAY_SMTP_MAX_RECIPIENTS: "100",
  ASSAY_SMTP_MAX_CLIENTS: "200",
  ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "20",
  ASSAY_SMTP_IDLE_MS: "300000",
  ASSAY_SMTP_TRANSACTION_MS: "900000",
  ASSAY_MAX_BACKLOG: "50000",
  ASSAY_MIN_FREE_BYTES: "536870912",
  ASSAY_ANALYSIS_BUDGET_MS: "8000",
  ASSAY_DATABASE_URL: "SQLite in the data directory",
  ASSAY_MESSAGES: "database",
  ASSAY_S3_URL: "none",
  ASSAY_BACKUP_TO: "none (no scheduled backups)",
  ASSAY_BACKUP_RECIPIENTS: "none",
  ASSAY_DNS_SERVERS: "the system's resolvers",
  ASSAY_DNS_TRUSTED: "none",
  ASSAY_DNS_TIMEOUT_MS: "2000",
  ASSAY_SEND_SMTP_URL: "none (straight to Assay's own listener)",
  ASSAY_ALERT_FROM: "alerts@ the first seed domain",
  ASSAY_SEND_VERIFIED_DOMAINS: "none",
  ASSAY_SECRET_KEY: "created on first start, kept in the data directory",
  ASSAY_RETENTION_DAYS: "90",
  ASSAY_RETENTION_MAX_BYTES: "none",
  ASSAY_AUDIT_SYSLOG: "none",
  ASSAY_ALLOW_PRIVATE_TARGETS: "0",
  ASSAY_IMAP_PORTS: "143,993",
  ASSAY_RSPAMD_URL: "none",
  ASSAY_SPAMD_ADDRESS: "none",
  ASSAY_CLAMD: "none",
  ASSAY_DNSBLS: "none",
  ASSAY_PLANS: "none",
  ASSAY_LOGIN: "both",
  ASSAY_OIDC: "none",
  "ASSAY_OAUTH_<PROVIDER>_CLIENT_ID": "none",
  "ASSAY_OAUTH_<PROVIDER>_CLIENT_SECRET": "none",
  "ASSAY_OAUTH_<PROVIDER>_ISSUER": "none",
  "ASSAY_OAUTH_<PROVIDER>_AUTHORIZE_URL": "none",
  "ASSAY_OAUTH_<PROVIDER>_TOKEN_URL": "none",
  ASSAY_STRIPE_SECRET_KEY: "none",
  ASSAY_STRIPE_WEBHOOK_SECRET: "none",
  ASSAY_STRIPE_API_URL: "Stripe's own",
  ASSAY_LOG_LEVEL: "info",
};

test("every released setting exists with its default, and no others", () => {
  const present = Object.values(settings).map(({ name, fallbackText }) => [name, fallbackText]);
  expect(Object.fromEntries(present)).toEqual(released);
});

test("no current setting is rejected as removed", () => {
  expect(Object.keys(released).filter((name) => whyRemoved(name) !== undefined)).toEqual([]);
});

test("there are at most 60 settings, so that a new one replaces another or becomes a constant", () => {
  expect(Object.keys(released).length).toBeLessThanOrEqual(60);
});

test("each setting's documented default is a valid value", () => {
  for (const { name, kind, fallback, fallbackText } of Object.values(settings)) {
    if (typeof fallback !== "string" && typeof fallback !== "number") continue;
    expect(kind.read(fallbackText), name).toEqual(fallback);
  }
});

test("the handbook's table contains every setting with its default", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "src", "handbook", "settings.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(ASSAY_[\w<>]+)` \| (.*?) \|/gm)].map(([, name, fallback]) => [name, fallback]);
  expect(Object.fromEntries(rows)).toEqual(released);
  expect(page).toContain(toSettingsTable());
});

test("every setting is used", () => {
  const code = readSources(join(import.meta.dirname, "..", "..", "src"))
    .filter(({ path }) => path !== "config.ts" && path !== "config-reading.ts")
    .map(({ text }) => text)
    .join("\n");
  const obeyed = (key: string) => new RegExp(`\\b${key}\\b`).test(code);
  expect(Object.keys(settings).filter((key) => !obeyed(key))).toEqual([]);
});
