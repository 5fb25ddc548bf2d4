import { describe, expect, test } from "vitest";
import { maxPendingBytes, settings } from "../../../src/platform/settings/config.ts";
import { parseSettingsFile, readConfig, type SettingSource } from "../../../src/platform/settings/config-reading.ts";

function configOf(source: SettingSource) {
  const reading = readConfig(source);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.config;
}

function problemsOf(source: SettingSource, file: SettingSource = {}) {
  const reading = readConfig(source, file);
  return reading.ok ? [] : reading.problems.map(({ name }) => name);
}

describe("settings", () => {
  test("settings have defaults that are safe on a laptop", () => {
    const config = configOf({});
    expect(config.httpHost).toBe("127.0.0.1");
    expect(config.smtpListen).toEqual([{ host: "127.0.0.1", port: 2525 }]);
    expect(config.seedDomains).toEqual(["seed.localhost"]);
    expect(config.allowPrivateTargets).toEqual({ all: false, networks: [] });
    expect(config.dnsbls).toEqual([]);
    expect(config.metricsToken).toBeNull();
  });

  test("settings with invalid values are all reported at once", () => {
    expect(problemsOf({ ASSAY_HTTP_PORT: "x", ASSAY_SEED_DOMAINS: ";", ASSAY_LOG_LEVEL: "loud" })).toEqual([
      "ASSAY_HTTP_PORT",
      "ASSAY_SEED_DOMAINS",
      "ASSAY_LOG_LEVEL",
    ]);
  });

  test("settings that are invalid are reported with the expected form and the value", () => {
    const reading = readConfig({ ASSAY_HTTP_PORT: "70000" });
    expect(reading).toEqual({
      ok: false,
      problems: [{ name: "ASSAY_HTTP_PORT", problem: 'must be a port from 0 to 65535, not "70000"' }],
    });
  });

  test("settings never repeat a URL with a password or query in an error, because errors are logged", () => {
    for (const wrong of ["https://u:s3cr3t@h/", "https://h/?key=s3cr3t", "https://h/#s3cr3t", "u:s3cr3t@h"])
      expect(JSON.stringify(readConfig({ ASSAY_STRIPE_API_URL: wrong }))).not.toContain("s3cr3t");
  });

  test("settings that were removed are rejected with their replacement", () => {
    const source = { ASSAY_OTLP_ENDPOINT: "http://127.0.0.1:4318", ASSAY_SMTP_MAX_ERRORS: "10" };
    const problems = [
      {
        name: "ASSAY_OTLP_ENDPOINT",
        problem: "was removed: let the collector read /metrics with its Prometheus receiver",
      },
      { name: "ASSAY_SMTP_MAX_ERRORS", problem: "was removed: a connection may have 100 rejected commands" },
    ];
    expect(readConfig({}, source)).toEqual({ ok: false, problems });
    expect(readConfig(source)).toEqual({ ok: false, problems });
    const problem = 'must be database or s3 (the directory of earlier versions is only read), not "directory"';
    expect(readConfig({ ASSAY_MESSAGES: "directory" })).toMatchObject({ problems: [{ problem }] });
    expect(readConfig({ ASSAY_SMTP_MAX_ERRORS: "" })).toMatchObject({ ok: true, warnings: [] });
  });

  test.each(["smtp://s3cr3t@h.example", "smtp://h.example?auth=s3cr3t", "smtp://h.example#s3cr3t"])(
    "settings never show a mail server's token: %s",
    (url) => expect(settings.sendSmtpUrl.kind.toShown?.(url)).toBe("smtp://h.example"),
  );

  test("settings never show a blocklist's key, and reject a discontinued blocklist with a message", () => {
    const source = { ASSAY_DNSBLS: "zen.spamhaus.org, s3cr3t.dbl.dq.spamhaus.net" };
    const { dnsbls } = configOf(source);
    expect(dnsbls.map(({ zone }) => zone)).toEqual(["zen.spamhaus.org", "_key.dbl.dq.spamhaus.net"]);
    expect(settings.dnsbls.kind.toShown?.(dnsbls)).toEqual(dnsbls.map(({ zone }) => zone));
    const gone = readConfig({ ASSAY_DNSBLS: "dnsbl.sorbs.net,s3cr3t.hbl.dq.spamhaus.net" });
    expect(gone).toMatchObject({
      problems: [
        {
          name: "ASSAY_DNSBLS",
          problem: "contains a zone that cannot be used: sorbs.net was shut down on June 5, 2024",
        },
        { name: "ASSAY_DNSBLS", problem: expect.stringContaining("<key>.zen.dq.spamhaus.net") },
      ],
    });
    for (const reading of [gone, readConfig({ ASSAY_DNSBLS: "s3cr3t.dbl.dq.spamhaus.net,;" })])
      expect(JSON.stringify(reading)).not.toContain("s3cr3t");
  });

  test("settings never show an invalid secret", () => {
    expect(JSON.stringify(readConfig({ ASSAY_SECRET_KEY: "hunter2" }))).not.toContain("hunter2");
  });

  test("settings from the environment override those in the file, and an empty value counts as not set", () => {
    const reading = readConfig(
      { ASSAY_HTTP_PORT: "1", ASSAY_RETENTION_DAYS: "" },
      { ASSAY_HTTP_PORT: "2", ASSAY_RETENTION_DAYS: "3" },
    );
    expect(reading).toMatchObject({ ok: true, config: { httpPort: 1, retentionDays: 3 } });
  });

  test("settings with an unknown name are rejected in the file and reported in the environment", () => {
    expect(problemsOf({}, { ASSAY_HTTP_PROT: "1" })).toEqual(["ASSAY_HTTP_PROT"]);
    expect(readConfig({ ASSAY_HTTP_PROT: "1" })).toMatchObject({
      ok: true,
      warnings: [{ name: "ASSAY_HTTP_PROT", problem: "is not a setting. Did you mean ASSAY_HTTP_PORT?" }],
    });
    // Close to ASSAY_HTTP_PORT only by what all names share.
    expect(readConfig({ ASSAY_SMTP_PORT: "25" })).toMatchObject({
      warnings: [{ problem: "is not a setting and is ignored" }],
    });
  });

  test("settings require a key for a certificate and the secret key for PostgreSQL", () => {
    expect(problemsOf({ ASSAY_HTTP_TLS_CERT: "/c.pem" })).toEqual(["ASSAY_HTTP_TLS_KEY"]);
    expect(problemsOf({ ASSAY_SMTP_TLS_KEY: "/k.pem" })).toEqual(["ASSAY_SMTP_TLS_CERT"]);
    expect(problemsOf({ ASSAY_DATABASE_URL: "postgres://localhost/assay" })).toEqual(["ASSAY_SECRET_KEY"]);
  });

  test("an S3 store is one URL, with everything that it needs", () => {
    const s3 = (value: string) => configOf({ ASSAY_S3_URL: value }).s3;
    expect(s3("https://KEY:se%2Fcr+et@s3.example.com/mail?region=eu-central-1")).toEqual({
      endpoint: "https://s3.example.com",
      region: "eu-central-1",
      accessKey: "KEY",
      secretKey: "se/cr+et",
      bucket: "mail",
    });
    const onPath = "http://k:s@127.0.0.1:9000/storage/s3";
    expect(s3(`${onPath}/mail`)).toMatchObject({ endpoint: "http://127.0.0.1:9000/storage/s3", bucket: "mail" });
    expect(s3(`${onPath}/`)).toMatchObject({ endpoint: "http://127.0.0.1:9000/storage/s3", bucket: null });
    expect(s3("http://k:s@127.0.0.1:9000")).toMatchObject({ region: "us-east-1", bucket: null });
    for (const wrong of ["https://s3.example.com/mail", "https://k:s3cr/et@h/mail", "https://k:s3cr%@h/mail"])
      expect(problemsOf({ ASSAY_S3_URL: wrong })).toEqual(["ASSAY_S3_URL"]);
    for (const wrong of ["https://k:s@h/M", "https://k:s@h/mail?x=1", "https://k:s@h/mail#x", "ftp://k:s@h/mail"])
      expect(problemsOf({ ASSAY_S3_URL: wrong })).toEqual(["ASSAY_S3_URL"]);
    expect(JSON.stringify(readConfig({ ASSAY_S3_URL: "https://k:s3cr/et@h/mail" }))).not.toContain("s3cr");
    for (const needs of [{ ASSAY_MESSAGES: "s3" }, { ASSAY_BACKUP_TO: "s3://backups" }])
      expect(problemsOf(needs)).toEqual(["ASSAY_S3_URL"]);
    expect(problemsOf({ ASSAY_MESSAGES: "s3", ASSAY_S3_URL: "http://k:s@h/" })).toEqual(["ASSAY_S3_URL"]);
    expect(problemsOf({ ASSAY_BACKUP_TO: "s3://backups", ASSAY_S3_URL: "http://k:s@h/" })).toEqual([]);
  });

  test("settings reject a payment provider URL with a path, and report its key without the webhook secret", () => {
    expect(problemsOf({ ASSAY_STRIPE_API_URL: "https://pay.example/v2" })).toEqual(["ASSAY_STRIPE_API_URL"]);
    expect(problemsOf({ ASSAY_STRIPE_API_URL: "http://127.0.0.1:8081/" })).toEqual([]);
    expect(readConfig({ ASSAY_STRIPE_SECRET_KEY: "sk_1" })).toMatchObject({
      warnings: [{ name: "ASSAY_STRIPE_SECRET_KEY" }],
    });
    const both = { ASSAY_STRIPE_SECRET_KEY: "sk_1", ASSAY_STRIPE_WEBHOOK_SECRET: "whsec_1" };
    expect(readConfig(both)).toMatchObject({ warnings: [] });
  });

  test("settings reject a message size limit that exceeds the memory for incoming messages", () => {
    const name = "ASSAY_SMTP_MAX_MESSAGE_BYTES";
    expect(problemsOf({ [name]: String(maxPendingBytes) })).toEqual([]);
    expect(problemsOf({ [name]: String(maxPendingBytes + 1) })).toEqual([name]);
  });

  test.each([
    [
      "ASSAY_SMTP_LISTEN",
      "0.0.0.0:25,[::]:25",
      {
        smtpListen: [
          { host: "0.0.0.0", port: 25 },
          { host: "::", port: 25 },
        ],
      },
    ],
    [
      "ASSAY_SEED_DOMAINS",
      "Seed.Example.com., bücher.example",
      { seedDomains: ["seed.example.com", "xn--bcher-kva.example"] },
    ],
    [
      "ASSAY_DNS_SERVERS",
      "9.9.9.9,127.0.0.1:5353,[::1]:53",
      {
        dnsServers: [
          { host: "9.9.9.9", port: 53 },
          { host: "127.0.0.1", port: 5353 },
          { host: "::1", port: 53 },
        ],
      },
    ],
    [
      "ASSAY_TRUSTED_PROXIES",
      "10.0.0.0/8,192.0.2.1,fd00::/8",
      { trustedProxies: ["10.0.0.0/8", "192.0.2.1/32", "fd00::/8"] },
    ],
    ["ASSAY_ALLOW_PRIVATE_TARGETS", "10.1.0.0/16", { allowPrivateTargets: { all: false, networks: ["10.1.0.0/16"] } }],
    [
      "ASSAY_SEND_VERIFIED_DOMAINS",
      "example.com,example.org=wsp_1",
      {
        sendVerifiedDomains: [
          { domain: "example.com", workspaceId: null },
          { domain: "example.org", workspaceId: "wsp_1" },
        ],
      },
    ],
    ["ASSAY_OAUTH_SLACK_CLIENT_ID", "id", { oauthClientId: { slack: "id" } }],
    ["ASSAY_BASE_URL", "https://assay.example.com/", { baseUrl: "https://assay.example.com" }],
  ])("settings accept %s with %s", (name, value, expected) => {
    expect(configOf({ [name]: value })).toMatchObject(expected);
  });

  test.each([
    ["ASSAY_SMTP_LISTEN", "25"],
    ["ASSAY_SMTP_LISTEN", "::1:25"],
    ["ASSAY_SEED_DOMAINS", "user@example.com"],
    ["ASSAY_SEED_DOMAINS", "192.0.2.1"],
    ["ASSAY_DNS_SERVERS", "resolver.example"],
    ["ASSAY_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["ASSAY_BASE_URL", "javascript:alert(1)"],
    ["ASSAY_SMTP_MAX_RECIPIENTS", "99"],
    ["ASSAY_RETENTION_DAYS", "-1"],
    ["ASSAY_METRICS_TOKEN", "short"],
    ["ASSAY_DATABASE_URL", "mysql://localhost/assay"],
  ])("settings reject %s with %s", (name, value) => {
    expect(problemsOf({ [name]: value })).toContain(name);
  });

  test("settings each have a description and a unique name", () => {
    const entries = Object.values(settings);
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
    for (const { name, doc } of entries) expect(`${name}: ${doc}`).toMatch(/: [A-Z].*\.$/);
  });
});

describe("a settings file", () => {
  test("a settings file contains NAME=value lines, comments, and quotes", () => {
    const { source, problems } = parseSettingsFile(
      '# comment\n\nASSAY_HTTP_PORT = 9000\nexport ASSAY_LOG_LEVEL="debug"\r\n',
    );
    expect(problems).toEqual([]);
    expect(source).toEqual({ ASSAY_HTTP_PORT: "9000", ASSAY_LOG_LEVEL: "debug" });
  });

  test("a settings file is rejected with the number of an invalid line", () => {
    expect(parseSettingsFile("ASSAY_HTTP_PORT=1\nnonsense\n").problems).toMatchObject([{ name: "line 2" }]);
  });
});
