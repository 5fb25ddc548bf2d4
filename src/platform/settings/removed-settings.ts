const s3Url = "set ASSAY_S3_URL, like https://key:secret@s3.example.com/mail?region=eu-central-1";

/**
 * Settings of earlier versions, and what there is instead. A name that ends with `_` stands for all that begin so. They are
 * refused, because a server that ignores one may delete what it should keep, or open what it should close.
 */
const removed: Readonly<Record<string, string>> = {
  ASSAY_OTLP_: "let the collector read /metrics with its Prometheus receiver",
  ASSAY_SMTP_SESSION_MS: "a connection is closed after an hour",
  ASSAY_SMTP_MAX_HEADER_BYTES: "the header section of a message may have 1 MB",
  ASSAY_SMTP_MAX_COMMAND_BYTES: "a command may have 4,096 bytes",
  ASSAY_SMTP_MAX_COMMANDS: "a connection may have 2,000 commands without a message",
  ASSAY_SMTP_MAX_ERRORS: "a connection may have 100 rejected commands",
  ASSAY_SMTP_MAX_MESSAGES_PER_MINUTE: "a public address may send 1,200 messages a minute, and others any number",
  ASSAY_SMTP_AUTH: "a login is accepted from this machine, and with TLS from private networks",
  ASSAY_LMTP_: "let your mail server hand mail over by SMTP",
  ASSAY_MESSAGES_DIR: "mount that directory at messages in ASSAY_DATA_DIR, and run assay messages move",
  ASSAY_S3_ENDPOINT: s3Url,
  ASSAY_S3_BUCKET: s3Url,
  ASSAY_S3_REGION: s3Url,
  ASSAY_S3_ACCESS_KEY: s3Url,
  ASSAY_S3_SECRET_KEY: s3Url,
  ASSAY_S3_PREFIX: "objects begin with assay/; copy them there",
  ASSAY_BACKUP_AT: "backups are made at 3:15 UTC; for other times, run assay backup <file> by cron",
  ASSAY_BACKUP_KEEP: "7 daily, 4 weekly, and 6 monthly backups are kept; copy others elsewhere",
  ASSAY_BACKUP_MESSAGES: "backups contain all messages, unless you run assay backup <file> --without-messages",
  ASSAY_BACKUP_PASSPHRASE: "encrypt backups for a public key with ASSAY_BACKUP_RECIPIENTS",
  ASSAY_AUDIT_SYSLOG: "copy the audit log with assay audit export, for example by cron",
  ASSAY_AUDIT_RETENTION_DAYS: "entries are kept for a year; for longer, export them",
  ASSAY_MAX_BACKLOG_PER_WORKSPACE: "a workspace may use what the others leave free of ASSAY_MAX_BACKLOG",
};

export function whyRemoved(name: string): string | undefined {
  const found = Object.entries(removed).find(([known]) =>
    known.endsWith("_") ? name.startsWith(known) : name === known,
  );
  return found && `was removed: ${found[1]}`;
}
